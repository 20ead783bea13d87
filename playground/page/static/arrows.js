/* A row of buttons that is one stop of Tab: the arrow keys move in it. */

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

/** Makes the buttons of a row one stop, which is `current` or else the first. */
export function oneStop(buttons, current = buttons[0]) {
  for (const button of buttons) button.tabIndex = button === current ? 0 : -1;
}

/** Moves the focus to the next button of the row, or the one before; `press` presses it too. */
export function moveInRow(event, { press = false } = {}) {
  const by = STEPS[event.key];
  const all = [...event.currentTarget.querySelectorAll("button")];
  const at = all.indexOf(document.activeElement);
  if (!by || at === -1) return;
  event.preventDefault();
  const next = all.at((at + by) % all.length);
  next.focus();
  if (press) next.click();
}
