// What waits for a person: what an agent asks for, and commands that must be confirmed.
/** @import { Handoff as Asked, Session } from '../types' */
import { post, sessionPath, wordsOf } from './api.js';
import { timeLeft } from './time.js';
import { html, useEffect, useState } from './vendor/preact.js';

/** @param {{ session: Session }} props */
export function Waiting({ session }) {
  const [problem, setProblem] = useState('');
  /** @type {Say} */
  const say = async (...request) => {
    try {
      await post(...request);
      setProblem('');
    } catch (e) {
      setProblem(wordsOf(e));
    }
  };
  if (!session.held.length && !session.handoff) return null;
  return html`<section id="waiting" aria-labelledby="waits">
		<h3 id="waits">Waits for you</h3>
		${session.handoff && html`<${Handoff} key=${session.handoff.id} session=${session} handoff=${session.handoff} say=${say} />`}
		<ul id="held">${session.held.map(
      (h) => html`<li key=${h.id}><code>${h.line}</code>
			${[
        ['Confirm', 'confirm'],
        ['Deny', 'deny'],
      ].map(
        ([word, does]) => html` <button type="button" class=${does === 'deny' ? 'secondary' : ''} aria-label=${`${word} ${h.line}`}
				onClick=${() => say(sessionPath(session.name, `${does}/${encodeURIComponent(h.id)}`))}>${word}</button>`,
      )}</li>`,
    )}</ul>
		${problem && html`<p class="bad" role="alert">${problem}</p>`}
	</section>`;
}

/** @typedef {(...request: Parameters<typeof post>) => Promise<void>} Say */

/** @param {{ session: Session, handoff: Asked, say: Say }} props */
function Handoff({ session, handoff, say }) {
  const [reason, setReason] = useState('');
  const [left, setLeft] = useState('');
  useEffect(() => {
    const tick = () => setLeft(timeLeft(handoff.until));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [handoff.until]);
  /** @type {(how: 'done' | 'cannot', body?: string) => Promise<void>} */
  const end = (how, body) => say(sessionPath(session.name, `handoff/${encodeURIComponent(handoff.id)}/${how}`), body);
  return html`<form id="handoff" onSubmit=${(/** @type {Event} */ e) => {
    e.preventDefault();
    end('cannot', reason);
  }}>
		<p>${handoff.mark ? `${handoff.text} (${handoff.mark})` : handoff.text} <small>${left}</small></p>
		<button type="button" onClick=${() => end('done')}>Done</button>
		<label>Reason <input maxlength="1000" autocomplete="off" value=${reason} onInput=${(/** @type {Event & { target: HTMLInputElement }} */ e) => setReason(e.target.value)} /></label>
		<button type="submit" class="secondary">Cannot</button>
	</form>`;
}
