/* Under a card: what it caused outside, each with a link to where that can be seen. */

import { h, icon, keyed } from "./dom.js";
import { go, showPane } from "./place.js";
import { cardOf, entries, entryCount, related } from "./relations.js";
import { state } from "./server.js";

const FACES = { mail: "mail", calendar: "calendar", audit: "lock" };

/** Renders the effects of every card that is in the conversation. */
export function renderEffects() {
  for (const box of document.querySelectorAll("#talk [data-effects]")) {
    const card = related().get(box.dataset.effects);
    keyed(box, card ? effects(card) : [], { key: (one) => one.tab, deps: (one) => [one.label], render: link });
  }
}

function effects(card) {
  const { audit } = card;
  const mails = [...card.mails].filter((mail) => cardOf({ mail }) === card);
  const events = [...card.events].filter((event) => cardOf({ event }) === card);
  const written = mails.map((key) => state.google.mails[key]).filter((mail) => mail.folder !== "inbox");
  const counts = [
    {
      tab: "mail",
      count: written.length,
      label:
        written.length === 1 ? `the ${written[0].folder === "drafts" ? "draft" : "mail"}` : `${written.length} mails`,
    },
    { tab: "calendar", count: events.length, label: events.length === 1 ? "the event" : `${events.length} events` },
    { tab: "audit", count: audit.size, label: entriesOf(audit.size) },
  ];
  return counts.filter((one) => one.count);
}

/** The page has the newest entries: where there are older ones, nobody knows how many are missing here. */
function entriesOf(count) {
  if (entryCount() > entries().length) return "its audit entries";
  return count === 1 ? "1 audit entry" : `${count} audit entries`;
}

function link({ tab, label }) {
  const open = () => {
    go({ tab });
    showPane("world");
  };
  return h(
    "button",
    { type: "button", class: "link", title: "Show it on the right", onclick: open },
    icon(FACES[tab]),
    label,
  );
}
