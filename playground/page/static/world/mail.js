/* Mail: everybody's inbox, sent mail and drafts. The contents of a mail are shown as text only. */

import { fill, h, icon, keyed } from "../dom.js";
import { folded } from "../fold.js";
import { changed, state } from "../server.js";
import { cardOf } from "../relations.js";
import { cardLink } from "../reveal.js";
import { absolute, brief, moment, time } from "../times.js";
import { place, zone } from "../place.js";
import { Fresh } from "./fresh.js";

const FOLDERS = { inbox: "Inbox", sent: "Sent", drafts: "Drafts" };
const EMPTY = {
  inbox: "Mail that arrives appears here.",
  sent: "Mail that was sent, by hand or by the agent, appears here.",
  drafts: "Drafts that the agent writes appear here.",
};

const fresh = new Fresh();
const seen = { owner: "", folder: "inbox", open: "", actor: "" };

/** What arrived: `{folder, owner}` of the newest sent mail or draft, if there is one. */
export function mailArrived() {
  const came = fresh.update(state.google.mails).map((key) => state.google.mails[key]);
  const own = came.filter((mail) => mail.folder !== "inbox").at(-1) ?? null;
  return { count: came.length, own };
}

/** Shows the folder of a mail. */
export function showMail(mail) {
  showFolder(mail.owner, mail.folder);
}

/** Shows one mail. */
export function openMail(mail) {
  Object.assign(seen, { actor: place.user, owner: mail.owner, folder: mail.folder, open: mail.key });
}

/** Shows a folder of a person's mailbox, or of everybody's. */
export function showFolder(owner, folder) {
  Object.assign(seen, { actor: place.user, owner, folder, open: "" });
}

export function makeMail(box) {
  const bar = h("div", { class: "bar" });
  const list = h("div", { class: "rows mails" });
  const reader = h("div", { class: "reader", hidden: true });
  fill(box, bar, list, reader);
  return () => {
    followActor();
    const mails = Object.values(state.google.mails ?? {});
    renderBar(bar, mails);
    const open = mails.find((mail) => mail.key === seen.open);
    list.hidden = Boolean(open);
    reader.hidden = !open;
    if (open)
      keyed(reader, [open], {
        key: (mail) => mail.key,
        deps: (mail) => [mail, zone(), state.supervisor.audit],
        render: readerNode,
      });
    else renderList(list, mails);
  };
}

/** The acting person's own mailbox is shown first, until another one is chosen. */
function followActor() {
  if (seen.actor === place.user) return;
  seen.actor = place.user;
  seen.open = "";
  seen.owner = Object.entries(state.google.people ?? {}).find(([, one]) => one.user_id === place.user)?.[0] ?? "";
}

function renderBar(bar, mails) {
  const people = Object.entries(state.google.people ?? {});
  const names = [["", "Everybody"], ...people.map(([handle, one]) => [handle, one.name ?? handle])];
  const mine = mails.filter((mail) => !seen.owner || mail.owner === seen.owner);
  const counts = Object.fromEntries(
    Object.keys(FOLDERS).map((folder) => [folder, mine.filter((mail) => mail.folder === folder).length]),
  );
  const deps = [seen.owner, seen.folder, state.google.people, ...Object.values(counts)];
  keyed(bar, [1], { key: () => "bar", deps: () => deps, render: () => barNode(names, counts) });
}

function barNode(names, counts) {
  const owner = h(
    "select",
    { class: "field small", "aria-label": "Whose mail", "data-focus": "mail/owner" },
    ...names.map(([handle, name]) => h("option", { value: handle, selected: handle === seen.owner }, name)),
  );
  owner.addEventListener("change", () => pick({ owner: owner.value, open: "" }));
  const tab = ([folder, name]) =>
    h(
      "button",
      {
        type: "button",
        class: "segment",
        "aria-pressed": String(seen.folder === folder),
        "data-focus": `mail/${folder}`,
        onclick: () => pick({ folder, open: "" }),
      },
      name,
      " ",
      h("span", { class: "count" }, counts[folder]),
    );
  return h(
    "div",
    { class: "bar-row" },
    h("div", { class: "segments", role: "group", "aria-label": "Folder" }, ...Object.entries(FOLDERS).map(tab)),
    owner,
  );
}

function pick(to) {
  Object.assign(seen, to);
  changed();
}

function renderList(list, mails) {
  const mine = mails
    .filter((mail) => mail.folder === seen.folder && (!seen.owner || mail.owner === seen.owner))
    .sort((left, right) => right.arrived - left.arrived);
  const rows = mine.length ? mine : [{ key: "empty" }];
  const deps = (mail) => [mail, zone(), fresh.has(mail.key), seen.owner, cardOf({ mail: mail.key })?.ts];
  keyed(list, rows, { key: (mail) => mail.key, deps, render: rowNode });
}

function rowNode(mail) {
  if (mail.key === "empty") return h("p", { class: "empty" }, EMPTY[seen.folder]);
  const other = mail.folder === "inbox" ? nameIn(mail.from) : `To ${mail.to.map(nameIn).join(", ") || "nobody yet"}`;
  const unread = mail.labels?.includes("UNREAD");
  return h(
    "div",
    {
      class: ["item mail", unread && "unread", fresh.has(mail.key) && "fresh"].filter(Boolean).join(" "),
      "data-mail": mail.key,
    },
    h(
      "button",
      {
        type: "button",
        class: "item-main",
        title: `${mail.from} → ${mail.to.join(", ")}`,
        onclick: () => pick({ open: mail.key }),
      },
      h(
        "span",
        { class: "item-line" },
        h("span", { class: "item-who" }, other),
        !seen.owner && h("span", { class: "chip" }, state.google.people?.[mail.owner]?.name ?? mail.owner),
        time(mail.arrived, brief),
      ),
      h("span", { class: "item-title" }, mail.subject || "(no subject)"),
      h("span", { class: "item-note" }, snippet(mail)),
    ),
    cardLink({ mail: mail.key }),
  );
}

const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/** Decodes the HTML entities of Gmail's snippets once, to show them as text. */
const snippet = (mail) =>
  (mail.snippet ?? "").replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]);

/** `"Ada Lane" <ada@x.example>` is shown as its name. */
export function nameIn(address) {
  const found = /^\s*"?([^"<]*?)"?\s*<([^>]*)>\s*$/.exec(address ?? "");
  return found ? found[1] || found[2] : (address ?? "");
}

function readerNode(mail) {
  const line = (label, values) =>
    values?.length > 0 && h("div", { class: "pair" }, h("dt", {}, label), h("dd", {}, [values].flat().join(", ")));
  const at = moment(mail.arrived);
  return h(
    "article",
    { class: "mail-open", "data-mail": mail.key },
    h(
      "div",
      { class: "bar-row" },
      h(
        "button",
        { type: "button", class: "button small", onclick: () => pick({ open: "" }) },
        icon("left"),
        FOLDERS[mail.folder],
      ),
      cardLink({ mail: mail.key }),
    ),
    h("h3", { title: mail.subject }, mail.subject || "(no subject)"),
    h(
      "dl",
      {},
      line("From", [mail.from]),
      line("To", mail.to),
      line("Cc", mail.cc),
      line("Bcc", mail.bcc),
      line("Date", at ? [absolute(at)] : []),
      line("Files", mail.attachments),
    ),
    folded(h("pre", { class: "mail-text" }, mail.text ?? ""), mail.key),
  );
}
