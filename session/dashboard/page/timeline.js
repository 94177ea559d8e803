// The commands of a session, the newest first, with search.
/** @import { Command, Session } from '../types' */
/** @import { Thumbs } from './thumbs.js' */
import { ask, sessionPath } from './api.js';
import { duration } from './time.js';
import { html, useLayoutEffect, useState } from './vendor/preact.js';

/** How many commands are kept for one session. */
const most = 500;

/** History has what a session ran: what its journal had when it was first looked at, and what came since. */
export class History {
  /** @type {Map<string, Command[]>} */
  #sessions = new Map();

  /**
   * add takes the newest commands of a session, and returns all, oldest first.
   * @param {string} name
   * @param {Command[]} commands
   */
  add(name, commands) {
    let known = this.#sessions.get(name) ?? [];
    if ((known.at(-1)?.id ?? 0) > (commands.at(-1)?.id ?? 0)) known = []; // the session was closed, and numbers again
    return this.#keep(name, known, commands);
  }

  /**
   * @param {string} name
   * @param {Command[]} older
   * @param {Command[]} newer
   */
  #keep(name, older, newer) {
    const all = new Map([...older, ...newer].map((c) => [c.id, c]));
    const list = [...all.values()].sort((a, b) => a.id - b.id).slice(-most);
    this.#sessions.set(name, list);
    return list;
  }

  /**
   * load gets what the journal has.
   * @param {string} name
   */
  async load(name) {
    try {
      const { commands } = await ask(sessionPath(name, 'timeline'));
      this.#keep(name, commands, this.#sessions.get(name) ?? []);
    } catch {
      /* the newest are there all the same */
    }
  }
}

/** @param {Command} c */
const words = (c) => [c.line, c.state, c.code, c.error, c.url].filter(Boolean).join(' ').toLowerCase();

/** @param {{ session: Session, commands: Command[], thumbs: Thumbs, searchRef: { current: HTMLInputElement | null } }} props */
export function Timeline({ session, commands, thumbs, searchRef }) {
  const [wanted, want] = useState('');
  useLayoutEffect(() => want(''), [session.name]); // before the person can type
  const parts = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const list = commands.filter((c) => parts.every((p) => words(c).includes(p))).reverse();
  return html`<section id="timeline" aria-labelledby="timeline-title">
		<div class="panel-head">
			<h3 id="timeline-title">Timeline</h3>
			<small role="status">${parts.length ? `${list.length} of ${commands.length}` : `${commands.length}`} commands</small>
		</div>
		<input ref=${searchRef} type="search" value=${wanted} onInput=${(/** @type {Event & { target: HTMLInputElement }} */ e) => want(e.target.value)} placeholder="Search"
			aria-label="Search the timeline" onKeyDown=${(/** @type {KeyboardEvent & { target: HTMLInputElement }} */ e) => {
        if (e.key === 'Escape') {
          want('');
          e.target.blur();
        }
      }} />
		<ol id="commands" tabindex="0" aria-label="Commands, the newest first">
			${list.map((c, i) => html`<${Entry} key=${c.id} c=${c} parts=${parts} moved=${c.url !== list[i + 1]?.url} picture=${thumbs.of(session.name, c.id)} />`)}
		</ol>
		${!list.length && html`<p class="empty">${parts.length ? 'Nothing matches.' : 'No command has run yet.'}</p>`}
	</section>`;
}

/** @param {{ c: Command, parts: string[], moved: boolean, picture?: string }} props */
function Entry({ c, parts, moved, picture }) {
  return html`<li class=${`entry ${c.state}`}>
		<div class="thumb">${picture ? html`<img src=${picture} alt="" />` : html`<span aria-hidden="true">${glyphs[c.state]}</span>`}</div>
		<div class="told">
			<code>${marked(c.line, parts)}</code>
			<p class="facts"><time datetime=${new Date(c.begun).toISOString()}>${new Date(c.begun).toLocaleTimeString()}</time>
				<span class=${`state ${c.state}`}>${c.state}</span>${c.state !== 'running' && html`<span>${duration(c.ms)}</span>`}</p>
			${c.error && html`<p class="bad">${marked(`${c.code}: ${c.error}`, parts)}</p>`}
			${c.url && moved && html`<p class="where" title=${c.url}>${marked(c.url, parts)}</p>`}
		</div>
	</li>`;
}

const glyphs = { done: '✓', failed: '✕', running: '…' };

/**
 * marked shows where a text has what is searched for.
 * @param {string} text
 * @param {string[]} parts
 */
function marked(text, parts) {
  if (!parts.length) return text;
  const escaped = parts.map((p) => p.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text.split(new RegExp(`(${escaped})`, 'gi')).map((piece, i) => (i % 2 ? html`<mark>${piece}</mark>` : piece));
}
