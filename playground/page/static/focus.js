/* Where the focus goes in a window, and where it returns to. */

const LIVE = "button, a[href], input, textarea, select, [tabindex]";
const FIELDS = ".b-input :is(input, textarea, select)";

const reached = (node) => node.tabIndex >= 0 && !node.disabled && node.checkVisibility();

/** Puts the focus into a window, where it was read to before: into its first field, else onto the button that it is for,
    else onto its last one. What is longer than its window has the focus itself, unless that field is in sight: it is read
    and scrolled with the keyboard, and Enter says no yes to what nobody has seen. */
export function enter(dialog, read = 0) {
  const first = (selector) => [...dialog.querySelectorAll(selector)].find(reached);
  const field = first(FIELDS);
  const target = field ?? first(".dialog-row .primary") ?? first(".primary") ?? first(".dialog-row button");
  target?.focus();
  const body = dialog.querySelector(".modal-body");
  if (!body) return;
  body.scrollTop = read; // a field for a day scrolls to itself, whatever it is asked
  if (!isLong(body) || (field && isInSight(field, body))) return;
  body.focus({ preventScroll: true });
}

/** Whether it has more than it shows: then it can have the focus. It is a stop of Tab where a part of it is in sight at
    none of the stops that are in it. */
function isLong(body) {
  const long = body.scrollHeight > body.clientHeight + 1;
  if (!long) body.removeAttribute("tabindex");
  else body.tabIndex = hasGap(body) ? 0 : -1;
  return long;
}

function hasGap(body) {
  const beginning = body.getBoundingClientRect().top - body.scrollTop;
  const stops = [...body.querySelectorAll(LIVE)].filter(reached).map((one) => one.getBoundingClientRect().top - beginning);
  const places = [0, ...stops, body.scrollHeight];
  return places.some((place, at) => place - (places[at - 1] ?? 0) > body.clientHeight);
}

function isInSight(node, body) {
  const [one, frame] = [node.getBoundingClientRect(), body.getBoundingClientRect()];
  return one.top >= frame.top && one.bottom <= frame.bottom;
}

/** Tab goes around in the window, and never to the page behind it. */
export function keepInside(dialog) {
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") return;
    dialog.querySelectorAll(".modal-body").forEach(isLong);
    const all = [...dialog.querySelectorAll(LIVE)].filter(reached);
    const [from, to] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
    const held = document.activeElement;
    if (held !== from && (all.includes(held) || held.matches(".modal-body"))) return;
    event.preventDefault();
    to?.focus();
  });
}

/** Remembers what has the focus now; gives it back later, to its counterpart if it was drawn again meanwhile, or to the
    message box. */
export function whereItIs() {
  const held = document.activeElement;
  const mark = held?.dataset.focus;
  return () => {
    const drawn = mark && [...document.querySelectorAll("[data-focus]")].find((node) => node.dataset.focus === mark);
    const back = held !== document.body && held?.isConnected ? held : drawn;
    (back || document.querySelector("#composer"))?.focus();
  };
}
