// Drawing on a picture of the page, and sending that to the session's agent.
//
// The page is pictured when the person begins: what is drawn is about what the person saw, whatever the page does meanwhile. All is in pixels of that
// picture; the server knows what lies below.
/** @import { Frozen, Mark, Point, Session } from '../types' */
import { post, sessionPath, wordsOf } from './api.js';
import { html, useEffect, useRef, useState } from './vendor/preact.js';

/** @typedef {Omit<Mark, 'text'>} Shape  what is drawn */
/** @typedef {Mark & { id: number }} Drawn  a mark that is there, with its words */

/** @type {{ kind: Mark['kind'], title: string, key: string }[]} */
const tools = [
  { kind: 'box', title: 'Box', key: 'b' },
  { kind: 'arrow', title: 'Arrow', key: 'w' },
  { kind: 'point', title: 'Point', key: 'p' },
];
/** What is smaller is a click. */
const smallest = 5;

/** @param {{ session: Session, done: (said?: string) => void }} props */
export function Annotate({ session, done }) {
  const [picture, setPicture] = useState(/** @type {Frozen | undefined} */ (undefined));
  const [problem, setProblem] = useState('');
  const [tool, setTool] = useState(/** @type {Mark['kind']} */ ('box'));
  const [marks, setMarks] = useState(/** @type {Drawn[]} */ ([]));
  const [drawing, setDrawing] = useState(/** @type {Shape | undefined} */ (undefined));
  const [text, setText] = useState('');
  const [focused, setFocused] = useState(-1);
  const [sending, setSending] = useState(false);
  const last = useRef(0);
  const fields = useRef(/** @type {Map<number, HTMLTextAreaElement>} */ (new Map()));
  const section = useRef(/** @type {HTMLElement | null} */ (null));
  const { name } = session;

  useEffect(() => {
    section.current?.focus();
  }, [picture]); // for the keys
  useEffect(() => {
    let left = false;
    post(sessionPath(name, 'annotations/picture')).then(
      (p) => {
        if (!left) setPicture(p);
      },
      (e) => {
        if (!left) setProblem(wordsOf(e));
      },
    );
    return () => {
      left = true;
    };
  }, [name]);

  /** @param {Shape} mark */
  const add = (mark) => {
    const id = ++last.current;
    setMarks((all) => [...all, { ...mark, id, text: '' }]);
    setTimeout(() => fields.current.get(id)?.focus({ preventScroll: true }));
  };
  /** @type {(id: number, with_: Partial<Mark>) => void} */
  const change = (id, with_) => setMarks((all) => all.map((m) => (m.id === id ? { ...m, ...with_ } : m)));
  /** @param {number} id */
  const remove = (id) => setMarks((all) => all.filter((m) => m.id !== id));
  const send = async () => {
    if (sending || !picture) return;
    setSending(true);
    try {
      await post(
        sessionPath(name, `annotations/picture/${encodeURIComponent(picture.id)}`),
        JSON.stringify({ text, marks: marks.map(({ kind, from, to, text }) => ({ kind, from, to, text })) }),
      );
      done('Sent. The agent is told with its next command.');
    } catch (e) {
      setProblem(wordsOf(e));
      setSending(false);
    }
  };
  /** @param {KeyboardEvent & { target: HTMLElement }} e */
  const shortcut = (e) => {
    if (e.key === 'Escape') {
      if (e.target.tagName === 'TEXTAREA')
        section.current?.focus(); // a second time ends it
      else done();
    } else if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) send();
    else if (!/^(INPUT|TEXTAREA)$/.test(e.target.tagName) || (e.target instanceof HTMLInputElement && e.target.type === 'radio')) {
      const found = tools.find((t) => t.key === e.key && !e.ctrlKey && !e.metaKey && !e.altKey);
      if (!found) return;
      setTool(found.kind);
    } else return;
    e.preventDefault();
    e.stopPropagation();
  };

  if (!picture)
    return html`<p id="annotating" class="empty" role="status" aria-busy=${String(!problem)}>${problem || 'Taking a picture of the page…'}</p>`;
  const center = { x: picture.width / 2, y: picture.height / 2 };
  const addByKey = () =>
    add(
      tool === 'box'
        ? { kind: tool, from: { x: center.x - 80, y: center.y - 40 }, to: { x: center.x + 80, y: center.y + 40 } }
        : tool === 'arrow'
          ? { kind: tool, from: { x: center.x - 80, y: center.y + 80 }, to: center }
          : { kind: tool, from: center, to: center },
    );

  return html`<section id="annotating" ref=${section} tabindex="-1" aria-label="Annotate the page" onKeyDown=${shortcut}>
		<${Sheet} ...${{ name, picture, tool, marks, drawing, setDrawing, add, change, remove, focused, setFocused }} />
		<div class="tools">
			<fieldset><legend class="hidden">Draw with</legend>${tools.map(
        (t) => html`<label><input type="radio" name="tool" value=${t.kind}
				checked=${tool === t.kind} onChange=${() => setTool(t.kind)} /> ${t.title}</label>`,
      )}</fieldset>
			<button type="button" class="secondary outline" onClick=${addByKey}>Add in the middle</button>
		</div>
		<p class="empty">${picture.moves ? 'The page moves: boxes of elements may be off. ' : ''}${
      marks.length
        ? 'Say what you mean by each mark. With the keyboard, Tab to a mark: arrows move it, with Shift they resize it, Delete removes it.'
        : 'Draw on the picture with the mouse or a finger: a click is a point.'
    }</p>
		<ol class="written">${marks.map(
      (m, i) => html`<li key=${m.id}>
			<span class="number" style=${{ background: colors[i % colors.length] }}>${i + 1}</span>
			<textarea rows="1" aria-label=${`Words for ${m.kind} ${i + 1}`} placeholder=${`What about ${m.kind} ${i + 1}?`} value=${m.text} maxlength="2000"
				ref=${(/** @type {HTMLTextAreaElement | null} */ el) => {
          if (el) fields.current.set(m.id, el);
          else fields.current.delete(m.id);
        }}
				onFocus=${() => setFocused(m.id)} onBlur=${() => setFocused(-1)} onInput=${(/** @type {Typed} */ e) => change(m.id, { text: e.target.value })}></textarea>
			<button type="button" class="quiet" aria-label=${`Remove ${m.kind} ${i + 1}`} onClick=${() => remove(m.id)}>✕</button>
		</li>`,
    )}</ol>
		<label>Words about the whole <textarea rows="2" id="whole" value=${text} maxlength="2000" onInput=${(/** @type {Typed} */ e) => setText(e.target.value)}></textarea></label>
		${problem && html`<p class="bad" role="alert">${problem}</p>`}
		<div class="answers">
			<button type="button" id="send" aria-busy=${String(sending)} disabled=${!marks.length && !text.trim()} onClick=${send}>Send to the agent</button>
			<button type="button" class="secondary outline" onClick=${() => done()}>Cancel</button>
		</div>
	</section>`;
}

