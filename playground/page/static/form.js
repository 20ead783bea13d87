/* The values of a modal's or a home's inputs, kept while the app changes the view around them. */

export class Form {
  constructor() {
    this.values = {};
    this.errors = {};
  }

  get(block, part) {
    return this.values[block.block_id]?.[part.action_id];
  }

  set(block, part, value) {
    this.values[block.block_id] = { ...this.values[block.block_id], [part.action_id]: value };
  }

  /** The values of the inputs that the view still has. */
  of(view) {
    const known = new Set((view.blocks ?? []).map((block) => block.block_id));
    return Object.fromEntries(Object.entries(this.values).filter(([id]) => known.has(id)));
  }
}
