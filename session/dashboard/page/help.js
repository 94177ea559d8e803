// The keyboard shortcuts, and the dialog that lists them.
import { html, useEffect, useRef } from './vendor/preact.js';

export const shortcuts = [
  ['?', 'Show or hide this list'],
  ['/', 'Search the timeline'],
  ['j', 'Next session'],
  ['k', 'Previous session'],
  ['l', 'Go to the live view'],
  ['t', 'Take the session over, or hand it back'],
  ['a', 'Annotate the page'],
  ['d', 'Dark or light'],
  ['Ctrl Enter', 'Send the annotations'],
  ['Ctrl Tab', 'Leave the live view of a session that you have taken over'],
  ['Esc', 'Stop annotating, empty the search, close this list'],
];

/** @param {{ open: boolean, close: () => void }} props */
export function Help({ open, close }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const { current } = dialog;
    if (open && !current?.open) current?.showModal();
    if (!open && current?.open) current.close();
  }, [open]);
  return html`<dialog id="help" ref=${dialog} aria-labelledby="help-title" onClose=${close} onClick=${(/** @type {Event} */ e) => {
    if (e.target === dialog.current) close();
  }}>
		<article>
			<header><button type="button" rel="prev" aria-label="Close" onClick=${close}></button><h2 id="help-title">Keyboard</h2></header>
			<dl>${shortcuts.map(([key, does]) => html`<div><dt>${key.split(' ').map((k) => html`<kbd>${k}</kbd> `)}</dt><dd>${does}</dd></div>`)}</dl>
			<p><small>While you work in a session that you have taken over, keys go to its page.</small></p>
		</article>
	</dialog>`;
}

/**
 * typesText reports whether a key that is pressed there is meant as text, or for the page of the session.
 * @param {EventTarget | null} target
 */
export function typesText(target) {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && target.type !== 'radio') ||
    target.matches('#live.taken')
  );
}
