/* API: the agent as a product's page asks it over HTTP. Who acts is signed in; the lines of a stream are shown as they
   come, and what waits for a click waits in Slack. */

import { whileBusy } from "../busy.js";
import { fill, h, keyed } from "../dom.js";
import { folded } from "../fold.js";
import { markdown } from "../markdown.js";
import { menu } from "../menu.js";
import { notice } from "../notice.js";
import { appDm, go, nameOf, people, place, showPane, user } from "../place.js";
import { focusCard, reveal } from "../reveal.js";
import { changed, state } from "../server.js";
import { linesOf, waitsFor } from "./lines.js";

const EXAMPLE = "What is on my calendar tomorrow?";
const FIRST = "countersign-first-line";
const NEAR_PX = 48;
const EXAMPLES = [
  { label: EXAMPLE, note: "Is answered at once." },
  { label: "email helen.marsh@marshgardens.example that Thursday works", note: "Waits for a click in Slack." },
  { label: "Look for orders in my mail, for ever", note: "Is paused at its limit, and can be continued." },
  { label: "Anything unread?", note: "Fails if Faults → “Gemini refuses the next request” is on, and can be tried again." },
];
const NEXT = {
  401: "Choose somebody else above, or send it again.",
  403: "Choose somebody else above.",
  404: "Send it again without going on in the thread.",
  429: "Wait for a moment, then send it again.",
  502: "",
};

/** One request of each person: what was asked, the lines that came, and what came of it. */
const asked = new Map();
const seen = { user: "", inThread: false };
const shownOf = new WeakMap();

const mine = () => asked.get(seen.user);

export function makeApi(box) {
  const form = formNode();
  const outcome = h("div", { class: "rows api-outcome", tabindex: "0", role: "log", "aria-label": "What came back" });
  fill(box, form.node, outcome);
  return () => {
    followActor();
    form.render();
    lookAgain();
    following(outcome, mine(), (request) =>
      keyed(outcome, parts(request), {
        key: (part) => part.key,
        deps: (part) => part.deps,
        render: (part) => part.node(),
      }),
    );
  };
}

/** Draws, and stays at the end of what comes if the reader was there. Of a result that is longer than the window the
    beginning is shown. */
function following(box, request, draw) {
  const wasAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
  const follows = wasAtEnd || shownOf.get(box) !== request;
  shownOf.set(box, request);
  draw(request);
  if (!follows) return;
  const result = box.querySelector(".api-answer");
  const end = box.scrollHeight - box.clientHeight;
  box.scrollTop = result ? Math.min(end, result.offsetTop - box.offsetTop) : end;
}

function followActor() {
  if (seen.actor === place.user) return;
  Object.assign(seen, { actor: place.user, user: place.user, inThread: false });
}

// Asking ----------------------------------------------------------------------------------------------------------

function formNode() {
  const who = h("select", { class: "field small", "aria-label": "Who is signed in", "data-focus": "api/who" });
  who.addEventListener("change", () => {
    Object.assign(seen, { user: who.value, inThread: false });
    changed();
  });
  const prompt = h("textarea", { class: "field", rows: "3", "aria-label": "Prompt", placeholder: EXAMPLE });
  const words = () => prompt.value.trim();
  const inThread = h("input", { type: "checkbox" });
  inThread.addEventListener("change", () => (seen.inThread = inThread.checked));
  const goesOn = h("label", { class: "choice api-thread" }, inThread, "Go on in the same thread");
  const button = (name, title, act, more = "") =>
    h("button", { type: "button", class: `button small ${more}`, title, onclick: (event) => act(event.target) }, name);
  let unwarned = () => {};
  const written = (act) => {
    unwarned();
    if (words()) return act(words());
    prompt.focus();
    unwarned = notice("Write a prompt first, or choose an example.");
  };
  const stream = button("Stream", "POST /api/agent/run/stream", () => written((said) => ask("stream", said)), "primary");
  const send = button("Send", "POST /api/agent/run", () => written((said) => ask("run", said)));
  const curl = button("Copy as curl", "A line for your terminal: the route that you asked last", (pressed) =>
    written((said) => whileBusy(pressed, () => copy(said))),
  );
  const signsIn = h("span");
  const signIn = h(
    "a",
    { class: "note", target: "_blank", title: "The agent's own sign-in, in a new tab: what a page of yours links to" },
    "Slack sign-in",
  );
  const where = h("p", { class: "note api-where", title: "As the documentation of the HTTP API calls them" });
  const take = (example) => {
    unwarned();
    prompt.value = example;
    prompt.focus();
  };
  const examples = menu({
    label: "Examples",
    face: "Examples",
    entries: EXAMPLES.map((one) => ({ ...one, act: () => take(one.label) })),
  });
  prompt.addEventListener("input", () => unwarned());
  prompt.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    written((said) => ask("stream", said));
  });
  const node = h(
    "div",
    { class: "bar api-form" },
    h("div", { class: "bar-row" }, h("span", { class: "note" }, "Signed in:"), who, examples),
    prompt,
    h("div", { class: "bar-row" }, h("span", { class: "note grow api-keys" }, "Enter streams · Shift+Enter new line"), signsIn),
    h("div", { class: "bar-row" }, stream, send, curl),
    goesOn,
    where,
  );
  const render = () => {
    const known = people().filter((one) => !one.deleted);
    keyed(who, known, {
      key: (one) => one.id,
      deps: (one) => [nameOf(one.id)],
      render: (one) => h("option", { value: one.id }, nameOf(one.id)),
    });
    if (who.value !== seen.user) who.value = seen.user;
    goesOn.hidden = !mine()?.threadId;
    const agent = state.supervisor.bot?.url;
    if (agent) signIn.href = `${agent}/auth/slack`;
    signsIn.replaceChildren(...(agent ? [signIn] : [])); // a link that leads nowhere is none
    where.hidden = !agent;
    where.textContent = `$AGENT ${agent} · $TEAM ${user(seen.user)?.team_id}`;
    inThread.checked = seen.inThread;
    for (const one of [stream, send]) one.setAttribute("aria-disabled", String(Boolean(mine()?.abort)));
  };
  return { node, render };
}

