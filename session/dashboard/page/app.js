// The dashboard: the list of sessions comes as server-sent events, the live view of the chosen one over a WebSocket.
/** @import { Session } from '../types' */
import { Help, typesText } from './help.js';
import { Records } from './records.js';
import { Sessions } from './sessions.js';
import { applyTheme, chosenTheme, isDark, setTheme, themes } from './theme.js';
import { Thumbs } from './thumbs.js';
import { History, Timeline } from './timeline.js';
import { html, render, useEffect, useLayoutEffect, useRef, useState } from './vendor/preact.js';
import { View } from './view.js';
import { Waiting } from './waiting.js';

applyTheme();
const thumbs = new Thumbs();
const history_ = new History();
/** What happens in a session while nothing is run follows slowly, and only while it is visible. */
const beatTime = 5000;

/** @type {Record<string, string>} */
const themeNames = { auto: 'As the system', light: 'Light', dark: 'Dark' };

const fromAddress = () => decodeURIComponent(location.hash.slice(1));

function Dashboard() {
  const [sessions, setSessions] = useState(/** @type {Session[]} */ ([]));
  const [link, setLink] = useState('Connecting…');
  const [wanted, setWanted] = useState(fromAddress());
  const [beat, setBeat] = useState(0);
  const [, repaint] = useState(0);
  const [help, setHelp] = useState(false);
  const [theme, chooseTheme] = useState(chosenTheme());
  const [annotating, setAnnotating] = useState(false);
  const search = useRef(/** @type {HTMLInputElement | null} */ (null));
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const keys = useRef((/** @type {KeyboardEvent} */ _) => {});

  const open = sessions.filter((s) => s.running || s.held.length || s.handoff);
  const session = open.find((s) => s.name === wanted) ?? open[0];
  const commands = session ? history_.add(session.name, session.commands) : [];
  const redraw = () => repaint((n) => n + 1);
  const settle = () => {
    if (session) thumbs.settle(session.name, commands, redraw);
  };

  useEffect(() => {
    const events = new EventSource('api/events');
    events.onopen = () => setLink('Connected');
    events.onerror = () => setLink('Not connected: the dashboard was stopped, or is out of reach.');
    events.onmessage = (e) => setSessions(JSON.parse(e.data).sessions);
    const moved = () => setWanted(fromAddress());
    addEventListener('hashchange', moved);
    const timer = setInterval(() => {
      if (!document.hidden) setBeat((n) => n + 1);
    }, beatTime);
    /** @param {KeyboardEvent} e */
    const pressed = (e) => keys.current(e);
    addEventListener('keydown', pressed);
    return () => {
      events.close();
      clearInterval(timer);
      removeEventListener('hashchange', moved);
      removeEventListener('keydown', pressed);
    };
  }, []);
  // Before the person can do something in what was drawn: an effect after the next frame would undo that.
  useLayoutEffect(() => {
    setAnnotating(false);
    if (session && !wanted) setWanted(session.name); // one that comes later must not take its place
    if (session) history_.load(session.name).then(redraw);
  }, [session?.name]);
  useEffect(settle);

  /** @param {string} to */
  const turnTheme = (to) => {
    setTheme(to);
    chooseTheme(to);
  };
  keys.current = (e) => {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || typesText(e.target)) return;
    const at = open.indexOf(session);
    /** @param {number} to */
    const go = (to) => {
      if (open[to]) location.hash = encodeURIComponent(open[to].name);
    };
    /** @type {Record<string, () => void>} */
    const shortcuts = {
      '?': () => setHelp(!help),
      '/': () => search.current?.focus(),
      j: () => go(at + 1),
      k: () => go(at - 1),
      l: () => canvas.current?.focus(),
      t: () => document.getElementById('take')?.click(),
      a: () => {
        if (session?.running) setAnnotating(!annotating);
      },
      d: () => turnTheme(isDark() ? 'light' : 'dark'),
    };
    const does = shortcuts[e.key];
    if (!does || (document.querySelector('dialog')?.open && e.key !== '?')) return;
    e.preventDefault();
    does();
  };

  return html`
		<a class="skip" href="#session" onClick=${(/** @type {Event} */ e) => {
      e.preventDefault();
      document.getElementById('session')?.focus();
    }}>Skip to the session</a>
		<header class="top">
			<h1><span aria-hidden="true" class="logo">◐</span>skua sessions</h1>
			<p id="link" role="status" class=${link === 'Connected' ? 'good' : 'bad'}>${link}</p>
			<label class="theme"><span class="hidden">Colors</span><select aria-label="Colors" value=${theme} onChange=${(/** @type {Event & { target: HTMLSelectElement }} */ e) => turnTheme(e.target.value)}>
				${themes.map((t) => html`<option value=${t}>${themeNames[t]}</option>`)}</select></label>
			<button type="button" id="keys" class="secondary outline" aria-label="Keyboard shortcuts" aria-haspopup="dialog" onClick=${() => setHelp(true)}>?</button>
		</header>
		<main>
			<${Sessions} sessions=${open} chosen=${session?.name} beat=${beat} thumbs=${thumbs} />
			${
        session &&
        html`<section id="session" tabindex="-1" aria-labelledby="name">
				<${Waiting} session=${session} />
				<${View} key="view" ...${{ session, thumbs, annotating, setAnnotating, canvasRef: canvas, onFrame: settle }} />
				<div id="records">
					<${Records} kind="console" title="Console" session=${session} beat=${beat} />
					<${Records} kind="errors" title="Errors" session=${session} beat=${beat} />
					<${Records} kind="network" title="Network" session=${session} beat=${beat} />
				</div>
			</section>
			<${Timeline} session=${session} commands=${commands} thumbs=${thumbs} searchRef=${search} />`
      }
		</main>
		<${Help} open=${help} close=${() => setHelp(false)} />`;
}

render(html`<${Dashboard} />`, document.body);
