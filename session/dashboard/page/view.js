// The live view of a session, and over it what its agents show.
import { Annotate } from './annotate.js';
import { ask, post, sessionPath } from './api.js';
import { Live } from './live.js';
import { html, useEffect, useLayoutEffect, useRef, useState } from './vendor/preact.js';

/** How often the agents' marks are looked for while the page is repainted. */
const placesPause = 400;

export function View({ session, thumbs, onFrame, annotating, setAnnotating, canvasRef }) {
	const [notice, setNotice] = useState('');
	const [places, setPlaces] = useState([]);
	const [frame, setFrame] = useState({ deviceWidth: 1280, deviceHeight: 720, scrollOffsetX: 0, scrollOffsetY: 0, pageScaleFactor: 1 });
	const live = useRef();
	const now = useRef({});
	now.current.session = session;
	now.current.onFrame = onFrame;
	now.current.shows = session.notes.some(n => n.by === 'agent');
	const tab = session.tabs.find(t => t.active);

	const look = useRef(async () => {
		const { current } = now;
		if (current.looking) {
			current.again = true;
			return;
		}
		current.looking = true;
		current.again = false;
		const { name } = current.session;
		try {
			const { annotations } = current.shows ? await ask(sessionPath(name, 'annotations/places')) : { annotations: [] };
			if (name === current.session.name) setPlaces(annotations);
		} catch { // the next frame tries again
		}
		setTimeout(() => {
			current.looking = false;
			if (current.again) look.current();
		}, placesPause);
	});

	useLayoutEffect(() => {
		live.current = new Live(canvasRef.current, setNotice, (name, metadata) => {
			thumbs.frame(name, canvasRef.current, metadata.timestamp);
			now.current.onFrame();
			setFrame(was => ['deviceWidth', 'deviceHeight', 'scrollOffsetX', 'scrollOffsetY', 'pageScaleFactor'].every(k => was[k] === metadata[k]) ? was : metadata);
			if (now.current.shows) look.current();
		});
		return () => live.current.watch('', false);
	}, []);
	useLayoutEffect(() => { live.current.watch(session.running ? session.name : '', session.taken || session.handoff !== null); });
	const notes = session.notes.filter(n => n.by === 'agent').map(n => n.id).join();
	useEffect(() => { look.current(); }, [session.name, notes, tab?.tabId, tab?.url]);

	const take = async () => {
		try {
			await post(sessionPath(session.name, session.taken ? 'release' : 'take'));
			if (!session.taken) canvasRef.current.focus();
		} catch (e) {
			setNotice(e.message);
		}
	};

	return html`
		<div class="bar">
			<div class="where"><h2 id="name">${session.name}</h2><p id="address" title=${tab?.url}>${tab?.url ?? ''}</p></div>
			<button id="annotate" type="button" class="secondary" aria-pressed=${String(annotating)} disabled=${!session.running}
				onClick=${() => setAnnotating(!annotating)}>${annotating ? 'Stop annotating' : 'Annotate'}</button>
			<button id="take" type="button" class=${session.taken ? 'contrast' : ''} aria-pressed=${String(session.taken)}
				onClick=${take}>${session.taken ? 'Hand back' : 'Take over'}</button>
		</div>
		<ul id="tabs" aria-label="Tabs of the session">${session.tabs.map(t => html`<li aria-current=${t.active ? 'true' : undefined} title=${t.url}>
			<small>${t.tabId}</small> ${t.title || t.url}${t.dialog ? ` (${t.dialog} dialog)` : ''}</li>`)}</ul>
		<p id="notice" role="status">${notice}</p>
		<div id="stage" class=${annotating ? 'frozen' : ''}>
			<canvas id="live" ref=${canvasRef} tabindex="0" role="img" aria-label="Live view" aria-describedby="notice" width="1280" height="720"></canvas>
			${!annotating && html`<${Marks} places=${places} frame=${frame} />`}
		</div>
		${annotating && html`<${Annotate} session=${session} done=${said => { setAnnotating(false); if (said) setNotice(said); }} />`}
		<${Notes} session=${session} places=${places} say=${setNotice} />`;
}

/** Marks shows where the agents' annotations are. They do not keep the person from the page below. */
function Marks({ places, frame }) {
	const shown = places.filter(p => p.rect);
	const scale = frame.pageScaleFactor || 1;
	const percent = (v, of) => `${v * scale / of * 100}%`;
	const side = p => `${(p.rect.x - frame.scrollOffsetX) * scale > frame.deviceWidth * .6 ? ' right' : ''}${
		(p.rect.y + p.rect.height - frame.scrollOffsetY) * scale > frame.deviceHeight * .9 ? ' bottom' : ''}`;
	return html`<div id="marks" aria-hidden="true">${shown.map(p => html`<div class=${`agent-mark${side(p)}`} key=${p.id} style=${{
		left: percent(p.rect.x - frame.scrollOffsetX, frame.deviceWidth), top: percent(p.rect.y - frame.scrollOffsetY, frame.deviceHeight),
		width: percent(p.rect.width, frame.deviceWidth), height: percent(p.rect.height, frame.deviceHeight),
	}}><span>${p.text}</span></div>`)}</div>`;
}

/** Notes lists the annotations, for those who do not see the picture, too. */
function Notes({ session, places, say }) {
	if (!session.notes.length) return null;
	const remove = async id => {
		try { await ask(sessionPath(session.name, `annotations/${encodeURIComponent(id)}`), { method: 'DELETE' }); } catch (e) { say(e.message); }
	};
	return html`<section id="notes" aria-labelledby="notes-title">
		<h3 id="notes-title">Annotations</h3>
		<ul>${session.notes.map(n => {
			const place = places.find(p => p.id === n.id);
			return html`<li key=${n.id} class=${n.by}>
				<div><small>${n.by === 'agent' ? `From the agent, in ${n.tab}` : `From you, on ${n.tab}: ${n.read ? 'read by the agent' : 'not read yet'}`}${place?.where ? `; ${place.where}` : ''}</small>
				${n.texts.length ? n.texts.map(t => html`<p>${t}</p>`) : html`<p><em>no words</em></p>`}</div>
				<button type="button" class="quiet" aria-label=${`Remove annotation ${n.id}`} onClick=${() => remove(n.id)}>✕</button>
			</li>`;
		})}</ul>
	</section>`;
}