function bodyOf(words) {
  const threadId = seen.inThread && mine()?.threadId;
  return threadId ? { prompt: words, threadId } : { prompt: words };
}

async function ask(how, words) {
  if (mine()?.abort) return;
  const body = bodyOf(words);
  const request = { words, how, lines: [], first: 1, threadId: body.threadId ?? "", version: 0 };
  asked.set(seen.user, request);
  await follow(request, how === "stream" ? "agent/run/stream" : "agent/run", body);
}

/** What takes a request further, or tells of it again. */
const further = (request, path, body) => follow(request, `agent/run/${request.runId}${path}`, body);

const LEFT = "You left the stream, which does not stop the request. “Rejoin” shows the rest.";

async function follow(request, path, body) {
  const user = seen.user;
  request.entries = entriesOf(request); // before it is asked for: what comes later is looked at again
  Object.assign(request, { abort: new AbortController(), broken: "", error: null, over: false, user, path });
  touch(request);
  try {
    await read(request, path, await fetch(`/api/product/${user}/${path}`, given(body, request.abort.signal)));
  } catch (error) {
    request.broken = error.name === "AbortError" ? LEFT : "The connection broke off.";
  }
  request.abort = null;
  touch(request);
}

function given(body, signal) {
  if (!body) return { signal };
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal };
}

async function read(request, path, response) {
  if (!response.headers.get("content-type")?.includes("ndjson")) {
    const said = await response.json();
    if (said.error) request.error = { ...said.error, status: response.status };
    else {
      take(request, said);
      request.later = request.lines.length ? path : "";
    }
    if (said.error?.runId) request.runId = said.error.runId;
    return;
  }
  const first = Number(response.headers.get(FIRST));
  request.later = "";
  if (first !== request.first + request.lines.length) Object.assign(request, { first, lines: [] });
  let rest = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let got = await reader.read(); !got.done; got = await reader.read()) {
    const whole = (rest + got.value).split("\n");
    rest = whole.pop();
    for (const line of whole) if (line) hear(request, JSON.parse(line));
    touch(request);
  }
  if (!request.over) request.broken = "The stream broke off before its last line.";
}

/** A line of a stream. An empty one only says that the stream lives. */
function hear(request, line) {
  request.lines.push(line);
  request.over = line.type === "result" || line.type === "error";
  if (line.type === "status") Object.assign(request, { runId: line.runId, threadId: line.threadId });
  if (line.type === "result") take(request, line.result);
  if (line.type === "error") request.error = { code: line.code, message: line.error, runId: line.runId };
}

function take(request, answer) {
  Object.assign(request, { answer, runId: answer.runId, threadId: answer.threadId });
}

function touch(request) {
  request.version += 1;
  changed();
}

/** A prompt of “stop” ends the newest run of its thread; what waits for that run gets its result. */
const stop = (request) =>
  fetch(`/api/product/${request.user}/agent/run`, given({ prompt: "stop", threadId: request.threadId })).catch(() => {});

/** How much the log has about a request. */
const entriesOf = (request) =>
  Object.values(state.supervisor.audit?.entries ?? {}).filter((entry) => entry.run_id === request.runId).length;

/** After a click in Slack the page asks for the request again. */
function lookAgain() {
  const request = mine();
  const waits = request?.answer && (request.answer.status ?? "awaiting_confirmation") === "awaiting_confirmation";
  if (!waits || request.abort || request.broken || entriesOf(request) === request.entries) return;
  further(request, "");
}

async function copy(words) {
  const response = await fetch(`/api/product/${seen.user}`).catch(() => null);
  const said = response && (await response.json().catch(() => null));
  if (!said?.agent) return notice(said?.error?.message ?? "The playground does not answer.");
  const json = JSON.stringify(bodyOf(words)).replaceAll("'", String.raw`'\''`);
  const route = mine()?.how === "run" ? `curl '${said.agent}/api/agent/run'` : `curl -N '${said.agent}/api/agent/run/stream'`;
  const head = `-b '${said.cookie}' -H 'Origin: ${said.agent}' -H 'Content-Type: application/json'`;
  await navigator.clipboard.writeText(`${route} ${head} -d '${json}'`).then(
    () => notice("Copied. It works until the playground is started again."),
    () => notice("The browser does not let this page copy."),
  );
}

