// What a session has recorded: messages, errors, requests. Recording costs the session something, so that it begins when a person asks for it.
/** @import { Session } from '../types' */
import { ask, sessionPath, wordsOf } from './api.js';
import { html, useEffect, useLayoutEffect, useRef, useState } from './vendor/preact.js';

/** @typedef {{ text: string, bad: boolean }} Line */

const lines = {
  /** @type {(data: { messages: { type: string, text: string }[] }) => Line[]} */
  console: (data) => data.messages.map((m) => ({ text: `[${m.type}] ${m.text}`, bad: m.type === 'error' })),
  /** @type {(data: { errors: { text: string, url?: string }[] }) => Line[]} */
  errors: (data) => data.errors.map((e) => ({ text: `${e.text} ${e.url ?? ''}`, bad: true })),
  /** @type {(data: { requests: { status?: number, method: string, url: string }[] }) => Line[]} */
  network: (data) => data.requests.map((r) => ({ text: `${r.status ?? '…'} ${r.method} ${r.url}`, bad: (r.status ?? 0) >= 400 })),
};

/**
 * Records is one kind of what is recorded. It looks again when the session or beat changes, while it is open.
 * @param {{ kind: keyof typeof lines, title: string, session: Session, beat: number }} props
 */
export function Records({ kind, title, session, beat }) {
  const [open, setOpen] = useState(false);
  const [list, setList] = useState(/** @type {Line[]} */ ([]));
  const loading = useRef({ busy: false, stale: false, name: '' });
  const recorded = kind === 'network' ? session.network : session.console;
  loading.current.name = session.name;

  const load = async () => {
    const now = loading.current;
    if (now.busy) {
      now.stale = true; // what is on its way may be from before
      return;
    }
    now.busy = true;
    now.stale = false;
    const name = session.name;
    try {
      const data = await ask(sessionPath(name, `records/${kind}`));
      if (name === now.name) setList(lines[kind](data));
    } catch (e) {
      if (name === now.name) setList([{ text: wordsOf(e), bad: true }]);
    } finally {
      now.busy = false;
      if (now.stale) load();
    }
  };
  useLayoutEffect(() => setList([]), [session.name]); // before another list can come
  useEffect(() => {
    if (open && recorded) load();
  }, [open, recorded, session, beat]);

  return html`<details id=${kind} onToggle=${(/** @type {Event & { target: HTMLDetailsElement }} */ e) => setOpen(e.target.open)}>
		<summary>${title}</summary>
		<button type="button" class="record secondary" hidden=${recorded} onClick=${load}>Start recording</button>
		<ol class="lines">${list.map((line) => html`<li class=${line.bad ? 'bad' : ''}>${line.text}</li>`)}</ol>
	</details>`;
}
