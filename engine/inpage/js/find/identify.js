// Elements that the browser names: what Go needs to know of nodes of Chrome's accessibility tree beyond what that tree tells, and the token
// of the part of a page to which a snapshot of it is limited.

import { getRootNodeOf } from '../dom/builtins.js';
import { isElement, isShadowRoot } from '../dom/dom.js';
import { factsOf, remembering } from '../dom/facts.js';
import { locate } from './locate.js';
import { ops } from '../dom/ops.js';
import { registerRoot } from '../ax/pierce.js';
import { isFrame, objectRole } from '../ax/role.js';
import { isSecret } from '../ax/states.js';
import { tokenOf } from '../dom/tokens.js';

/** @import { Target } from './locate.js' */

/**
 * Called with element handles (Runtime.callFunctionOn).
 * @param {Node[]} nodes
 * @returns {{tokens: number[], fields: number[], secret: number[], frames: number[]}} the token of each, 0 for anything but an element; and the
 *   indexes of fields, in which the tree has the browser's own parts, of password fields, whose value it has as so many dots, and of those
 *   that hold a document, which it may call plugins
 */
export function identify(nodes) {
  /** @type {number[]} */
  const tokens = [];
  /** @type {number[]} */
  const fields = [];
  /** @type {number[]} */
  const secret = [];
  /** @type {number[]} */
  const frames = [];
  remembering(() =>
    nodes.forEach((node, i) => {
      if (!isElement(node)) {
        tokens.push(0);
        return;
      }
      const el = /** @type {Element} */ (node);
      tokens.push(tokenOf(el));
      for (let root = getRootNodeOf.call(el); isShadowRoot(root); root = getRootNodeOf.call(root.host)) registerRoot(root);
      const facts = factsOf(el);
      if (facts.html && (facts.tag === 'input' || facts.tag === 'textarea')) fields.push(i);
      if (isSecret(facts)) secret.push(i);
      if (isFrame(facts) || (facts.html && facts.tag === 'object' && objectRole(facts) === 'Iframe')) frames.push(i);
    }),
  );
  return { tokens, fields, secret, frames };
}

/** @param {{scope: Target}} arg */
ops.scope = ({ scope }) => {
  const found = locate(scope);
  return found.error ? { error: found.error } : tokenOf(found.el);
};
