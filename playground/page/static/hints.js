/* The tour of the playground: one thing to try after the other, each shown until it is done. The first has three
   numbers: on the card, on its Approve button, on the right pane. */

import { botState, isStopped, killBot, startBot } from "./bot.js";
import { whileBusy } from "./busy.js";
import { fill, h, icon } from "./dom.js";
import { appDm, go, nameOf, place, showPane, user } from "./place.js";
import { countOf, entries, factsOf, runOf } from "./relations.js";
import { reveal } from "./reveal.js";
import { changed, post, state } from "./server.js";

const SEEN = "countersign.playground.hints";
const KEPT = "countersign.playground.step";
const CUSTOMERS = { U0DANA: "Helen" };
const OTHERS = { U0DANA: "Nora" }; // whom the first step has not answered yet
const isGuest = () => Boolean(user()?.is_restricted || user()?.is_ultra_restricted);
const prompts = () =>
  isGuest()
    ? [] // the agent works for no guest
    : [
        "What's on tomorrow?",
        "Anything unread?",
        `Let ${CUSTOMERS[place.user] ?? "Dana"} know that the benches are ready`,
        `Have the mail clerk answer ${OTHERS[place.user] ?? "Dana"}'s mail that Thursday works`,
      ];
const toGuest = () => `${nameOf(place.user)} is a guest, and the agent works for no guest: act as somebody else first.`;

const MORE =
  "Act as somebody else, mention @Countersign in #sales, or try Faults. For a card with “Check and approve…”, type " +
  "/agent trust autonomous as Dana, then “Answer Nora's mail that Thursday works”.";

const decided = () => countOf("question.decided");
const waits = () => document.querySelector("#talk .card .blocks .button.primary") !== null;

/** The first card that waits for a decision, wherever it is. */
function waitingCard() {
  const cards = Object.keys(state.cards ?? {}).map((key) => {
    const [channel, ts] = key.split(":");
    return { channel, message: state.slack.messages?.[channel]?.[ts] };
  });
  return cards.find(({ message }) =>
    message?.blocks?.some((block) => block.type === "actions" && block.elements.some((part) => part.style === "primary")),
  );
}
const asked = () => countOf("run.queued");

/** The result of the newest decision: title and text of its step. */
function came() {
  const press = entries()
    .filter((entry) => entry.code === "question.decided")
    .reduce((last, entry) => (last && last.at > entry.at ? last : entry), null);
  const { action, decision } = press ? factsOf(press) : {};
  const about = entries().filter((entry) => action && factsOf(entry).action === action);
  const held = about.map((entry) => factsOf(entry).held_run).find(Boolean);
  const later = held ? entries().filter((entry) => runOf(entry) === held) : [];
  const codes = [...about, ...later].map((entry) => entry.code);
  if (codes.some((code) => ["action.completed", "action.reconciled"].includes(code)))
    return ["It happened, once.", "Mail or Calendar shows it, and the audit log has it, too."];
  if (codes.includes("run.undone"))
    return ["You took it back.", "Nothing happened. The audit log has both, that it was planned and that you took it back."];
  if (codes.includes("action.scheduled")) return ["It is planned.", "Nothing happened yet. The audit log has that, too."];
  if (decision === "reject") return ["You said no.", "That change was not made. The audit log has that, too."];
  return ["You decided.", "The audit log has it."];
}

let kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
let shown = localStorage.getItem(SEEN) !== "seen";
let seenAudit = false;

/** Each step is over when `done` says so; `title` and `text` may depend on how things are, `tries` are its buttons,
    and `parts` says that the three numbers are shown instead. */
const STEPS = [
  {
    parts: () => waits() || !waitingCard(),
    title: "A card waits for a decision.",
    text: () => "",
    tries: () => [["Show it", () => reveal(waitingCard())]],
    done: () => decided() > 0,
  },
  {
    title: () => came()[0],
    text: () => came()[1],
    tries: () => [["Open the audit log", openAudit]],
    done: () => seenAudit || isStopped(),
  },
  {
    title: "Now kill the bot.",
    text: () => (waits() ? "A card still waits. What will happen to it?" : "As if the power had failed."),
    tries: () => [["Kill", killBot]],
    done: () => isStopped(),
  },
  {
    title: () => (botState() === "starting" ? "It is starting." : "It is dead. Start it again."),
    text: () => "The card is in the database.",
    tries: () => (isStopped() ? [["Start", startBot]] : []),
    done: () => botState() === "running",
  },
  {
    title: "Approve the other card.",
    text: () => "It still happens, and still once.",
    tries: () => [],
    done: () => !waits() || decided() > kept.decided,
  },
  {
    title: "Ask something of your own.",
    text: () => (isGuest() ? toGuest() : ""),
    tries: () => prompts().map((prompt) => [prompt, () => ask(prompt)]),
    done: () => asked() > kept.asked,
  },
  {
    title: "That was the tour.",
    text: () => (state.supervisor.model?.scripted ? `${MORE} “help” lists what the scripted model knows.` : MORE),
    tries: () => prompts().map((prompt) => [prompt, () => ask(prompt)]),
    done: () => false,
  },
];

