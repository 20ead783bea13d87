/* In a narrow window the three panes are tabs. */

import { h, keyed } from "./dom.js";
import { channel, showPane, titleOf } from "./place.js";
import { unreadElsewhere } from "./people.js";
import { happenedOutside } from "./world.js";

export function makePanes(bar) {
  return () => {
    const here = channel();
    const names = {
      people: "People",
      talk: here ? (here.is_im ? titleOf(here) : `#${here.name}`) : "Talk",
      world: "Outside world",
    };
    const on = document.body.dataset.pane;
    const news = { people: unreadElsewhere(), talk: false, world: happenedOutside() };
    keyed(bar, Object.entries(names), {
      key: ([name]) => name,
      deps: ([name, title]) => [title, on === name, news[name]],
      render: ([name, title]) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(on === name),
            "data-focus": `pane/${name}`,
            onclick: () => showPane(name),
          },
          title,
          news[name] && on !== name && h("span", { class: "dot", title: "Something is new here" }),
        ),
    });
  };
}
