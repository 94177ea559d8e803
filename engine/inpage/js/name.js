// Accessible names.

/** The accessible name, whitespace collapsed. */
function nameOf(el) {
  const label = attr(el, 'aria-label');
  if (label) return tidy(label);
  const labels = el.labels;
  if (labels && labels.length > 0) return tidy([...labels].map((l) => textContentGet.call(l)).join(' '));
  return tidy(textContentGet.call(el) || attr(el, 'alt') || attr(el, 'title') || attr(el, 'placeholder') || '');
}

function tidy(text) {
  return text.replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '').replace(/[\s\u00a0]+/g, ' ').trim();
}
