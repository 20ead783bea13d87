/* Highlights what appeared or changed since the page was opened, for a while and on every tab. */

import { changed, stream } from "../server.js";

const STAY_MS = 25_000;

/** Follows one collection; `update(rows)` returns the keys that are new or different since the last call.
    The first rows, and those of a new snapshot, are not new. */
export class Fresh {
  constructor({ whenDifferent = false } = {}) {
    this.whenDifferent = whenDifferent;
    this.known = null;
    this.until = new Map();
  }

  update(rows) {
    if (!rows) return [];
    const first = this.known === null || this.snapshots !== stream.snapshots;
    this.snapshots = stream.snapshots;
    const came = [];
    for (const [key, row] of Object.entries(rows)) {
      const isNew = !first && !this.known.has(key);
      const isDifferent = !first && this.whenDifferent && this.known.has(key) && this.known.get(key) !== row;
      if (isNew || isDifferent) came.push(key);
    }
    this.known = new Map(Object.entries(rows));
    for (const key of came) this.until.set(key, Date.now() + STAY_MS);
    if (came.length) setTimeout(changed, STAY_MS + 50);
    return came;
  }

  has(key) {
    return (this.until.get(key) ?? 0) > Date.now();
  }
}
