/* The top: the acting person, the model, the bot's state, and the Faults menu. */

import { avatar } from "./avatar.js";
import { botState, killBot, startBot } from "./bot.js";
import { whileBusy } from "./busy.js";
import { h, icon, keyed } from "./dom.js";
import { faultsButton } from "./faults.js";
import { openHelp } from "./help.js";
import { openJump } from "./jump.js";
import { nameOf, place, user, zone } from "./place.js";
import { state } from "./server.js";
import { clock, moment, time } from "./times.js";

export function makeTop(bar) {
  const brand = h(
    "div",
    { class: "brand" },
    h("span", { class: "mark", "aria-hidden": "true" }, icon("check")),
    h("span", {}, h("strong", {}, "Countersign"), h("span", { class: "note" }, " playground")),
  );
  const who = h("div", { class: "who-am-i" });
  const model = h("div", { class: "model" });
  const bot = h("div", { class: "bot" });
  const faults = h("div", { class: "faults" });
  const jump = h(
    "button",
    {
      type: "button",
      class: "button quiet",
      title: "Jump to a person, channel or tab (Ctrl+K)",
      "aria-label": "Jump",
      onclick: openJump,
    },
    icon("search"),
    h("span", { class: "roomy" }, "Jump"),
    h("kbd", { class: "wide-only" }, "Ctrl K"),
  );
  const help = h(
    "button",
    {
      type: "button",
      class: "button quiet help",
      title: "Keys and tour (?)",
      "aria-label": "Help",
      onclick: openHelp,
    },
    "?",
  );
  bar.append(brand, who, h("span", { class: "grow" }), model, bot, faults, jump, help);
  return () => {
    keyed(who, [place.user], { key: (id) => id, deps: () => [user()], render: whoNode });
    keyed(model, [state.supervisor.model ?? {}], {
      key: () => "model",
      deps: (one) => [one.name, one.scripted],
      render: modelNode,
    });
    keyed(bot, [state.supervisor.bot ?? {}], {
      key: () => "bot",
      deps: (one) => [botState(), one.since, zone()],
      render: botNode,
    });
    // Before the sources are known there is nothing to break, and a menu opened then would stay empty.
    keyed(faults, Object.keys(state.up).length ? ["faults"] : [], {
      key: (id) => id,
      deps: () => [],
      render: faultsButton,
    });
  };
}

function whoNode(id) {
  const one = user();
  if (!one) return h("span", {}, "");
  const role = one.is_admin ? "admin" : one.is_restricted ? "guest" : "member";
  return h(
    "span",
    { class: "me", title: `Times are shown in ${zone()}` },
    avatar(id, "small"),
    h("span", { class: "me-name" }, "You are ", h("strong", {}, nameOf(id))),
    h("span", { class: "badge" }, role),
  );
}

function modelNode(model) {
  if (!model.name && model.scripted === undefined) return h("span", { class: "note" }, "model unknown");
  const title = model.scripted
    ? "No model answers: a script understands everyday requests; write “help” for the list. Set GEMINI_API_KEY for the real one."
    : "This model answers; everything else is local.";
  return h(
    "span",
    { class: "state", title },
    h("span", { class: "label" }, "Answers:"),
    h("strong", {}, model.scripted ? "scripted" : model.name),
    model.scripted && h("span", { class: "note wide-only" }, "no real model"),
  );
}

const STATES = { running: "running", starting: "starting…", stopped: "stopped", dead: "died", gone: "gone" };

function botNode(bot) {
  const at = moment(bot.since ?? "");
  const now = botState();
  return h(
    "span",
    { class: "state" },
    h("span", { class: `light ${now}`, "aria-hidden": "true" }),
    h(
      "span",
      { class: "words" },
      h("span", { class: "label" }, "Bot "),
      h("strong", {}, STATES[now] ?? now),
      at && now !== "gone" && h("span", { class: "note wide-only" }, " since ", time(at, clock)),
    ),
    now !== "gone" && (now === "running" || now === "starting" ? killButton() : startButton()),
  );
}

const press = (act) => (event) => whileBusy(event.currentTarget, act);

function killButton() {
  const title = "Ends the bot's process at once (kill -9). A waiting card survives.";
  const props = { type: "button", class: "button small danger", "data-focus": "bot", title, onclick: press(killBot) };
  return h("button", props, "Kill");
}

function startButton() {
  const title = "Starts the bot again";
  const props = { type: "button", class: "button small primary", "data-focus": "bot", title, onclick: press(startBot) };
  return h("button", props, icon("power"), "Start");
}
