/* The top: who you are, which model answers, how the bot is, and what can be made to go wrong. */

import { avatar } from "./avatar.js";
import { h, icon, keyed } from "./dom.js";
import { faultsButton } from "./faults.js";
import { showHints } from "./hints.js";
import { openJump } from "./jump.js";
import { notice } from "./notice.js";
import { nameOf, place, user, zone } from "./place.js";
import { post, state } from "./server.js";
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
  const jump = h(
    "button",
    { type: "button", class: "button quiet wide-only", title: "Jump to a person, channel or tab", onclick: openJump },
    "Jump",
    h("kbd", {}, "Ctrl K"),
  );
  const help = h(
    "button",
    {
      type: "button",
      class: "button quiet help",
      title: "Show the three hints again",
      "aria-label": "Show the hints",
      onclick: showHints,
    },
    "?",
  );
  bar.append(brand, who, h("span", { class: "grow" }), model, bot, faultsButton(), jump, help);
  return () => {
    keyed(who, [place.user], { key: (id) => id, deps: () => [user()], render: whoNode });
    keyed(model, [state.supervisor.model ?? {}], {
      key: () => "model",
      deps: (one) => [one.name, one.scripted],
      render: modelNode,
    });
    keyed(bot, [state.supervisor.bot ?? {}], {
      key: () => "bot",
      deps: (one) => [one.state, one.since, zone()],
      render: botNode,
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
    ? "No model answers: a script understands a dozen everyday requests. Set GEMINI_API_KEY for the real one."
    : "This model answers; everything else is local.";
  return h(
    "span",
    { class: "state", title },
    h("span", { class: "label" }, "Answers:"),
    h("strong", {}, model.scripted ? "scripted" : model.name),
    model.scripted && h("span", { class: "note wide-only" }, "no real model"),
  );
}

const STATES = { running: "running", starting: "starting…", stopped: "stopped", dead: "died" };

function botNode(bot) {
  const at = moment(bot.since ?? "");
  const alive = bot.state === "running" || bot.state === "starting";
  const label = STATES[bot.state] ?? bot.state ?? "unknown";
  return h(
    "span",
    { class: "state" },
    h("span", { class: `light ${bot.state ?? ""}`, "aria-hidden": "true" }),
    h(
      "span",
      {},
      h("span", { class: "label" }, "Bot "),
      h("strong", {}, label),
      at && h("span", { class: "note wide-only" }, " since ", time(at, clock)),
    ),
    alive
      ? h(
          "button",
          {
            type: "button",
            class: "button small danger",
            "data-focus": "bot",
            title: "Ends the bot's process at once (kill -9). A waiting card survives.",
            onclick: (event) => act(event, "kill"),
          },
          "Kill",
        )
      : h(
          "button",
          {
            type: "button",
            class: "button small primary",
            "data-focus": "bot",
            title: "Starts the bot again",
            onclick: (event) => act(event, "start"),
          },
          icon("power"),
          "Start",
        ),
  );
}

async function act(event, verb) {
  event.currentTarget.disabled = true;
  const said = await post(`bot/${verb}`);
  if (!said.ok)
    notice(`The bot could not be ${verb === "kill" ? "killed" : "started"}: ${said.error ?? "no answer"}.`, "bad");
}
