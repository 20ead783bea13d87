/* The message box: Enter sends, Shift+Enter breaks the line, @ completes people, / completes commands, files attach. */

import { sayUnanswered } from "./bot.js";
import { h, icon } from "./dom.js";
import { notice } from "./notice.js";
import { appUser, channel, isAppDm, nameOf, people, place, titleOf } from "./place.js";
import { post, state } from "./server.js";

const COMMANDS = [
  ["/agent help", "what the agent can do"],
  ["/agent status", "what runs, what waits"],
  ["/agent trust", "how much it may do alone"],
  ["/agent guard", "whether it asks about what you did not name"],
  ["/agent rules", "who else has to agree"],
  ["/agent allow", "mail to an address unasked, from delegated upward"],
  ["/agent disallow", "not any more"],
  ["/agent connect google", "connect your own account"],
  ["/agent disconnect google", "revoke my access"],
  ["/agent schedule", "reminders and briefings"],
  ["/agent agents", "who can do a task for you"],
  ["/agent run", "give an agent work"],
  ["/agent plan", "a plan for something big"],
  ["/agent audit", "what the audit log says of you"],
  ["/agent stop", "stop what runs"],
];
const ME = /^\/me\s+/;
const FILE_BYTES = 5_000_000;
const CHUNK_BYTES = 32_768; // more arguments than that a call may not take
const drafts = new Map();
const fields = new Map();

