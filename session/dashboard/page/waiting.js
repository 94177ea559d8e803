// What waits for a person: what an agent asks for, and commands that must be confirmed.
import { post, sessionPath } from './api.js';
import { html, useEffect, useState } from './vendor/preact.js';

export function Waiting({ session }) {
	const [problem, setProblem] = useState('');
	const say = async path => {
		try {
			await post(...path);
			setProblem('');
		} catch (e) {
			setProblem(e.message);
		}
	};
	if (!session.held.length && !session.handoff) return null;
	return html`<section id="waiting" aria-labelledby="waits">
		<h3 id="waits">Waits for you</h3>
		${session.handoff && html`<${Handoff} key=${session.handoff.id} session=${session} handoff=${session.handoff} say=${say} />`}
		<ul id="held">${session.held.map(h => html`<li key=${h.id}><code>${h.line}</code>
			${[['Confirm', 'confirm'], ['Deny', 'deny']].map(([word, does]) => html` <button type="button" class=${does === 'deny' ? 'secondary' : ''} aria-label=${`${word} ${h.line}`}
				onClick=${() => say([sessionPath(session.name, `${does}/${encodeURIComponent(h.id)}`)])}>${word}</button>`)}</li>`)}</ul>
		${problem && html`<p class="bad" role="alert">${problem}</p>`}
	</section>`;
}

function Handoff({ session, handoff, say }) {
	const [reason, setReason] = useState('');
	const [left, setLeft] = useState('');
	useEffect(() => {
		const tick = () => {
			const seconds = Math.max(0, Math.round((handoff.until - Date.now()) / 1000));
			setLeft(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`);
		};
		tick();
		const timer = setInterval(tick, 1000);
		return () => clearInterval(timer);
	}, [handoff.until]);
	const end = (how, body) => say([sessionPath(session.name, `handoff/${encodeURIComponent(handoff.id)}/${how}`), body]);
	return html`<form id="handoff" onSubmit=${e => { e.preventDefault(); end('cannot', reason); }}>
		<p>${handoff.mark ? `${handoff.text} (${handoff.mark})` : handoff.text} <small>${left}</small></p>
		<button type="button" onClick=${() => end('done')}>Done</button>
		<label>Reason <input maxlength="1000" autocomplete="off" value=${reason} onInput=${e => setReason(e.target.value)} /></label>
		<button type="submit" class="secondary">Cannot</button>
	</form>`;
}
