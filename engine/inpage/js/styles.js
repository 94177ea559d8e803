// What style sheets can do to text: put some before and after elements, and change its case. To ask each element for its pseudo-elements
// costs more than all the rest of a walk, so that the rules are read instead; they say which elements need to be asked.

/**
 * @typedef {Object} SheetFacts
 * @property {number} count         of rules, to notice a change
 * @property {CSSRule|undefined} last
 * @property {string[]} generating  selectors of elements with ::before or ::after, the pseudo-element taken off
 * @property {boolean} casing       whether a rule sets text-transform
 * @property {boolean} closed       the rules cannot be read: a sheet of another origin
 */

/** @type {WeakMap<CSSStyleSheet, SheetFacts>} */
const knownSheets = new WeakMap();

const cssRulesGet = getterOf(CSSStyleSheet.prototype, 'cssRules');
const documentSheetsGet = getterOf(Document.prototype, 'styleSheets');
const documentAdoptedGet = getterOf(Document.prototype, 'adoptedStyleSheets');
const shadowSheetsGet = getterOf(ShadowRoot.prototype, 'styleSheets');
const shadowAdoptedGet = getterOf(ShadowRoot.prototype, 'adoptedStyleSheets');

/** What the sheets of the element's tree can do; generating === null: to any element. */
function stylesAround(el) {
  const root = getRootNodeOf.call(el);
  if (rootStyles === null) return readStyles(root);
  let styles = rootStyles.get(root);
  if (styles === undefined) rootStyles.set(root, (styles = readStyles(root)));
  return styles;
}

function readStyles(root) {
  const sheets = sheetsOf(root);
  const selectors = [];
  let closed = false;
  let casing = false;
  for (const sheet of sheets) {
    const facts = sheetFacts(sheet);
    closed ||= facts.closed;
    casing ||= facts.casing || facts.closed;
    for (const selector of facts.generating) selectors.push(selector);
  }
  casing ||= sheets.length > 0 && queryAll(root, '[style*="text-transform" i]').length > 0;
  return { generating: closed ? null : matchingAny(root, selectors), casing };
}

function sheetsOf(root) {
  const type = nodeTypeGet.call(root);
  if (type === DOCUMENT) return [...documentSheetsGet.call(root), ...documentAdoptedGet.call(root)];
  if (type === FRAGMENT && root instanceof ShadowRoot) return [...shadowSheetsGet.call(root), ...shadowAdoptedGet.call(root)];
  return [];
}

/** The elements that match one of the selectors, with the host of a shadow tree and what is slotted; null when that cannot be told. */
function matchingAny(root, selectors) {
  const found = new Set();
  if (selectors.length === 0) return found;
  for (const selector of selectors) if (/:host|::slotted|::part|:scope/.test(selector)) return null;
  try {
    for (const el of queryAll(root, selectors.join(','))) found.add(el);
  } catch {
    return null;
  }
  return found;
}

function sheetFacts(sheet) {
  let rules;
  try {
    rules = cssRulesGet.call(sheet);
  } catch {
    return { count: 0, last: undefined, generating: [], casing: false, closed: true };
  }
  const known = knownSheets.get(sheet);
  if (known && known.count === rules.length && known.last === rules[rules.length - 1]) return known;
  const facts = { count: rules.length, last: rules[rules.length - 1], generating: [], casing: false, closed: false };
  readRules(rules, '', facts);
  knownSheets.set(sheet, facts);
  return facts;
}

/** @param {Iterable<any>} rules @param {string} parent the selector of the rule around nested rules */
function readRules(rules, parent, facts) {
  for (const rule of rules) {
    let selector = parent;
    if (rule instanceof CSSStyleRule) {
      selector = nested(rule.selectorText, parent);
      readRule(rule.style, selector, facts);
    } else if (rule instanceof CSSImportRule) {
      const sheet = rule.styleSheet;
      if (sheet) {
        const inner = sheetFacts(sheet);
        facts.generating.push(...inner.generating);
        facts.casing ||= inner.casing;
        facts.closed ||= inner.closed;
      }
    } else if (rule.constructor.name === 'CSSNestedDeclarations') {
      readRule(rule.style, selector, facts);
    }
    if (rule.cssRules && rule.cssRules.length > 0) readRules(rule.cssRules, selector, facts);
  }
}

function readRule(style, selector, facts) {
  if (style.textTransform !== '') facts.casing = true;
  const content = style.content;
  if (content === '' || content === 'none' || content === 'normal' || content === '""') return;
  if (!/:(before|after)\b/i.test(selector)) return;
  facts.generating.push(selector.replace(/::?(before|after)\b/gi, ''));
}

/** A nested selector with the one around it put in. */
function nested(selector, parent) {
  return parent === '' ? selector : selector.replaceAll('&', `:is(${parent})`);
}

const PSEUDO_TEXT = /"((?:[^"\\]|\\.)*)"|(open-quote)|(close-quote)|(\/)|[^\s"]+/g;

/**
 * The text that CSS puts before or after an element's contents, or null. It stands apart from what it is next to if it is a block or the
 * text alternative of the content.
 * @returns {{text: string, apart: boolean}|null}
 */
function generatedText(facts, pseudo) {
  if (!mayGenerate(facts)) return null;
  const style = styleOf(facts.el, pseudo);
  const { content, display } = style;
  if (content === 'none' || content === 'normal' || content === '' || display === 'none' || style.visibility !== 'visible') return null;
  const text = contentText(content);
  return text === '' ? null : { text, apart: display !== 'inline' || /"\s*\/|\)\s*\//.test(content) };
}

function mayGenerate(facts) {
  if (facts.html && facts.tag === 'q') return true;
  const { generating } = stylesAround(facts.el);
  if (generating === null || generating.has(facts.el)) return true;
  // A shadow tree's own sheets style its host, and what is slotted into it.
  const shadow = shadowOf(facts.el);
  if (shadow && stylesAround(firstElementOf(shadow) ?? facts.el).generating === null) return true;
  const slot = assignedSlotGet.call(facts.el);
  return slot !== null && stylesAround(slot).generating === null;
}

function firstElementOf(shadow) {
  return shadow.firstElementChild;
}

/** The text in a computed value of `content`. What follows a slash is the text alternative of all of it (css-content-3, section 1.2). */
function contentText(content) {
  let text = '';
  for (const [token, string, open, close, slash] of content.matchAll(PSEUDO_TEXT)) {
    if (slash) text = '';
    else if (open) text += '“';
    else if (close) text += '”';
    else if (token.startsWith('"')) text += string.replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_, hex, char) => (hex ? String.fromCodePoint(parseInt(hex, 16)) : char));
  }
  return text;
}

/** Text in the case in which it is shown. */
function cased(text, facts) {
  if (!stylesAround(facts.el).casing) return text;
  switch (computedOf(facts).textTransform) {
    case 'uppercase': return text.toUpperCase();
    case 'lowercase': return text.toLowerCase();
    case 'capitalize': return text.replace(/(^|[^\p{L}\p{N}'’])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
    default: return text;
  }
}
