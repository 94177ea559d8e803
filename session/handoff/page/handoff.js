// The page of one handoff: what an agent asks for, the session's live view, and the two answers.
/** @import { Tab } from '../../dashboard/types' */
import { Live } from './live.js';
import { timeLeft } from './time.js';

/**
 * part returns the element with an id.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
function part(id, type) {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${id}`);
}

const $ = (/** @type {string} */ id) => part(id, HTMLElement);
const done = part('done', HTMLButtonElement);
const cannot = part('cannot', HTMLButtonElement);
const reason = part('reason', HTMLInputElement);
const words = part('words', HTMLInputElement);
const live = new Live(part('live', HTMLCanvasElement), () => {});
/** @type {Record<string, string>} */
const endings = {
  done: 'Thank you. The agent goes on. You can close this page.',
  cannot: 'The agent knows that you cannot do it. You can close this page.',
  'timed-out': 'The time is over: the agent no longer waits. You can close this page.',
  canceled: 'The agent no longer waits. You can close this page.',
};
/**
 * What the server tells of the handoff.
 * @typedef {{ session: string, text: string, mark?: string, until: number, end: string, mayAct: boolean, tabs: Tab[] }} Asked
 * @type {Asked | undefined}
 */
let state;

const events = new EventSource('events');
events.onmessage = (/** @type {MessageEvent} */ e) => show(JSON.parse(e.data));
events.onerror = () => {
  if (state?.end === 'waiting') $('notice').textContent = 'Not connected: the agent may no longer wait.';
};

/** @param {Asked} now */
function show(now) {
  state = now;
  const waits = state.end === 'waiting';
  $('text').textContent = state.text;
  $('mark').hidden = !state.mark;
  $('mark').textContent = state.mark ? `It is about ${state.mark}, which has a red outline.` : '';
  for (const control of [done, cannot, reason, words]) control.disabled = !waits;
  $('work').hidden = !waits;
  live.watch(waits ? state.session : '', waits && state.mayAct);
  if (!waits) {
    events.close();
    $('left').textContent = '';
    $('notice').textContent = endings[state.end];
    return;
  }
  $('notice').textContent = state.mayAct
    ? ''
    : 'Rules of this session do not let you act here. Use the dashboard, which `skua dashboard start` serves.';
  $('typing').hidden = !state.mayAct;
  $('address').textContent = state.tabs.find((t) => t.active)?.url ?? '';
  $('tabs').hidden = state.tabs.length < 2;
  $('tabs').replaceChildren(...state.tabs.map(tab));
  tick();
}

/** @param {Tab} t */
function tab(t) {
  const li = document.createElement('li'),
    button = document.createElement('button');
  button.type = 'button';
  button.textContent = t.title || t.url;
  button.onclick = () => send(`tab/${encodeURIComponent(t.tabId)}`);
  if (t.active) li.setAttribute('aria-current', 'true');
  li.append(button);
  return li;
}

function tick() {
  if (state?.end !== 'waiting') return;
  $('left').textContent = timeLeft(state.until);
}
setInterval(tick, 1000);

/** @type {(path: string, body?: string) => Promise<void>} */
async function send(path, body) {
  try {
    const answer = await fetch(path, { method: 'POST', body });
    if (answer.ok) show(await answer.json());
    else $('notice').textContent = await answer.text();
  } catch {
    $('notice').textContent = 'Not sent: the agent may no longer wait.';
  }
}

done.onclick = () => send('done');
$('refusal').onsubmit = (e) => {
  e.preventDefault();
  send('cannot', reason.value);
};
$('typing').onsubmit = (e) => {
  e.preventDefault();
  live.type(words.value);
  words.value = '';
};
