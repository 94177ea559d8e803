/**
 * Turns the values that a database can hold into JSON and back, without loss. JSON that needs no more than itself stays as it is; the rest is an
 * object whose key "$" names its kind. Objects that a value holds twice, or that hold themselves, are numbered in the order in which they come.
 */
export const fromBytes = (/** @type {Uint8Array & {toBase64?: () => string}} */ bytes) => {
  if (bytes.toBase64) {
    return bytes.toBase64();
  }
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  }
  return btoa(text);
};
export const toBytes = (/** @type {string} */ text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
/** Text that is not Unicode, which JSON cannot have. */
export const fromText = (/** @type {string} */ text) =>
  fromBytes(new Uint8Array(Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)).buffer));
export const toText = (/** @type {string} */ coded) => {
  let text = '';
  for (const unit of new Uint16Array(toBytes(coded).buffer)) {
    text += String.fromCharCode(unit);
  }
  return text;
};
const kindOf = (/** @type {unknown} */ v) => Object.prototype.toString.call(v).slice(8, -1);
/** @type {(new (buffer: ArrayBuffer, offset: number, length: number) => ArrayBufferView)[]} */
const views = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
];
if (typeof Float16Array !== 'undefined') {
  views.push(Float16Array);
}
/** @type {Object<string, ErrorConstructor>} */
const errors = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
/** @type {Object<string, any>} classes whose makers differ in name */
const geometry = { DOMPoint, DOMPointReadOnly, DOMRect, DOMRectReadOnly, DOMQuad, DOMMatrix, DOMMatrixReadOnly };

/** What cannot be put into a file is thrown, as a text that names it. Work that takes a while is added to waits. */
export const encode = (/** @type {unknown} */ value, /** @type {Promise<unknown>[]} */ waits) => {
  const seen = new Map();
  /** @type {(v: any) => any} whatever the structured clone algorithm copies, to JSON */
  const enc = (v) => {
    switch (typeof v) {
      case 'string':
        return v.isWellFormed() ? v : { $: 'text', v: fromText(v) };
      case 'boolean':
        return v;
      case 'number':
        return Number.isFinite(v) && !Object.is(v, -0) ? v : { $: 'number', v: Object.is(v, -0) ? '-0' : String(v) };
      case 'bigint':
        return { $: 'bigint', v: String(v) };
      case 'undefined':
        return { $: 'undefined' };
    }
    if (v === null) {
      return null;
    }
    if (seen.has(v)) {
      return { $: 'ref', v: seen.get(v) };
    }
    seen.set(v, seen.size);
    const kind = kindOf(v);
    if (ArrayBuffer.isView(v)) {
      return {
        $: 'view',
        t: kind,
        b: enc(v.buffer),
        o: v.byteOffset,
        n: kind === 'DataView' ? v.byteLength : /** @type {Uint8Array} */ (v).length,
      };
    }
    switch (kind) {
      case 'Array': {
        const keys = Object.keys(v);
        if (keys.length === v.length && (keys.length === 0 || keys[keys.length - 1] === String(v.length - 1))) {
          return v.map(enc);
        }
        return { $: 'array', n: v.length, v: keys.map((k) => [enc(k), enc(v[k])]) };
      }
      case 'Object': {
        const keys = Object.keys(v);
        if (keys.some((k) => k === '$' || k === '__proto__' || !k.isWellFormed())) {
          return { $: 'object', v: keys.map((k) => [enc(k), enc(v[k])]) };
        }
        /** @type {Object<string, any>} */
        const out = {};
        for (const k of keys) {
          out[k] = enc(v[k]);
        }
        return out;
      }
      case 'Date':
        return { $: 'date', v: Number.isNaN(v.getTime()) ? null : v.getTime() };
      case 'RegExp':
        return { $: 'regexp', v: v.source, f: v.flags };
      case 'Map':
        return { $: 'map', v: [...v].map(([k, x]) => [enc(k), enc(x)]) };
      case 'Set':
        return { $: 'set', v: [...v].map(enc) };
      case 'Boolean':
      case 'Number':
      case 'String':
      case 'BigInt':
        return { $: 'boxed', v: enc(v.valueOf()) };
      case 'ArrayBuffer':
        return { $: 'buffer', v: fromBytes(new Uint8Array(v)), ...(v.resizable ? { max: v.maxByteLength } : {}) };
      case 'Error': {
        /** @type {Object<string, any>} */
        const out = { $: 'error', t: v.name, m: v.message };
        if ('stack' in v) {
          out.s = String(v.stack);
        }
        if ('cause' in v) {
          out.c = enc(v.cause);
        }
        return out;
      }
      case 'Blob':
      case 'File': {
        /** @type {Object<string, any>} */
        const out = { $: 'blob', t: v.type, v: '' };
        if (kind === 'File') {
          out.f = { name: v.name, lastModified: v.lastModified };
        }
        waits.push(
          v.arrayBuffer().then((/** @type {ArrayBuffer} */ b) => {
            out.v = fromBytes(new Uint8Array(b));
          }),
        );
        return out;
      }
      case 'CryptoKey': {
        if (!v.extractable) {
          throw 'a CryptoKey that must not leave the browser';
        }
        /** @type {Object<string, any>} */
        const out = { $: 'key', v: null, a: v.algorithm, u: v.usages };
        if (out.a.publicExponent) {
          out.a = { name: v.algorithm.name, hash: v.algorithm.hash };
        }
        waits.push(
          crypto.subtle.exportKey('jwk', v).then((jwk) => {
            out.v = jwk;
          }),
        );
        return out;
      }
      case 'ImageData':
        return { $: 'image', w: v.width, h: v.height, s: v.colorSpace, v: fromBytes(new Uint8Array(v.data.buffer)) };
    }
    if (geometry[kind]) {
      return { $: 'geometry', t: kind, v: JSON.parse(JSON.stringify(v)) };
    }
    throw `a ${kind}, which only the browser can keep`;
  };
  return enc(value);
};

