/* Where the focus goes in a window, and where it returns to. */

const LIVE = "button, a[href], input, textarea, select, [tabindex]";
const FIELDS = ".b-input :is(input, textarea, select)";

const reached = (node) => node.tabIndex >= 0 && !node.disabled && node.checkVisibility();

/** Puts the focus into a window, and leaves its beginning in sight: into its first field, else onto the button that it
    is for, else onto its last one. Where that field is out of sight, the text above it has the focus, to be read and
    scrolled with the keyboard. */
export function enter(dialog) {
  const first = (selector) => [...dialog.querySelectorAll(selector)].find(reached);
  const target = first(FIELDS) ?? first(".dialog-row .primary") ?? first(".primary") ?? first(".dialog-row button");
  target?.focus();
  const body = dialog.querySelector(".modal-body");
  if (!body) return;
  body.scrollTop = 0; // a field for a day scrolls to itself, whatever it is asked
  if (!body.contains(target) || target.getBoundingClientRect().bottom <= body.getBoundingClientRect().bottom) return;
  body.tabIndex = 0;
  body.focus({ preventScroll: true });
}

/** Tab goes around in the window, and never to the page behind it. */
export function keepInside(dialog) {
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") return;
    const all = [...dialog.querySelectorAll(LIVE)].filter(reached);
    const [from, to] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
    if (document.activeElement !== from && all.includes(document.activeElement)) return;
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