/** A message box for a conversation, or for one of its threads. */
export function composer({ channelId, thread = "", id = "" }) {
  const key = `${place.user}/${channelId}/${thread}`;
  const room = channel(channelId);
  const field = h("textarea", {
    class: "composer-field",
    id: id || null,
    rows: 1,
    "aria-label": "Message",
    placeholder: hint(room, thread),
    "data-focus": `composer/${thread}`,
    value: drafts.get(key) ?? "",
  });
  fields.set(key, field);
  const attached = [];
  const files = h("div", { class: "composer-files" });
  const picker = h("input", { type: "file", multiple: true, hidden: true });
  const options = h("div", { class: "completion", role: "listbox", hidden: true });
  const box = h(
    "form",
    { class: "composer" },
    options,
    field,
    files,
    h(
      "div",
      { class: "composer-bar" },
      h(
        "button",
        {
          type: "button",
          class: "tool",
          title: "Attach a file",
          "aria-label": "Attach a file",
          onclick: () => picker.click(),
        },
        icon("clip"),
      ),
      h("span", { class: "note keys" }, `Enter sends · Shift+Enter new line · @ people${thread ? "" : " · / commands"}`),
      h("button", { type: "submit", class: "button primary send", title: "Send", "aria-label": "Send" }, icon("send")),
    ),
    picker,
  );
  const send = () => submit({ field, attached, files, key, channelId, thread });
  box.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  const completing = completion(field, options, { commands: !thread });
  field.addEventListener("input", () => {
    drafts.set(key, field.value);
    grow(field);
  });
  field.addEventListener("keydown", (event) => {
    if (completing(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      send();
    }
  });
  picker.addEventListener("change", () => attach(picker, attached, files));
  requestAnimationFrame(() => grow(field));
  return box;
}

function hint(room, thread) {
  if (thread) return "Reply…";
  if (isAppDm(room)) return `Ask ${titleOf(room)} something`;
  return room?.is_im
    ? `Message ${titleOf(room)}`
    : `Message #${room?.name ?? ""}, or ask @${nameOf(appUser())}`;
}

function grow(field) {
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight + 2, 220)}px`;
}

async function submit({ field, attached, files, key, channelId, thread }) {
  const typed = field.value.trim();
  if (!typed && !attached.length) return;
  const sent = attached.splice(0);
  field.value = "";
  drafts.delete(key);
  files.replaceChildren();
  grow(field);
  const isCommand = typed.startsWith("/") && !ME.test(typed);
  const said = isCommand ? await command(typed, channelId, thread) : await message(typed, sent, channelId, thread);
  if (said.ok) return;
  notice(`Not sent: ${said.reason || said.error || "it was refused"}. Your text is back in the box.`, "bad");
  const shown = fields.get(key); // it may have been drawn again meanwhile
  shown.value ||= typed;
  drafts.set(key, shown.value);
  grow(shown);
}

async function command(typed, channelId, thread) {
  if (thread) return { ok: false, error: "commands work in the conversation, not in a thread" };
  const [name, ...words] = typed.split(/\s+/);
  const body = { user: place.user, channel: channelId, command: name, text: encoded(words.join(" ")) };
  const said = await post("act/command", body);
  if (said.ok && said.acked === false) sayUnanswered();
  return said;
}

function message(typed, sent, channelId, thread) {
  const body = { user: place.user, channel: channelId, text: encoded(typed.replace(ME, "")) };
  if (ME.test(typed)) body.me = true;
  if (thread) body.thread_ts = thread;
  if (sent.length) body.files = sent;
  return post("act/message", body);
}

/** Names become mentions; Slack itself escapes what was typed. */
export function encoded(typed) {
  const named = Object.values(state.slack.users ?? {}).flatMap((one) =>
    [nameOf(one.id), one.name].filter(Boolean).map((name) => [name, one.id]),
  );
  named.sort((left, right) => right[0].length - left[0].length);
  return named.reduce(
    (text, [name, id]) => text.replaceAll(new RegExp(`(^|[\\s(])@${literal(name)}(?![\\w.-]*\\w)`, "gi"), `$1<@${id}>`),
    typed,
  );
}

const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function attach(picker, attached, files) {
  for (const file of picker.files) {
    if (file.size > FILE_BYTES) {
      notice(`${file.name} is larger than 5 MB.`, "bad");
      continue;
    }
    const one = { name: file.name, mimetype: file.type || "application/octet-stream" };
    contentOf(file).then((content) => attached.push(Object.assign(one, content)));
    files.append(chip(one, attached));
  }
  picker.value = "";
}

/** A file that goes along with the message, with a button that takes it away. */
function chip(file, attached) {
  const remove = () => {
    attached.splice(attached.indexOf(file), attached.includes(file) ? 1 : 0);
    node.remove();
  };
  const label = `Remove ${file.name}`;
  const node = h(
    "span",
    { class: "chip attached", title: file.name },
    icon("file"),
    h("span", { class: "ellipsis" }, file.name),
    h("button", { type: "button", class: "tool", title: label, "aria-label": label, onclick: remove }, icon("close")),
  );
  return node;
}

/** A file's bytes as they are: what they mean, also of a text, is for the reader to find out. */
export async function contentOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let characters = "";
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    characters += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  return { content: btoa(characters), encoding: "base64" };
}

/** Completes the word at the caret; returns a key handler that says whether it took the key. Threads have no
    `commands`. */
function completion(field, list, { commands }) {
  let found = [];
  let at = 0;
  const close = () => {
    found = [];
    list.hidden = true;
  };
  const take = (choice) => {
    field.setRangeText(choice.text, choice.start, field.selectionStart, "end");
    field.dispatchEvent(new Event("input"));
    close();
    field.focus();
  };
  const show = () => {
    found = choices(field, commands);
    at = 0;
    list.hidden = !found.length;
    paint();
  };
  const paint = () => {
    const row = (choice, index) =>
      h(
        "button",
        {
          type: "button",
          role: "option",
          class: "completion-row",
          "aria-selected": String(index === at),
          tabindex: "-1",
          onpointerdown: (event) => {
            event.preventDefault();
            take(choice);
          },
        },
        h("strong", {}, choice.label),
        h("span", { class: "note" }, choice.note),
      );
    list.replaceChildren(...found.map(row));
  };
  field.addEventListener("input", show);
  field.addEventListener("blur", close);
  return (event) => {
    if (!found.length) return false;
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      at = (at + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length;
      paint();
    } else if ((event.key === "Enter" && !event.shiftKey && !exact(found[at], field)) || event.key === "Tab")
      take(found[at]);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
}

const same = (one, other) => one.trim().toLowerCase() === other.trim().toLowerCase();

/** Whether a choice is what stands there already, however it is written: Enter sends it then. */
export const exact = (choice, field) => same(field.value.slice(choice.start), choice.text);

/** What the word at the caret may become. */
export function choices(field, commands) {
  const before = field.value.slice(0, field.selectionStart);
  if (commands && /^\/[\w ]*$/.test(before)) {
    return COMMANDS.filter(([name]) => name.startsWith(before.toLowerCase()) && !same(name, before)).map(
      ([name, note]) => ({ label: name, note, text: `${name} `, start: 0 }),
    );
  }
  const word = /(?:^|\s)@([\w.-]*)$/.exec(before);
  if (!word) return [];
  const start = before.length - word[1].length - 1;
  const sought = word[1].toLowerCase();
  const all = [appUser(), ...people().map((one) => one.id)].filter(Boolean);
  return all
    .filter((id) =>
      nameOf(id)
        .toLowerCase()
        .split(/\s+/)
        .some((part) => part.startsWith(sought)),
    )
    .map((id) => ({
      label: `@${nameOf(id)}`,
      note:
        id === appUser() ? "the agent" : (state.slack.users[id].profile?.title ?? state.slack.users[id].title ?? ""),
      text: `@${nameOf(id)} `,
      start,
    }));
}