// What came back --------------------------------------------------------------------------------------------------

function parts(request) {
  if (!request) return [{ key: "empty", deps: [], node: emptyNode }];
  return [
    { key: "asked", deps: [request], node: () => askedNode(request) },
    ...linesOf(request),
    { key: "end", deps: [request, request.version], node: () => endNode(request) },
  ];
}

function emptyNode() {
  const words =
    "A page or a script asks the agent here, over HTTP. Choose who is signed in, write a prompt, and press Stream: the " +
    "lines appear as they come. What needs approval waits in Slack.";
  return h("p", { class: "empty" }, words);
}

const askedNode = (request) =>
  h(
    "div",
    { class: "api-asked" },
    h("code", { class: "note" }, request.how === "stream" ? "POST /api/agent/run/stream" : "POST /api/agent/run"),
    folded(h("p", {}, request.words), `api/${request.words}`),
  );

function endNode(request) {
  return h(
    "div",
    { class: "api-end" },
    request.abort && waitingNode(request),
    !request.abort && request.broken && trouble(request, request.broken, request.runId ? "" : "Send it again."),
    request.error && errorNode(request),
    request.answer && !request.abort && answerNode(request, request.answer),
  );
}

const waitingNode = (request) =>
  h(
    "div",
    { class: "bar-row" },
    h("span", { class: "pulse" }),
    h("span", { class: "note grow" }, waitsFor(request)),
    request.threadId && act("Stop", () => stop(request)),
    act("Leave", () => request.abort?.abort()),
  );

const act = (name, does, more = "") =>
  h("button", { type: "button", class: `button small ${more}`, "data-focus": `api/${name}`, onclick: does }, name);

function trouble(request, words, next) {
  return h(
    "div",
    { class: "b-alert api-trouble" },
    h("p", {}, words, " ", next),
    h("div", { class: "bar-row" }, request.runId && goOns(request)),
  );
}

function errorNode(request) {
  const { error } = request;
  const head = h("p", {}, h("strong", {}, [error.status, error.code].filter(Boolean).join(" ")), ` ${error.message} `);
  const next = request.runId ? "" : (NEXT[error.status] ?? "Send it again.");
  const more = request.runId && h("div", { class: "bar-row" }, goOns(request));
  return h("div", { class: "b-alert api-trouble" }, head, next && h("p", {}, next), more);
}

/** A run that goes on without this page can be rejoined, behind the lines that are here, and looked at. */
const goOns = (request) => [
  act("Rejoin", () => {
    const after = request.first + request.lines.length - 1;
    further(request, request.lines.length ? `/stream?after=${after}` : "/stream");
  }),
  !request.answer && act("Look again", () => further(request, "")),
];

function answerNode(request, answer) {
  const { output } = answer;
  const pair = (name, value) => value && h("div", { class: "pair" }, h("dt", {}, name), h("dd", {}, value));
  const waits = answer.status === "awaiting_confirmation";
  return h(
    "section",
    { class: "api-answer", "aria-label": "Result" },
    h(
      "div",
      { class: "bar-row" },
      h("strong", { class: answer.ok ? "api-status" : "api-status bad" }, answer.status ?? "still works"),
      output.runStatus !== answer.status && h("span", { class: "note" }, output.runStatus),
    ),
    folded(h("div", { class: "api-summary" }, markdown(answer.summary)), `api/${answer.runId}/${answer.status}`),
    h("dl", {}, pair("mode", answer.mode), pair("tool", answer.tool), pair("runId", h("code", {}, answer.runId))),
    h(
      "div",
      { class: "bar-row" },
      waits && act("Show the card in Slack", () => showCard(request), "primary"),
      output.next === "continue" && act("Continue", () => further(request, "/continue", {}), "primary"),
      output.next === "retry" && act("Try again", () => further(request, "/retry", {}), "primary"),
      act("Look again", () => further(request, "")),
    ),
    h("details", {}, h("summary", { class: "note" }, "The answer as JSON"), h("pre", {}, JSON.stringify(answer, null, 2))),
  );
}

/** Shows the card that waits, with the focus on its first button; the conversation, if the card is not there yet. */
function showCard(request) {
  const id = request.answer.approval?.id;
  const [key] = Object.entries(state.cards ?? {}).findLast(([, ids]) => ids.includes(id)) ?? [];
  const [channel, ts] = key?.split(":") ?? [appDm(request.user)?.id ?? ""];
  const message = state.slack.messages?.[channel]?.[ts];
  if (message) {
    reveal({ channel, message });
    return focusCard(ts);
  }
  go({ user: request.user, channel, thread: "", home: "" });
  showPane("talk");
}
