// How many elements of a kind the browser was asked about without a result. What is made by the same class mostly does the same: so many are asked
// about before the others of the kind are taken to be like them. Once one of a kind gave a result, all of them are asked about.

const ENOUGH = 3;

export class Misses {
  /** @type {Map<string, number>} -Infinity: some had a result */
  #counts = new Map();

  /** @param {string} kind @param {number} [by] */
  add(kind, by = 1) {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + by);
  }

  /** @param {string} kind */
  end(kind) {
    this.#counts.set(kind, -Infinity);
  }

  /** @param {string} kind */
  ended(kind) {
    return this.#counts.get(kind) === -Infinity;
  }

  /**
   * Whether no more of a kind need to be asked about.
   * @param {string} kind
   * @param {number} [asking] of how many the answer has not come
   */
  enough(kind, asking = 0) {
    return (this.#counts.get(kind) ?? 0) + asking >= ENOUGH;
  }
}
