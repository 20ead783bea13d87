/* Long content is folded: above this many characters only its beginning is shown, with a button. */

import { h } from "./dom.js";

const FOLD_ABOVE = 3000;
const unfolded = new Set();

/** `body` as it is, or folded when its text is long; `key` remembers that it was opened. */
export function folded(body, key) {
  const length = body.textContent.length;
  if (length <= FOLD_ABOVE || unfolded.has(key)) return body;
  const box = h("div", { class: "folded" }, body);
  const button = h(
    "button",
    {
      class: "link",
      type: "button",
      onclick: () => {
        unfolded.add(key);
        box.replaceWith(body);
      },
    },
    `Show all ${length.toLocaleString("en-GB")} characters`,
  );
  box.append(h("div", { class: "fold-bar" }, button));
  return box;
}
