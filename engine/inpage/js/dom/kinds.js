// What a walk does with elements, by their tag and role.

// Nothing of these is ever shown.
export const SKIPPED = new Set([
  'script',
  'style',
  'template',
  'head',
  'link',
  'meta',
  'base',
  'title',
  'noscript',
  'datalist',
  'param',
  'source',
  'track',
  'col',
  'colgroup',
  'rp',
  'map',
  'area',
]);

// Parts of drawings that are drawn elsewhere, if at all.
export const UNDRAWN = new Set([
  'symbol',
  'defs',
  'clipPath',
  'mask',
  'pattern',
  'marker',
  'linearGradient',
  'radialGradient',
  'filter',
  'metadata',
  'title',
  'desc',
  'style',
  'script',
]);

// What is in these is not shown, or is the text of their own value.
export const CHILDLESS = new Set(['input', 'textarea', 'iframe', 'frame', 'embed', 'meter', 'progress', 'hr', 'option', 'optgroup']);

// In the walk for what can be acted on: elements that may be that, or hold it together, by their tag, and elements in which nothing is. All
// others may be it only by an attribute.
export const CANDIDATE = 1;
export const IGNORED = 2;
/** @type {Object<string, number>} */
export const KINDS = Object.create(null);
for (const tag of [
  'a',
  'button',
  'input',
  'select',
  'option',
  'textarea',
  'summary',
  'label',
  'iframe',
  'frame',
  'object',
  'embed',
  'td',
  'th',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'canvas',
  'video',
  'audio',
  'main',
  'nav',
  'header',
  'footer',
  'aside',
  'form',
  'search',
  'dialog',
  'table',
  'tr',
  'ul',
  'ol',
  'menu',
  'li',
  'article',
  'meter',
  'progress',
])
  KINDS[tag] = CANDIDATE;
for (const tag of [...SKIPPED, 'rt', 'br', 'wbr', 'defs', 'symbol']) KINDS[tag] = IGNORED;

// What the walk for what can be acted on shows besides: where things are, and which of them belong together.
export const PLACES = new Set([
  'main',
  'navigation',
  'banner',
  'contentinfo',
  'complementary',
  'region',
  'form',
  'search',
  'dialog',
  'alertdialog',
  'alert',
  'table',
  'grid',
  'treegrid',
  'list',
  'tree',
  'feed',
  'menu',
  'tablist',
  'radiogroup',
]);
export const ITEMS = new Set(['row', 'listitem', 'article']);

// What is shown besides where texts are: what announces something.
export const ANNOUNCING = new Set(['status', 'log', 'timer', 'tabpanel', 'tooltip']);

// What says how much of something there is, or is done. Nothing can be done with it.
export const GAUGES = new Set(['meter', 'progressbar']);

// The name of these is their whole text, which what is in them tells in parts, or is not shown.
export const UNTOLD = new Set(['cell', 'gridcell', 'rowheader', 'columnheader', ...ITEMS, ...PLACES, ...ANNOUNCING]);

// The text in these is for browsers that do not know them.
export const FALLBACKS = new Set(['object', 'video', 'audio']);
