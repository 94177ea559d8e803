// Whether an element is rendered, and whether it is left out of the accessibility tree.

const checkVisibilityOf = Element.prototype.checkVisibility;
const WITH_VISIBILITY = Object.freeze({ visibilityProperty: true });

/**
 * Whether the element has a box (or, with display: contents, could have boxes inside) and neither it nor what it is in is hidden by
 * style. Opacity, size and position do not matter.
 */
function isRendered(el) {
  if (checkVisibilityOf.call(el, WITH_VISIBILITY)) return true;
  const style = styleOf(el);
  if (style.display !== 'contents' || style.visibility !== 'visible') return false;
  const parent = composedParent(el);
  return parent === null || isShown(parent);
}

/** Whether an element's boxes are laid out: no display: none and no skipped contents around it. */
function isShown(el) {
  for (let node = el; node; node = composedParent(node)) {
    if (checkVisibilityOf.call(node)) return true;
    if (styleOf(node).display !== 'contents') return false;
  }
  return true;
}

/** Whether the element is left out of the accessibility tree: not rendered, aria-hidden, inert, or outside of a modal dialog. */
function isHiddenForAX(el) {
  if (!isRendered(el)) return true;
  for (let node = el; node; node = composedParent(node)) {
    if (attr(node, 'aria-hidden') === 'true' || attr(node, 'inert') !== null) return true;
  }
  return false;
}
