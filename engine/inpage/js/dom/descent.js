// Going through a tree without recursion: a document may be deeper than the stack of a script.

/**
 * What a descent is in, which takes a step further and returns false where there is none; or what is left to do once it has left what was entered after.
 * @typedef {{step(): boolean} | (() => void)} Frame
 */

/** Where one is in a tree, on a stack of its own. */
export class Descent {
  constructor() {
    /** @type {Frame[]} */
    this.frames = [];
  }

  /**
   * Has a function called when all that is entered from here on has been left.
   * @param {() => void} leave
   */
  onLeave(leave) {
    this.frames.push(leave);
  }

  /**
   * Enters nodes, which are visited one after the other, each with what it enters before the next.
   * @template T
   * @param {T[]} nodes
   * @param {(node: T) => void} visit
   */
  enter(nodes, visit) {
    this.frames.push(new Each(nodes, visit));
  }

  /** Goes through all that was entered. */
  run() {
    const { frames } = this;
    while (frames.length > 0) {
      const frame = frames[frames.length - 1];
      if (typeof frame === 'function') {
        frames.pop();
        frame();
      } else if (!frame.step()) frames.pop();
    }
  }
}

/** @template T */
class Each {
  /** @param {T[]} nodes @param {(node: T) => void} visit */
  constructor(nodes, visit) {
    this.nodes = nodes;
    this.visit = visit;
    this.at = 0;
  }

  step() {
    if (this.at === this.nodes.length) return false;
    this.visit(this.nodes[this.at++]);
    return true;
  }
}
