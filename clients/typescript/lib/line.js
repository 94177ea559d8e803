import { SkuaError } from './errors.js';
import { usage } from '../protocol.js';

/**
 * The flags of a command by their names in this library: the flag, and how it is written.
 * @typedef {Record<string, string[]>} Flags
 */

/**
 * A command: the words of its name, the names of its arguments, its flags, whether it may ask a language model, the places of arguments that may be any value,
 * and the flag for the arguments of a script that is a function.
 * @typedef {{ words: string[], args: string[], flags: Flags, model: boolean, json?: number[], calls?: string }} Spec
 */

/**
 * What a method returns of another one's result: a member, or the content of the file that it names.
 * @typedef {{ of: string, member: string, file: boolean }} Value
 */

/**
 * What a call runs.
 * @typedef {{ words: string[], stdin?: string | Uint8Array, signal?: AbortSignal, model: boolean }} Line
 */

/**
 * Options are the last thing that is given, if that is an object and not a list.
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function areOptions(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

/**
 * A value as a word of the command line.
 * @param {unknown} value
 */
function word(value) {
  if (typeof value !== 'object' || value === null) return String(value);
  const text = JSON.stringify(value);
  if (text === undefined) throw new SkuaError(usage, `${value} has no form in JSON`);
  return text;
}

/**
 * A list of values, which may be one alone, or headers by their names.
 * @param {unknown} value
 * @returns {unknown[]}
 */
function listOf(value) {
  if (Array.isArray(value)) return value;
  if (areOptions(value)) return Object.entries(value).map(([name, one]) => `${name}: ${one}`);
  return [value];
}

/**
 * The text of a function, as an expression.
 * @param {Function} fn
 */
function functionText(fn) {
  const text = fn.toString();
  for (const expression of [text, `function ${text}`, text.replace(/^(\s*async)?\s*/, '$1 function ')]) {
    try {
      new Function(`return (${expression}\n)`);
      return expression;
    } catch {}
  }
  throw new SkuaError(usage, `the function ${fn.name || '()'} has no text that a page could run`);
}

/**
 * What is given to a command whose script may be a function: its text, and its arguments as an option.
 * @param {Spec} spec
 * @param {unknown[]} given
 */
function withCall(spec, given) {
  const place = spec.args.length - 1;
  const fn = given[place];
  if (!spec.calls || typeof fn !== 'function') return given;
  const values = given.slice(place + 1).map((value, i) => {
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
      throw new SkuaError(usage, `argument ${i + 1} of the function is a ${typeof value}, which has no form in JSON`);
    return value ?? null;
  });
  return [...given.slice(0, place), functionText(fn), { [spec.calls]: JSON.stringify(values) }];
}

/**
 * The words of a flag.
 * @param {string[]} flag
 * @param {unknown} value
 */
export function flagWords([name, manner], value) {
  if (value === undefined || value === null) return [];
  switch (manner) {
    case 'bool':
      return value ? [`--${name}`] : [];
    case 'switch':
      return [`--${name}=${Boolean(value)}`];
    case 'list':
      return listOf(value).map((one) => `--${name}=${word(one)}`);
    case 'optional':
      if (value === true) return [`--${name}`];
  }
  return [`--${name}=${word(value)}`];
}

/**
 * The words of several flags. One that is not known is a mistake of the caller's.
 * @param {Flags} flags
 * @param {Record<string, unknown>} options
 * @param {string} what
 */
export function flagsWords(flags, options, what) {
  return Object.entries(options).flatMap(([name, value]) => {
    if (!Object.hasOwn(flags, name)) throw new SkuaError(usage, `${what} has no option ${JSON.stringify(name)}`);
    return flagWords(flags[name], value);
  });
}

/**
 * The command line of a call: flags of all commands, the command, its flags, and after -- its arguments.
 * @param {Spec} spec
 * @param {unknown[]} given
 * @param {Flags} callFlags
 * @param {Record<string, unknown>} sessionOptions
 * @param {Flags} sessionFlags
 * @returns {Line}
 */
export function commandLine(spec, given, callFlags, sessionOptions, sessionFlags) {
  given = withCall(spec, given);
  const last = given.length - 1;
  const { input, signal, ...options } =
    areOptions(given[last]) && !spec.json?.includes(last) ? given[last] : /** @type {Record<string, unknown>} */ ({});
  const args = given.filter((value, i) => i < last || !areOptions(value) || spec.json?.includes(i));
  const name = spec.words.join(' ').replace(/[ -](\w)/g, (_, letter) => letter.toUpperCase());
  while (args.length > 0 && args.at(-1) === undefined) args.pop();
  if (args.length > spec.args.length) throw new SkuaError(usage, `${name} takes ${spec.args.length} arguments, not ${args.length}`);
  const missing = args.indexOf(undefined);
  if (missing >= 0) throw new SkuaError(usage, `${name}: ${spec.args[missing]} is missing`);

  /** @type {Record<string, unknown>} */
  const ofCall = {};
  /** @type {Record<string, unknown>} */
  const ofCommand = {};
  for (const [key, value] of Object.entries(options)) {
    if (!Object.hasOwn(spec.flags, key) && Object.hasOwn(callFlags, key)) ofCall[key] = value;
    else ofCommand[key] = value;
  }
  const forAll = Object.fromEntries(Object.entries(sessionOptions).filter(([key]) => ofCall[key] === undefined));
  const words = [
    '--json',
    '--short',
    ...flagsWords(sessionFlags, forAll, 'a session'),
    ...flagsWords(callFlags, ofCall, name),
    ...spec.words,
    ...flagsWords(spec.flags, ofCommand, name),
  ];
  if (args.length > 0)
    words.push('--', ...args.flatMap((arg, i) => (Array.isArray(arg) && !spec.json?.includes(i) ? arg : [arg])).map(word));
  return {
    words,
    stdin: /** @type {string | Uint8Array | undefined} */ (input),
    signal: /** @type {AbortSignal | undefined} */ (signal),
    model: spec.model,
  };
}