/** Keys are imported before values are made, since a database's transaction does not wait for that. */
export const prepare = async (/** @type {any} */ node, /** @type {Map<object, CryptoKey>} */ keys) => {
  if (node === null || typeof node !== 'object') {
    return;
  }
  if (node.$ === 'key') {
    keys.set(node, await crypto.subtle.importKey('jwk', node.v, node.a, true, node.u));
    return;
  }
  for (const k of Object.keys(node)) {
    await prepare(node[k], keys);
  }
};

export const decode = (/** @type {any} */ node, /** @type {Map<object, CryptoKey>} */ keys) => {
  /** @type {unknown[]} */
  const made = [];
  /** @type {(n: any) => any} JSON that enc has made */
  const dec = (n) => {
    if (n === null || typeof n !== 'object') {
      return n;
    }
    const at = made.length;
    /** @type {<T>(v: T) => T} */
    const own = (v) => {
      made[at] = v;
      return v;
    };
    if (Array.isArray(n)) {
      made.push(null);
      const out = own(/** @type {unknown[]} */ ([]));
      for (const x of n) {
        out.push(dec(x));
      }
      return out;
    }
    switch (n.$) {
      case 'number':
        return n.v === '-0' ? -0 : Number(n.v);
      case 'text':
        return toText(n.v);
      case 'bigint':
        return BigInt(n.v);
      case 'undefined':
        return undefined;
      case 'ref':
        return made[n.v];
    }
    made.push(null);
    const put = (/** @type {object} */ to, /** @type {PropertyKey} */ k, /** @type {unknown} */ v) =>
      Object.defineProperty(to, k, { value: v, enumerable: true, configurable: true, writable: true });
    switch (n.$) {
      case undefined: {
        /** @type {Object<string, any>} */
        const out = own({});
        for (const k of Object.keys(n)) {
          out[k] = dec(n[k]);
        }
        return out;
      }
      case 'object': {
        const out = own({});
        for (const [k, x] of n.v) {
          put(out, dec(k), dec(x));
        }
        return out;
      }
      case 'array': {
        const out = own(new Array(n.n));
        for (const [k, x] of n.v) {
          put(out, dec(k), dec(x));
        }
        return out;
      }
      case 'date':
        return own(new Date(n.v === null ? NaN : n.v));
      case 'regexp':
        return own(new RegExp(n.v, n.f));
      case 'map': {
        const out = own(new Map());
        for (const [k, x] of n.v) {
          const key = dec(k);
          out.set(key, dec(x));
        }
        return out;
      }
      case 'set': {
        const out = own(new Set());
        for (const x of n.v) {
          out.add(dec(x));
        }
        return out;
      }
      case 'boxed':
        return own(Object(dec(n.v)));
      case 'buffer': {
        const bytes = toBytes(n.v);
        if (n.max === undefined) {
          return own(bytes.buffer);
        }
        const buffer = new ArrayBuffer(bytes.length, { maxByteLength: n.max });
        new Uint8Array(buffer).set(bytes);
        return own(buffer);
      }
      case 'view': {
        const buffer = dec(n.b);
        return own(new /** @type {(typeof views)[0]} */ (views.find((c) => c.name === n.t))(buffer, n.o, n.n));
      }
      case 'error': {
        const out = own(new (errors[n.t] || Error)(n.m));
        Object.defineProperty(out, 'stack', { value: n.s || '', configurable: true, writable: true });
        if ('c' in n) {
          Object.defineProperty(out, 'cause', { value: dec(n.c), configurable: true, writable: true });
        }
        return out;
      }
      case 'blob':
        return own(
          n.f ? new File([toBytes(n.v)], n.f.name, { type: n.t, lastModified: n.f.lastModified }) : new Blob([toBytes(n.v)], { type: n.t }),
        );
      case 'key':
        return own(keys.get(n));
      case 'image':
        return own(new ImageData(new Uint8ClampedArray(toBytes(n.v).buffer), n.w, n.h, { colorSpace: n.s }));
      case 'geometry': {
        const kind = geometry[n.t];
        const from = kind.fromPoint || kind.fromRect || kind.fromQuad || kind.fromMatrix;
        return own(from.call(kind, n.v));
      }
    }
    throw new Error(`nothing is known of values of kind ${n.$}`);
  };
  return dec(node);
};

/** An estimate of the size of a value in a file, made before anything is copied. */
export const bytesOf = (/** @type {string} */ value) => {
  const seen = new Set();
  /** @type {(v: any) => number} */
  const size = (v) => {
    if (typeof v === 'string') {
      return v.length + 2;
    }
    if (v === null || typeof v !== 'object' || seen.has(v)) {
      return 8;
    }
    seen.add(v);
    if (v instanceof Blob) {
      return v.size * 1.4;
    }
    if (v instanceof ArrayBuffer) {
      return v.byteLength * 1.4;
    }
    if (ArrayBuffer.isView(v)) {
      return size(v.buffer);
    }
    let sum = 8;
    if (v instanceof Map) {
      for (const [k, x] of v) {
        sum += size(k) + size(x);
      }
      return sum;
    }
    if (v instanceof Set) {
      for (const x of v) {
        sum += size(x);
      }
      return sum;
    }
    for (const k of Object.keys(v)) {
      sum += k.length + 3 + size(v[k]);
    }
    return sum;
  };
  return size(value);
};
