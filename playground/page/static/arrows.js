/* A row of buttons that is one stop of Tab: the arrow keys, Home and End move in it. */

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };
const ENDS = { Home: 0, End: -1 };

/** Makes the buttons of a row one stop, which is `current` or else the first. */
export function oneStop(buttons, current = buttons[0]) {
  for (const button of buttons) button.tabIndex = button === current ? 0 : -1;
}

/** Moves the focus to the next button of the row, the one before, the first or the last; `press` presses it too. */
export function moveInRow(event, { press = false } = {}) {
  const all = [...event.currentTarget.querySelectorAll("button")];
  const at = all.indexOf(document.activeElement);
  const to = event.key in STEPS ? (at + STEPS[event.key]) % all.length : ENDS[event.key];
  if (to === undefined || at === -1) return;
  event.preventDefault();
  const next = all.at(to);
  next.focus();
  if (press) next.click();
}
