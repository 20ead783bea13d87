/* The lines of a stream as rows, and what is to be known about them: why some are struck out, and that the result below
   is newer than they are. */

import { h } from "../dom.js";

const SHOWN = 200;
const STRUCK =
  "Lines that are struck out do not count: they were said before the newest “status” line, with which another step began.";
const LATER = {
  continue: "These lines end where it was paused. “continue” answers without lines: the result below is newer.",
  retry: "These lines are of the request that failed. “retry” answers without lines: the result below is of the new one.",
};
const LOOKED = "These lines end where the stream ended. The result below was asked for afterwards.";

const WAITS = {
  stream: "Waiting for the next line",
  continue: "It goes on where it was paused. The answer comes at the end.",
  retry: "It is tried again. The answer comes at the end.",
};

/** What a request that is under way waits for. */
export const waitsFor = ({ path }) => WAITS[path.split("?")[0].split("/").at(-1)] ?? "Waiting for the answer";

/** One row for each of the newest lines, and notes around them. */
export function linesOf(request) {
  const hidden = Math.max(0, request.lines.length - SHOWN);
  const current = stepOf(request);
  const rows = request.lines.slice(hidden).map((line, at) => {
    const isVoid = isStruck(line, hidden + at, current);
    const n = request.first + hidden + at;
    return { key: `${request.first}/${n}`, deps: [line, isVoid], node: () => lineNode(line, n, isVoid) };
  });
  const before = hidden ? [noteRow("hidden", `${hidden} lines before these.`)] : [];
  return [...before, ...rows, ...notesOf(request).map((words) => noteRow(words, words))];
}

/** What stands below the lines. */
export function notesOf(request) {
  const current = stepOf(request);
  const struck = request.lines.some((line, at) => isStruck(line, at, current));
  const later = request.later && (LATER[request.later.split("/").at(-1)] ?? LOOKED);
  return [struck && STRUCK, later].filter(Boolean);
}

const noteRow = (key, words) => ({ key, deps: [words], node: () => h("p", { class: "note pad" }, words) });

/** Where the newest step begins. */
const stepOf = (request) => request.lines.findLastIndex((line) => line.type === "status");

/** Whether a line is discarded: text and thoughts of a step after which another one began. */
const isStruck = (line, at, current) => at < current && /delta$/.test(line.type);

/** What a line says. */
export function wordsOf(line) {
  const words = {
    status: () => "a step begins",
    delta: () => withoutMarks(line.delta),
    thought_delta: () => withoutMarks(line.delta),
    tool_call: () => `${line.toolName} – ${line.preview}`,
    result: () => (line.result.ok ? "the answer" : "how it ended"),
    error: () => line.error,
  }[line.type];
  return words ? words() : JSON.stringify(line);
}

function lineNode(line, n, isVoid) {
  return h(
    "div",
    { class: isVoid ? "api-line void" : "api-line", title: isVoid ? "Discarded: another step began" : null },
    h("span", { class: "note api-number" }, n),
    h("span", { class: "chip" }, line.type),
    h("span", { class: "api-words" }, breakable(wordsOf(line))),
  );
}

/** A piece of Markdown without its marks for bold: the two halves of a pair may stand in two lines. */
const withoutMarks = (delta) => delta.trimEnd().replaceAll("**", "");

/** A text that breaks before an @, so that an address does not break within a word. */
const breakable = (text) => text.split(/(?=@)/).flatMap((part, at) => (at ? [h("wbr"), part] : [part]));
