// What is known of a page by now that no observer of it sees: who listens for clicks, what is in a closed tree. Whatever keeps an answer about the
// page follows this to know when it may have changed.

/** @typedef {{changed(): void, observe(root: Node): void}} Follower */

/** @type {Follower|null} there is one answer that is kept: that of op capabilities */
let follower = null;

/** @param {Follower} one */
export function follow(one) {
  follower = one;
}

/** Something is known that was not. */
export function tellNews() {
  follower?.changed();
}

/**
 * There is a shadow tree, in which changes are not seen from outside.
 * @param {ShadowRoot} root
 */
export function tellRoot(root) {
  follower?.observe(root);
}
