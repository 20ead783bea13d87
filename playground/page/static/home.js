/* App Home: the view that the app published for the acting person. */

import { blocks } from "./blocks.js";
import { h } from "./dom.js";
import { Form } from "./form.js";
import { click } from "./message.js";

export function homeNode(view) {
  if (!view.blocks?.length)
    return h(
      "p",
      { class: "empty" },
      "The app's home appears here: trust level, connections, open questions and last runs.",
    );
  const form = new Form();
  const context = {
    act: (part, block, chosen) => click({ view_id: view.id, values: form.of(view) }, part, block, chosen),
    form,
  };
  return h("div", { class: "home-view" }, blocks(view.blocks, context));
}