function openAudit() {
  go({ tab: "audit" });
  showPane("world");
}

async function ask(prompt) {
  const dm = appDm();
  if (!dm) return;
  go({ channel: dm.id, thread: "", home: "" });
  showPane("talk");
  await post("act/message", { user: place.user, channel: dm.id, text: prompt });
}

export function showHints() {
  localStorage.removeItem(SEEN);
  shown = true;
  if (kept.step === STEPS.length - 1) enter(0);
  changed();
}

function dismiss() {
  localStorage.setItem(SEEN, "seen");
  shown = false;
  changed();
}

/** A step counts what is done since it began; a new world begins with the first step. */
function enter(step) {
  kept = { world: world(), step, decided: decided(), asked: asked() };
  seenAudit = false;
  localStorage.setItem(KEPT, JSON.stringify(kept));
}

const world = () => state.supervisor.audit.first;

function follow() {
  if (!state.supervisor.audit) return;
  if (kept.step === undefined || kept.world !== world()) enter(0);
  if (place.tab === "audit") seenAudit = true;
  while (STEPS[kept.step].done()) enter(kept.step + 1);
}

export function makeHints(box) {
  let drawn = "";
  const strip = h("aside", { class: "hint-strip", "aria-label": "What to try" });
  return () => {
    follow();
    const now = shown && state.supervisor.audit ? STEPS[kept.step] : null;
    const parts = Boolean(now?.parts?.());
    document.body.classList.toggle("hinted", parts);
    const looks = now ? `${kept.step} ${parts ? "" : `${titleOf(now)} ${now.text()} ${place.user}`}` : "";
    if (looks !== drawn) {
      drawn = looks;
      if (now) refill(strip, parts ? threeParts() : onePart(now), end());
    }
    if (now && !strip.isConnected) box.append(strip);
    if (!now) strip.remove();
    number(parts);
  };
}

/** The next step takes the focus of the one before, so that who uses the keyboard goes on there. */
function refill(strip, ...content) {
  const held = strip.contains(document.activeElement);
  fill(strip, ...content);
  if (held) strip.querySelector("button").focus();
}

const OUTSIDE = "There it is, with its audit entry.";

function threeParts() {
  const part = (number, title, text) =>
    h(
      "li",
      {},
      h("span", { class: "number", "aria-hidden": "true" }, number),
      h("span", {}, h("strong", {}, title), " ", h("span", { class: "hint-text" }, text)),
    );
  return h(
    "ol",
    {},
    part(1, "Read the card.", "What the agent wants to do."),
    part(2, "Press Approve.", "Nothing happens before."),
    part(3, [h("span", { class: "beside" }, "Look right."), h("span", { class: "in-tabs" }, "Look outside.")], OUTSIDE),
  );
}

const titleOf = ({ title }) => (typeof title === "function" ? title() : title);

function onePart(step) {
  const press = (act) => (event) => whileBusy(event.currentTarget, async () => act());
  const text = step.text();
  return h(
    "div",
    { class: "hint-step", "aria-live": "polite" },
    h("span", { class: "hint-words" }, h("strong", {}, titleOf(step)), text && " ", text),
    h(
      "span",
      { class: "hint-tries" },
      step.tries().map(([label, act]) => h("button", { type: "button", class: "button small", onclick: press(act) }, label)),
    ),
  );
}

function end() {
  const last = kept.step === STEPS.length - 1;
  const skip = () => {
    enter(kept.step + 1);
    changed();
  };
  return h(
    "span",
    { class: "hint-end" },
    !last && kept.step > 0 && h("button", { type: "button", class: "button small quiet", onclick: skip }, "Skip"),
    kept.step > 0 && h("span", { class: "hint-count", title: "Steps of the tour" }, `${kept.step + 1} of ${STEPS.length}`),
    kept.step === 0 || last
      ? h("button", { type: "button", class: "button small", onclick: dismiss }, "Got it")
      : h(
          "button",
          { type: "button", class: "tool", title: "End the tour", "aria-label": "End the tour", onclick: dismiss },
          icon("close"),
        ),
  );
}

/** Puts the numbers at the first card that waits. */
function number(on) {
  document.querySelectorAll(".hint-1, .hint-2").forEach((node) => node.classList.remove("hint-1", "hint-2"));
  if (!on) return;
  const button = document.querySelector("#talk .card .blocks .button.primary");
  button?.closest(".blocks").classList.add("hint-1");
  button?.classList.add("hint-2");
}
