// The live view of a session, and over it what its agents show.
/** @import { FrameMetadata, Rect, Session, Shown } from '../types' */
/** @import { Thumbs } from './thumbs.js' */
import { Annotate } from './annotate.js';
import { ask, post, sessionPath, wordsOf } from './api.js';
import { Live } from './live.js';
import { html, useEffect, useLayoutEffect, useRef, useState } from './vendor/preact.js';

/** How often the agents' marks are looked for while the page is repainted. */
const placesPause = 400;

/** @typedef {Omit<FrameMetadata, 'offsetTop' | 'timestamp'>} Placed  what places marks on a frame depends on */

/** @type {(keyof Placed)[]} */
const placing = ['deviceWidth', 'deviceHeight', 'scrollOffsetX', 'scrollOffsetY', 'pageScaleFactor'];

/**
 * @param {{ session: Session, thumbs: Thumbs, onFrame: () => void, annotating: boolean, setAnnotating: (on: boolean) => void,
 *   canvasRef: { current: HTMLCanvasElement | null } }} props
 */
export function View({ session, thumbs, onFrame, annotating, setAnnotating, canvasRef }) {
  const [notice, setNotice] = useState('');
  const [places, setPlaces] = useState(/** @type {Shown[]} */ ([]));
  const [frame, setFrame] = useState(
    /** @type {Placed} */ ({ deviceWidth: 1280, deviceHeight: 720, scrollOffsetX: 0, scrollOffsetY: 0, pageScaleFactor: 1 }),
  );
  const live = useRef(/** @type {Live | null} */ (null));
  const now = useRef({ session, onFrame, shows: false, looking: false, again: false });
  now.current.session = session;
  now.current.onFrame = onFrame;
  now.current.shows = session.notes.some((n) => n.by === 'agent');
  const tab = session.tabs.find((t) => t.active);

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
    } catch {
      // the next frame tries again
    }
    setTimeout(() => {
      current.looking = false;
      if (current.again) look.current();
    }, placesPause);
  });

  useLayoutEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas) return;
    const shown = new Live(canvas, setNotice, (name, metadata) => {
      thumbs.frame(name, canvas, metadata.timestamp);
      now.current.onFrame();
      setFrame((was) => (placing.every((k) => was[k] === metadata[k]) ? was : metadata));
      if (now.current.shows) look.current();
    });
    live.current = shown;
    return () => shown.watch('', false);
  }, []);
  useLayoutEffect(() => {
    live.current?.watch(session.running ? session.name : '', session.taken || session.handoff !== null);
  });
  const notes = session.notes
    .filter((n) => n.by === 'agent')
    .map((n) => n.id)
    .join();
  useEffect(() => {
    look.current();
  }, [session.name, notes, tab?.tabId, tab?.url]);

  const take = async () => {
    try {
      await post(sessionPath(session.name, session.taken ? 'release' : 'take'));
      if (!session.taken) canvasRef.current?.focus();
    } catch (e) {
      setNotice(wordsOf(e));
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
		<ul id="tabs" aria-label="Tabs of the session">${session.tabs.map(
      (t) => html`<li aria-current=${t.active ? 'true' : undefined} title=${t.url}>
			<small>${t.tabId}</small> ${t.title || t.url}${t.dialog ? ` (${t.dialog} dialog)` : ''}</li>`,
    )}</ul>
		<p id="notice" role="status">${notice}</p>
		<div id="stage" class=${annotating ? 'frozen' : ''}>
			<canvas id="live" ref=${canvasRef} tabindex="0" role="img" aria-label="Live view" aria-describedby="notice" width="1280" height="720"></canvas>
			${!annotating && html`<${Marks} places=${places} frame=${frame} />`}
		</div>
		${
      annotating &&
      html`<${Annotate} session=${session} done=${(/** @type {string | undefined} */ said) => {
        setAnnotating(false);
        if (said) setNotice(said);
      }} />`
    }
		<${Notes} session=${session} places=${places} say=${setNotice} />`;
}

/**
 * Marks shows where the agents' annotations are. They do not keep the person from the page below.
 * @param {{ places: Shown[], frame: Placed }} props
 */
function Marks({ places, frame }) {
  const scale = frame.pageScaleFactor || 1;
  /** @type {(v: number, of: number) => string} */
  const percent = (v, of) => `${((v * scale) / of) * 100}%`;
  /** @param {Rect} rect */
  const side = (rect) =>
    `${(rect.x - frame.scrollOffsetX) * scale > frame.deviceWidth * 0.6 ? ' right' : ''}${
      (rect.y + rect.height - frame.scrollOffsetY) * scale > frame.deviceHeight * 0.9 ? ' bottom' : ''
    }`;
  return html`<div id="marks" aria-hidden="true">${places.map(
    ({ id, text, rect }) =>
      rect &&
      html`<div class=${`agent-mark${side(rect)}`} key=${id} style=${{
        left: percent(rect.x - frame.scrollOffsetX, frame.deviceWidth),
        top: percent(rect.y - frame.scrollOffsetY, frame.deviceHeight),
        width: percent(rect.width, frame.deviceWidth),
        height: percent(rect.height, frame.deviceHeight),
      }}><span>${text}</span></div>`,
  )}</div>`;
}

/**
 * Notes lists the annotations, for those who do not see the picture, too.
 * @param {{ session: Session, places: Shown[], say: (words: string) => void }} props
 */
function Notes({ session, places, say }) {
  if (!session.notes.length) return null;
  /** @param {string} id */
  const remove = async (id) => {
    try {
      await ask(sessionPath(session.name, `annotations/${encodeURIComponent(id)}`), { method: 'DELETE' });
    } catch (e) {
      say(wordsOf(e));
    }
  };
  return html`<section id="notes" aria-labelledby="notes-title">
		<h3 id="notes-title">Annotations</h3>
		<ul>${session.notes.map((n) => {
      const place = places.find((p) => p.id === n.id);
      return html`<li key=${n.id} class=${n.by}>
				<div><small>${n.by === 'agent' ? `From the agent, in ${n.tab}` : `From you, on ${n.tab}: ${n.read ? 'read by the agent' : 'not read yet'}`}${place?.where ? `; ${place.where}` : ''}</small>
				${n.texts.length ? n.texts.map((t) => html`<p>${t}</p>`) : html`<p><em>no words</em></p>`}</div>
				<button type="button" class="quiet" aria-label=${`Remove annotation ${n.id}`} onClick=${() => remove(n.id)}>✕</button>
			</li>`;
    })}</ul>
	</section>`;
}
