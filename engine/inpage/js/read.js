// Ops that look and change nothing: read, count, state, info.

ops.read = (arg) => withTarget(arg, (found) => ({ ...located(found), value: readers[arg.what](found.el, arg.name) }));

const isChecked = (el) => checkedOf(el) === 'true';

/** What `read` can tell of an element; upstream's meaning of each word. */
const readers = {
  text: (el) => (isHTMLElement(el) ? innerTextGet.call(el) : '') || textContentGet.call(el),
  html: (el) => innerHTMLGet.call(el),
  value: (el) => textValue(el),
  attr: (el, name) => attr(el, name),
  box: (el) => boxToTell(el),
  styles: (el) => stylesOf(el),
  visible: (el) => isVisible(el) && opacityOf(el) > 0,
  enabled: (el) => !isNativeDisabled(el),
  checked: isChecked,
  checkedState: checkedOf,
  href: (el) => hrefOf(el),
};

/** The value of what has one, and the text of editable content, which is its value to a person; null: it has none. */
function textValue(el) {
  const editor = localName(el) === 'label' ? controlOf(el) ?? el : el;
  return hasText(editor) ? textOf(editor) : null;
}

/** The element's own box, empty or not, else that of its contents; null: it is not rendered. */
function boxToTell(el) {
  const box = getRects.call(el).length > 0 ? rectOf(el) : boxOf(el);
  return box && plainBox(box);
}

ops.count = (target) => {
  const matched = matchesOf(target);
  return matched.error ? bare(matched) : { count: matched.els.length };
};

/** What an action on the element may change, so that before and after can be compared. */
ops.state = ({ token }) => {
  const el = elementOf(token);
  if (!el) return { connected: false, checked: null, value: '', selected: [], expanded: null, focused: false, disabled: false };
  const active = focusedElement();
  return {
    connected: isConnected(el),
    checked: checkedOf(el),
    value: isPasswordField(el) ? '' : textValue(el) ?? '',
    selected: localName(el) === 'select' ? chosenValues(el) : [],
    expanded: disclosureOf(el),
    focused: active !== null && isInside(active, el),
    disabled: isDisabled(el),
  };
};

/** What is known of the document itself. `status` is the HTTP status that it came with, 0 where there is none. */
ops.info = () => ({
  url: location.href,
  title: titleGet.call(document),
  readyState: readyStateGet.call(document),
  doc: docID,
  status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,
  scrollX,
  scrollY,
  width: innerWidth,
  height: innerHeight,
  ratio: devicePixelRatio,
});

/** Every computed property. */
function stylesOf(el) {
  const style = styleOf(el);
  const all = {};
  for (const name of style) all[name] = style.getPropertyValue(name);
  return all;
}

function opacityOf(el) {
  return Number(styleOf(el).opacity);
}

/** @returns {'true'|'false'|null} whether what the element opens is open; null: it opens nothing */
function disclosureOf(el) {
  const parent = localName(el) === 'summary' ? composedParent(el) : null;
  const details = parent && localName(parent) === 'details' ? parent : el;
  if (localName(details) === 'details') return isOpen(details) ? 'true' : 'false';
  const aria = attr(el, 'aria-expanded');
  return aria === 'true' || aria === 'false' ? aria : null;
}

/** What the page is told of the device, the place and the person. */
ops.surroundings = () => ({
  width: innerWidth,
  height: innerHeight,
  screenWidth: screen.width,
  screenHeight: screen.height,
  scale: devicePixelRatio,
  touch: navigator.maxTouchPoints,
  userAgent: navigator.userAgent,
  languages: navigator.languages,
  locale: Intl.DateTimeFormat().resolvedOptions().locale,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});