/**
 * What the arrow keys do to a mark.
 * @type {Record<string, [number, number]>}
 */
const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The colors of the marks in the picture that the agent gets. */
const colors = ['#d0021b', '#005fcc', '#0a7d32', '#9c1fa8', '#b35400', '#00757d'];

/** @typedef {Event & { target: HTMLTextAreaElement }} Typed */

/**
 * Sheet is the picture, on which the person draws.
 * @param {{ name: string, picture: Frozen, tool: Mark['kind'], marks: Drawn[], drawing?: Shape, setDrawing: (to?: Shape) => void,
 *   add: (mark: Shape) => void, change: (id: number, to: Partial<Mark>) => void, remove: (id: number) => void,
 *   focused: number, setFocused: (id: number) => void }} props
 */
function Sheet({ name, picture, tool, marks, drawing, setDrawing, add, change, remove, focused, setFocused }) {
  /** @param {PointerEvent & { currentTarget: SVGSVGElement }} e */
  const at = (e) => {
    const box = e.currentTarget.getBoundingClientRect();
    /** @type {(v: number, most: number) => number} */
    const within = (v, most) => Math.min(Math.max(0, v), most);
    return {
      x: within(((e.clientX - box.left) / box.width) * picture.width, picture.width),
      y: within(((e.clientY - box.top) / box.height) * picture.height, picture.height),
    };
  };
  /** @type {(e: Parameters<typeof at>[0]) => void} */
  const down = (e) => {
    if (e.button) return;
    e.preventDefault();
    e.currentTarget.setPointerCapture(e.pointerId);
    const from = at(e);
    setDrawing({ kind: tool, from, to: from });
  };
  /** @type {typeof down} */
  const move = (e) => {
    if (drawing) setDrawing({ ...drawing, to: at(e) });
  };
  /** @type {typeof down} */
  const up = (e) => {
    if (!drawing) return;
    const mark = { ...drawing, to: at(e) };
    setDrawing(undefined);
    const small = Math.abs(mark.to.x - mark.from.x) < smallest && Math.abs(mark.to.y - mark.from.y) < smallest;
    if (mark.kind === 'point' || small) add({ kind: 'point', from: mark.to, to: mark.to });
    else add(mark);
  };
  /** @type {(e: KeyboardEvent, m: Drawn) => void} */
  const keys = (e, m) => {
    const step = steps[e.key];
    if (e.key === 'Delete' || e.key === 'Backspace') remove(m.id);
    else if (step) {
      /** @param {Point} p */
      const by = (p) => ({
        x: Math.min(Math.max(0, p.x + step[0] * 10), picture.width),
        y: Math.min(Math.max(0, p.y + step[1] * 10), picture.height),
      });
      change(m.id, e.shiftKey && m.kind !== 'point' ? { to: by(m.to) } : { from: by(m.from), to: by(m.to) });
    } else return;
    e.preventDefault();
    e.stopPropagation();
  };
  const scale = picture.width / 1000;
  return html`<div class="sheet">
		<img src=${sessionPath(name, `annotations/picture/${encodeURIComponent(picture.id)}`)} alt="The page as it was when you began to annotate" draggable=${false} />
		<svg id="sheet" viewBox=${`0 0 ${picture.width} ${picture.height}`} role="group" aria-label="Marks on the page"
			onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${() => setDrawing(undefined)}>
			${marks.map(
        (
          m,
          i,
        ) => html`<g key=${m.id} tabindex="0" role="button" aria-label=${`${m.kind} ${i + 1}`} class=${m.id === focused ? 'focused' : ''}
				onKeyDown=${(/** @type {KeyboardEvent} */ e) => keys(e, m)} onFocus=${() => setFocused(m.id)} onBlur=${() => setFocused(-1)}>
				<${Shape} m=${m} color=${colors[i % colors.length]} scale=${scale} number=${i + 1} /></g>`,
      )}
			${drawing && html`<${Shape} m=${drawing} color=${colors[marks.length % colors.length]} scale=${scale} />`}
		</svg>
	</div>`;
}

