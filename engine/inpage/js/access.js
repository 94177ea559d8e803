// What acting reads and calls beyond dom.js, through the prototypes for the same reason as there.

const scrollingElementGet = getterOf(Document.prototype, 'scrollingElement');
const titleGet = getterOf(Document.prototype, 'title');
const readyStateGet = getterOf(Document.prototype, 'readyState');
const innerTextGet = getterOf(HTMLElement.prototype, 'innerText');
const innerHTMLGet = getterOf(Element.prototype, 'innerHTML');
const labelControlGet = getterOf(HTMLLabelElement.prototype, 'control');
const scrollIntoViewOf = Element.prototype.scrollIntoView;
const dispatchEventOf = EventTarget.prototype.dispatchEvent;
const labelsGet = new Map(Object.entries({
  button: HTMLButtonElement, input: HTMLInputElement, meter: HTMLMeterElement, output: HTMLOutputElement, progress: HTMLProgressElement,
  select: HTMLSelectElement, textarea: HTMLTextAreaElement,
}).map(([tag, type]) => [tag, getterOf(type.prototype, 'labels')]));

/** What scrolls with the page; the root where quirks give none. */
function scrollingElement() {
  return scrollingElementGet.call(document) ?? elementRoot();
}

function isConnected(node) {
  return isConnectedGet.call(node);
}

function matches(el, css) {
  return matchesOfElement.call(el, css);
}

/** The control of a label element, or null. */
function controlOf(el) {
  return isHTMLElement(el, 'label') ? labelControlGet.call(el) : null;
}

/** The label elements of a control; none for what cannot be labelled. */
function labelsOf(el) {
  const get = isHTMLElement(el) ? labelsGet.get(localName(el)) : undefined;
  return get ? [...(get.call(el) ?? [])] : [];
}
