/* The server's state as this window holds it, and the calls to the server. */

export const state = { up: {}, reads: {}, slack: {}, google: {}, supervisor: {}, wire: {} };

/** Counts the snapshots: after one, nothing that is there counts as new. */
export const stream = { snapshots: 0 };

/** Whether the playground can be reached. */
export const connection = { up: true };

const AGAIN_MS = 2000;

let listener = () => {};
let scheduled = false;

/** Calls `render` once per frame in which something changed. */
export function whenChanged(render) {
  listener = render;
}

export function changed() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    listener();
  });
}

/** Opens the live stream, and opens it again for as long as this page is there. */
export function follow() {
  const source = new EventSource("/api/events");
  const is = (up) => {
    connection.up = up;
    changed();
  };
  source.onopen = () => is(true);
  source.onerror = () => {
    is(false);
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN_MS);
  };
  source.onmessage = (event) => {
    take(JSON.parse(event.data));
    changed();
  };
}

function take(message) {
  if (message.snapshot) {
    Object.assign(state, message.snapshot);
    stream.snapshots += 1;
  }
  for (const [path, value] of message.set ?? []) put(path, value);
  for (const path of message.drop ?? []) drop(path);
}

/** Sets a value and renews every object on the way, so that identity says what changed. */
function put(path, value) {
  renewed(path).parent[path.at(-1)] = value;
}

function drop(path) {
  delete renewed(path).parent[path.at(-1)];
}

function renewed(path) {
  let parent = state;
  for (const key of path.slice(0, -1)) {
    parent[key] = { ...parent[key] };
    parent = parent[key];
  }
  return { parent };
}

export async function get(path) {
  return answer(await fetch(`/api/${path}`).catch(() => null));
}

export async function post(path, body = {}) {
  return send("POST", path, body);
}

export async function send(method, path, body = {}) {
  const headers = { "content-type": "application/json" };
  return answer(await fetch(`/api/${path}`, { method, headers, body: JSON.stringify(body) }).catch(() => null));
}

async function answer(response) {
  if (!response) return { ok: false, error: "the playground does not answer" };
  const said = await response.json().catch(() => ({}));
  return { ok: response.ok, ...said };
}
