/* A busy button ignores a second press and keeps the focus, which a disabled one would lose. */

/** Does it while the button is busy; a button that is busy already does nothing. */
export async function whileBusy(button, act) {
  if (button.classList.contains("busy")) return;
  button.classList.add("busy");
  button.setAttribute("aria-disabled", "true");
  await act();
  button.classList.remove("busy");
  button.removeAttribute("aria-disabled");
}
