// `tr:has-text("Order 7") button`, as Playwright writes it: CSS in which a compound also has to hold a text.

import { textContentGet } from '../dom/builtins.js';
import { queryAll } from '../dom/dom.js';
import { queryEverywhere } from '../dom/shadow.js';
import { lower, plain } from '../dom/text.js';

const HAS_TEXT = /:has-text\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*\)/g;

/**
 * What such CSS matches; null for other CSS. Thrown is what the browser says of the rest.
 * @param {string} css
 * @returns {Element[] | null}
 */
export function matchHasText(css) {
  const tests = [...css.matchAll(HAS_TEXT)];
  if (tests.length === 0) return null;
  let els = queryEverywhere(bare(css));
  for (const test of tests) {
    const end = test.index + test[0].length;
    const text = lower(plain((test[1] ?? test[2]).replace(/\\(.)/g, '$1')));
    const compound = /^[^\s>+~,]*/.exec(css.slice(end))?.[0] ?? '';
    const rest = css.slice(end + compound.length);
    const holders = queryEverywhere(bare(css.slice(0, end) + compound)).filter((el) =>
      lower(plain(textContentGet.call(el) ?? '')).includes(text),
    );
    const meant = new Set(rest.trim() === '' ? holders : holders.flatMap((holder) => [...queryAll(holder, `:scope${bare(rest)}`)]));
    els = els.filter((el) => meant.has(el));
  }
  return els;
}

/**
 * The CSS without the tests; a compound that was nothing else is any element.
 * @param {string} css
 */
function bare(css) {
  return css.replace(HAS_TEXT, (_, __, ___, at) => (at === 0 || /[\s>+~,]/.test(css[at - 1]) ? '*' : ''));
}
