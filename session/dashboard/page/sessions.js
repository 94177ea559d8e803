// The list of sessions, each with a picture of its page.
/** @import { Session } from '../types' */
/** @import { Thumbs } from './thumbs.js' */
import { sessionPath } from './api.js';
import { html, useEffect, useRef, useState } from './vendor/preact.js';

/** @param {{ sessions: Session[], chosen?: string, beat: number, thumbs: Thumbs }} props */
export function Sessions({ sessions, chosen, beat, thumbs }) {
  return html`<nav aria-label="Sessions">
		${!sessions.length && html`<p id="none">No session is open. Open one with <code>skua open example.com</code>.</p>`}
		<ul id="sessions">${sessions.map((s) => html`<${Card} key=${s.name} session=${s} chosen=${s.name === chosen} beat=${beat} thumbs=${thumbs} />`)}</ul>
	</nav>`;
}

/** @param {{ session: Session, chosen: boolean, beat: number, thumbs: Thumbs }} props */
function Card({ session, chosen, beat, thumbs }) {
  const tab = session.tabs.find((t) => t.active);
  const last = session.commands.at(-1);
  const seen = `${tab?.url} ${tab?.title} ${last?.id} ${last?.state} ${beat}`;
  const picture = usePicture(session.name, session.running, seen, chosen ? thumbs : undefined);
  const state = session.handoff
    ? `waits for you: ${session.handoff.text}`
    : session.taken
      ? 'taken over by a person'
      : last
        ? `${last.line} ${last.state}`
        : '';
  return html`<li>
		<button type="button" class="card" aria-current=${String(chosen)} onClick=${() => {
      location.hash = encodeURIComponent(session.name);
    }}>
			<img src=${picture} alt="" />
			<strong>${session.name}</strong>
			<span>${tab ? tab.title || tab.url : 'no tab'}</span>
			<span class=${session.handoff || session.held.length ? 'wants' : 'state'}>${state}</span>
		</button>
	</li>`;
}

/** How long after a change the live view has shown it. */
const paintTime = 300;

/**
 * usePicture gets a picture of a session whenever seen changes, one at a time. Of the session that the live view shows it is the newest frame: a
 * screenshot would cost the session something.
 * @param {string} name
 * @param {boolean} running
 * @param {string} seen
 * @param {Thumbs} [thumbs]
 */
function usePicture(name, running, seen, thumbs) {
  const [picture, setPicture] = useState('data:,');
  const now = useRef({ busy: false, stale: false });
  const load = async () => {
    if (now.current.busy) {
      now.current.stale = true;
      return;
    }
    now.current.busy = true;
    now.current.stale = false;
    try {
      const answer = await fetch(sessionPath(name, 'picture'));
      if (answer.ok) setPicture(await dataURL(await answer.blob()));
    } catch {
      // the next change tries again
    } finally {
      now.current.busy = false;
    }
    if (now.current.stale) load();
  };
  useEffect(() => {
    if (!running || document.hidden) return;
    if (!thumbs) {
      load();
      return;
    }
    const timer = setTimeout(() => {
      const frame = thumbs.latest(name);
      if (frame) setPicture(frame);
    }, paintTime);
    return () => clearTimeout(timer);
  }, [name, running, seen, thumbs]);
  return picture;
}

/**
 * @param {Blob} blob
 * @returns {Promise<string>}
 */
function dataURL(blob) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result)); // of readAsDataURL it is a text
    reader.onerror = failed;
    reader.readAsDataURL(blob);
  });
}
