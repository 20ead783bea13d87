/* Shows a card in its conversation and flashes it: the link back from an effect to its cause. */

import { h, icon } from "./dom.js";
import { channel, go, place, showPane } from "./place.js";
import { cardOf } from "./relations.js";

const FLASH_MS = 1600;

/** The link from a mail, an event or an audit entry to its card, if a card is known. */
export function cardLink(sought) {
  const card = cardOf(sought);
  if (!card) return null;
  return h(
    "button",
    {
      type: "button",
      class: "link card-link",
      title: "Show the card that caused this",
      onclick: (event) => {
        event.stopPropagation();
        reveal(card);
      },
    },
    icon("link"),
    "card",
  );
}

export function reveal({ channel: id, message }) {
  const room = channel(id);
  const members = room?.members ?? [];
  const user = members.includes(place.user) ? place.user : (room?.user ?? members[0] ?? place.user);
  const root = message.thread_ts && message.thread_ts !== message.ts ? message.thread_ts : "";
  go({ user, channel: id, thread: room?.is_im ? place.thread : root, home: "" });
  showPane("talk");
  requestAnimationFrame(() => requestAnimationFrame(() => flash(message.ts)));
}

/** Puts the focus on a card's first button once the card is drawn: where its owner decides. */
export function focusCard(ts) {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const card = document.querySelector(`#talk [data-ts="${CSS.escape(ts)}"]`);
      const button = card?.querySelector(".b-actions .button") ?? card;
      button?.focus({ preventScroll: true });
    }),
  );
}

export function flash(ts) {
  const node = document.querySelector(`#talk [data-ts="${CSS.escape(ts)}"]`);
  if (!node) return;
  const room = node.closest(".scroll")?.clientHeight ?? window.innerHeight;
  node.scrollIntoView({ block: node.clientHeight > room ? "start" : "center" });
  node.classList.add("flash");
  setTimeout(() => node.classList.remove("flash"), FLASH_MS);
}
