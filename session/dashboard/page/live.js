/** @import { FrameMetadata } from '../types' */
// The live view of one session: pictures in, and, while a person has taken the session over, mouse and keys out.

const buttons = ['left', 'middle', 'right', 'back', 'forward'];

export class Live {
  #canvas;
  #pen;
  #say;
  #onFrame;
  /** @type {WebSocket | undefined} */
  #socket;
  #name = '';
  #taken = false;
  #width = 1280;
  #height = 720;

  /**
   * onFrame is called behind each frame that was drawn, with the session's name and the frame's metadata.
   * @param {HTMLCanvasElement} canvas
   * @param {(words: string) => void} say
   * @param {(name: string, metadata: FrameMetadata) => void} onFrame
   */
  constructor(canvas, say, onFrame = () => {}) {
    this.#canvas = canvas;
    this.#pen = penOf(canvas);
    this.#say = say;
    this.#onFrame = onFrame;
    canvas.addEventListener('mousedown', (e) => this.#mouse(e, 'mousePressed'));
    canvas.addEventListener('mouseup', (e) => this.#mouse(e, 'mouseReleased'));
    canvas.addEventListener('mousemove', (e) => this.#mouse(e, 'mouseMoved'));
    canvas.addEventListener('contextmenu', (e) => {
      if (this.#taken) e.preventDefault();
    });
    canvas.addEventListener('wheel', (e) => this.#mouse(e, 'mouseWheel'), { passive: false });
    canvas.addEventListener('keydown', (e) => this.#key(e, 'keyDown'));
    canvas.addEventListener('keyup', (e) => this.#key(e, 'keyUp'));
    canvas.addEventListener('paste', (e) => {
      if (!this.#taken) return;
      e.preventDefault();
      this.#send({ type: 'input_text', text: e.clipboardData?.getData('text') ?? '' });
    });
  }

  /**
   * type puts a text into the page's focused field, for devices and input methods whose keys the view does not get.
   * @param {string} text
   */
  type(text) {
    if (text) this.#send({ type: 'input_text', text });
  }

  /**
   * watch shows a session; an empty name ends the view.
   * @param {string} name
   * @param {boolean} taken
   */
  watch(name, taken) {
    if (taken !== this.#taken || name !== this.#name)
      this.#say(taken ? 'You work in this session. Commands of agents wait until you hand it back.' : '');
    this.#taken = taken;
    this.#canvas.classList.toggle('taken', taken);
    if (name === this.#name) return;
    this.#name = name;
    this.#socket?.close();
    this.#socket = undefined;
    this.#pen.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    this.#canvas.setAttribute('aria-label', name ? `Live view of session ${name}` : 'Live view');
    if (name) this.#open(name);
  }

  /** @param {string} name */
  #open(name) {
    const socket = new WebSocket(
      new URL(`api/sessions/${encodeURIComponent(name)}/live?pacing=ack&maxFps=30`, location.href).href.replace(/^http/, 'ws'),
    );
    this.#socket = socket;
    socket.onmessage = (e) => {
      const m = JSON.parse(e.data);
      if (m.type === 'frame' && socket === this.#socket) this.#draw(m, socket);
    };
    socket.onclose = () => {
      if (socket !== this.#socket) return;
      this.#say('The live view was interrupted.');
      setTimeout(() => {
        if (socket === this.#socket && this.#name === name) this.#open(name);
      }, 1000);
    };
  }

  /**
   * @param {{ seq: number, data: string, metadata: FrameMetadata }} m
   * @param {WebSocket} socket
   */
  #draw(m, socket) {
    const image = new Image();
    image.onload = () => {
      if (socket === this.#socket) {
        this.#width = m.metadata.deviceWidth;
        this.#height = m.metadata.deviceHeight;
        if (this.#canvas.width !== image.width || this.#canvas.height !== image.height) {
          this.#canvas.width = image.width;
          this.#canvas.height = image.height;
        }
        this.#pen.drawImage(image, 0, 0);
        this.#onFrame(this.#name, m.metadata);
      }
      acknowledge();
    };
    const acknowledge = () => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: 'ack', seq: m.seq }));
    };
    image.onerror = acknowledge;
    image.src = `data:image/jpeg;base64,${m.data}`;
  }

  /** @param {object} message */
  #send(message) {
    if (this.#taken && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /**
   * @param {MouseEvent | WheelEvent} e
   * @param {'mousePressed' | 'mouseReleased' | 'mouseMoved' | 'mouseWheel'} eventType
   */
  #mouse(e, eventType) {
    if (!this.#taken) return;
    e.preventDefault();
    if (eventType === 'mousePressed') this.#canvas.focus({ preventScroll: true }); // else the point below is another one
    const style = getComputedStyle(this.#canvas);
    const left = parseFloat(style.borderLeftWidth),
      top = parseFloat(style.borderTopWidth);
    const box = this.#canvas.getBoundingClientRect();
    this.#send({
      type: 'input_mouse',
      eventType,
      x: ((e.clientX - box.left - left) / this.#canvas.clientWidth) * this.#width,
      y: ((e.clientY - box.top - top) / this.#canvas.clientHeight) * this.#height,
      button: eventType === 'mouseMoved' || eventType === 'mouseWheel' ? 'none' : buttons[e.button],
      clickCount: Math.max(1, e.detail),
      ...(e instanceof WheelEvent && { deltaX: e.deltaX, deltaY: e.deltaY }),
      modifiers: modifiers(e),
    });
  }

  /**
   * @param {KeyboardEvent} e
   * @param {'keyDown' | 'keyUp'} eventType
   */
  #key(e, eventType) {
    if (!this.#taken || e.isComposing) return;
    // Keys that leave the view stay with the person: Tab with Control moves the focus on, and paste is an event of its own.
    if ((e.key === 'Tab' && e.ctrlKey) || ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'v')) return;
    e.preventDefault();
    const typed = [...e.key].length === 1 && !e.ctrlKey && !e.metaKey;
    this.#send({
      type: 'input_keyboard',
      eventType,
      key: e.key,
      code: e.code,
      text: typed && eventType === 'keyDown' ? e.key : '',
      modifiers: modifiers(e),
    });
  }
}

/**
 * penOf is what draws on a canvas.
 * @param {HTMLCanvasElement} canvas
 */
export function penOf(canvas) {
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser cannot draw pictures');
  return pen;
}

/** @param {MouseEvent | KeyboardEvent} e */
function modifiers(e) {
  return (e.altKey ? 1 : 0) | (e.ctrlKey ? 2 : 0) | (e.metaKey ? 4 : 0) | (e.shiftKey ? 8 : 0);
}
