// The dashboard: the list of sessions comes as server-sent events, the live view of the chosen one over a WebSocket.
import { Live } from './live.js';
import { Records } from './records.js';

const $ = id => document.getElementById(id);

let sessions = [];
let chosen = decodeURIComponent(location.hash.slice(1));
const live = new Live($('live'), text => { $('notice').textContent = text; });
const records = ['console', 'errors', 'network'].map(kind => new Records($(kind), kind));

const events = new EventSource('api/events');
events.onopen = () => { $('link').textContent = 'Connected'; };
events.onerror = () => { $('link').textContent = 'Not connected: the dashboard was stopped, or is out of reach.'; };
events.onmessage = e => {
	sessions = JSON.parse(e.data).sessions;
	show();
};

addEventListener('hashchange', () => {
	chosen = decodeURIComponent(location.hash.slice(1));
	show();
});

$('take').onclick = async () => {
	const session = current();
	if (!session) return;
	const answer = await fetch(`api/sessions/${encodeURIComponent(session.name)}/${session.taken ? 'release' : 'take'}`, { method: 'POST' });
	if (!answer.ok) $('notice').textContent = (await answer.json()).error;
	else if (!session.taken) $('live').focus();
};

function current() { return sessions.find(s => s.name === chosen); }

function show() {
	const open = sessions.filter(s => s.running || s.held.length || s.handoff);
	if (!open.some(s => s.name === chosen) && open.length) chosen = open[0].name;
	$('none').hidden = open.length > 0;
	list(open);
	const session = current();
	$('session').hidden = !session;
	live.watch(session && session.running ? session.name : '', session ? session.taken || session.handoff !== null : false);
	if (!session) return;
	const tab = session.tabs.find(t => t.active);
	text($('name'), session.name);
	text($('address'), tab ? tab.url : '');
	text($('take'), session.taken ? 'Hand back' : 'Take over');
	$('take').setAttribute('aria-pressed', String(session.taken));
	fill($('tabs'), session.tabs, t => {
		const li = make('li', `${t.tabId} ${t.title || t.url}${t.dialog ? ` (${t.dialog} dialog)` : ''}`);
		if (t.active) li.setAttribute('aria-current', 'true');
		return li;
	});
	$('waiting').hidden = !session.held.length && !session.handoff;
	showHandoff(session.handoff);
	fill($('held'), session.held, h => held(session.name, h));
	fill($('commands'), session.commands.toReversed(), row);
	for (const r of records) r.of(session);
}

// list keeps the entries that there are, so that the focus stays where it is.
function list(open) {
	const there = new Map([...$('sessions').children].map(li => [li.dataset.name, li]));
	for (const session of open) {
		let li = there.get(session.name);
		there.delete(session.name);
		if (!li) {
			li = make('li');
			li.dataset.name = session.name;
			const button = make('button');
			button.type = 'button';
			button.append(Object.assign(make('img'), { alt: '' }), make('strong', session.name), make('span'), make('span'));
			button.onclick = () => { location.hash = encodeURIComponent(session.name); };
			li.append(button);
			$('sessions').append(li);
		}
		const [image, , title, state] = li.firstChild.children;
		const tab = session.tabs.find(t => t.active);
		const last = session.commands.at(-1);
		text(title, tab ? tab.title || tab.url : 'no tab');
		text(state, session.handoff ? `waits for you: ${session.handoff.text}` : session.taken ? 'taken over by a person' : last ? `${last.line} ${last.state}` : '');
		li.firstChild.setAttribute('aria-current', String(session.name === chosen));
		const seen = `${tab?.url} ${tab?.title} ${last?.id} ${last?.state}`;
		if (li.dataset.seen !== seen && !image.dataset.busy) {
			li.dataset.seen = seen;
			picture(image, session.name);
		}
	}
	for (const li of there.values()) li.remove();
}

async function picture(image, name) {
	image.dataset.busy = 'yes';
	try {
		const answer = await fetch(`api/sessions/${encodeURIComponent(name)}/picture`);
		if (answer.ok) image.src = await dataURL(await answer.blob());
	} catch { // the next change tries again
	} finally {
		delete image.dataset.busy;
	}
}

function dataURL(blob) {
	return new Promise((done, failed) => {
		const reader = new FileReader();
		reader.onload = () => done(reader.result);
		reader.onerror = failed;
		reader.readAsDataURL(blob);
	});
}

// What happens in a session while nothing is run follows slowly, and only while it is visible: thumbnails, and what is recorded.
setInterval(() => {
	if (document.hidden) return;
	for (const r of records) r.refresh();
	for (const li of $('sessions').children) {
		const image = li.querySelector('img');
		if (!image.dataset.busy) picture(image, li.dataset.name);
	}
}, 5000);

// showHandoff shows what an agent asks a person to do. What he types as a reason stays while the rest of the page changes.
function showHandoff(handoff) {
	const form = $('handoff');
	form.hidden = !handoff;
	if (!handoff || form.dataset.id === handoff.id) return;
	form.dataset.id = handoff.id;
	text(form.querySelector('p'), handoff.mark ? `${handoff.text} (${handoff.mark})` : handoff.text);
	form.querySelector('input').value = '';
}

async function answerHandoff(end, body) {
	const answer = await fetch(`api/sessions/${encodeURIComponent(chosen)}/handoff/${encodeURIComponent($('handoff').dataset.id)}/${end}`, { method: 'POST', body });
	if (!answer.ok) $('notice').textContent = (await answer.json()).error;
}
$('handoff').querySelector('[type=button]').onclick = () => answerHandoff('done');
$('handoff').onsubmit = e => {
	e.preventDefault();
	answerHandoff('cannot', $('handoff').querySelector('input').value);
};

// held is a command that waits for a person, with what he may say to it.
function held(name, h) {
	const li = make('li', `${h.line} `);
	for (const [word, does] of [['Confirm', 'confirm'], ['Deny', 'deny']]) {
		const button = make('button', word);
		button.type = 'button';
		button.setAttribute('aria-label', `${word} ${h.line}`);
		button.onclick = async () => {
			const answer = await fetch(`api/sessions/${encodeURIComponent(name)}/${does}/${encodeURIComponent(h.id)}`, { method: 'POST' });
			if (!answer.ok) $('notice').textContent = (await answer.json()).error;
		};
		li.append(button);
	}
	return li;
}

function row(c) {
	const tr = make('tr');
	const result = c.state === 'failed' ? `${c.code}: ${c.error}` : c.state;
	tr.append(make('td', new Date(c.begun).toLocaleTimeString()), make('td', c.line), make('td', result), make('td', c.state === 'running' ? '' : c.ms.toFixed(0)));
	if (c.state === 'failed') tr.children[2].className = 'bad';
	return tr;
}

function make(tag, content) {
	const element = document.createElement(tag);
	if (content !== undefined) element.textContent = content;
	return element;
}

function text(element, content) {
	if (element.textContent !== content) element.textContent = content;
}

function fill(parent, items, of) { parent.replaceChildren(...items.map(of)); }
