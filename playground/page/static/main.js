/* Joins the parts: one state from the server, and one render of every pane when it changes. */

import { openInside } from "./addresses.js";
import { makeConversation } from "./conversation.js";
import { renderEffects } from "./effects.js";
import { makeArmed } from "./faults.js";
import { makeHints } from "./hints.js";
import { listenToKeys } from "./keyboard.js";
import { makeModal } from "./modal.js";
import { makePanes } from "./panes.js";
import { isUnread, makePeople } from "./people.js";
import { appDm, channel, conversations, go, people, place, readAddress, user } from "./place.js";
import { changed, connection, follow, state, whenChanged } from "./server.js";
import { makeTop } from "./topbar.js";
import { makeWorld } from "./world.js";

const $ = (id) => document.getElementById(id);

const renders = [
  makeTop($("top")),
  makeArmed($("armed")),
  makePeople($("people")),
  makeConversation($("room"), $("thread")),
  makeWorld($("world")),
  makePanes($("panes")),
  renderEffects,
  makeModal($("layers")),
  makeHints($("hints")),
];

function render() {
  settle();
  trouble();
  if (!user()) return;
  showOnce();
  for (const one of renders) one();
  document.body.dataset.ready = "yes";
}

/** Without an address the page opens on a person with something waiting, else on one who asked for something. */
function settle() {
  const known = people().filter((one) => !one.deleted);
  if (!known.length) return;
  const first = () => known.find((one) => waits(one.id)) ?? known.find((one) => asked(one.id)) ?? known[0];
  if (!user()) place.user = first().id;
  const rooms = conversations();
  if (!rooms.some((room) => room.id === place.channel)) go({ channel: (appDm() ?? rooms[0])?.id ?? "", thread: "" });
  else if (!channel()) go({ channel: "" });
}

function asked(id) {
  return Object.values(state.slack.messages?.[appDm(id)?.id] ?? {}).some((message) => message.user === id);
}

function waits(id) {
  const dm = appDm(id);
  return dm && isUnread(dm, id);
}

/** An address may name one thing to open: a message, a mail or an event. */
function showOnce() {
  if (!place.show || !state.google.mails || !state.slack.messages) return;
  const target = place.show;
  place.show = "";
  go({});
  openInside(target);
}

function trouble() {
  const down = Object.entries(state.up ?? {})
    .filter(([, up]) => !up)
    .map(([name]) => name);
  const text = !connection.up
    ? "The playground has stopped, and this is its last state. Start it again with “make demo”, and this page goes on by itself."
    : down.length
      ? `Waiting for: ${down.join(", ")}.`
      : "";
  $("trouble").textContent = text;
  $("trouble").hidden = !text;
  document.body.classList.toggle("gone", !connection.up);
}

readAddress();
whenChanged(render);
listenToKeys();
window.addEventListener("hashchange", () => {
  readAddress();
  changed();
});
follow();
setInterval(changed, 60_000);