/** @param {{ m: Shape, color: string, scale: number, number?: number }} props */
function Shape({ m, color, scale, number }) {
  const width = 2.5 * scale;
  const left = Math.min(m.from.x, m.to.x),
    top = Math.min(m.from.y, m.to.y);
  let drawn,
    label = { x: left, y: top };
  if (m.kind === 'box')
    drawn = html`<rect x=${left} y=${top} width=${Math.abs(m.to.x - m.from.x)} height=${Math.abs(m.to.y - m.from.y)} fill=${color} fill-opacity=".12" stroke=${color} stroke-width=${width} rx=${2 * scale} />`;
  else if (m.kind === 'point') {
    drawn = html`<circle cx=${m.to.x} cy=${m.to.y} r=${9 * scale} fill=${color} fill-opacity=".12" stroke=${color} stroke-width=${width} /><circle cx=${m.to.x} cy=${m.to.y} r=${2 * scale} fill=${color} />`;
    label = { x: m.to.x + 8 * scale, y: m.to.y - 8 * scale };
  } else {
    const back = Math.atan2(m.from.y - m.to.y, m.from.x - m.to.x);
    /** @param {number} turn */
    const side = (turn) => `${m.to.x + Math.cos(back + turn) * 14 * scale},${m.to.y + Math.sin(back + turn) * 14 * scale}`;
    drawn = html`<path d=${`M${m.from.x},${m.from.y}L${m.to.x},${m.to.y}M${side(-0.45)}L${m.to.x},${m.to.y}L${side(0.45)}`} fill="none" stroke=${color} stroke-width=${width} stroke-linecap="round" />`;
    label = m.from;
  }
  return html`${drawn}${
    number &&
    html`<g transform=${`translate(${label.x},${Math.max(label.y, 9 * scale)})`}><circle r=${9 * scale} fill=${color} />
		<text fill="#fff" font-size=${12 * scale} font-weight="bold" text-anchor="middle" dominant-baseline="central">${number}</text></g>`
  }`;
}
