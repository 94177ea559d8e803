import { SkuaError } from './errors.js';
import { usage } from '../protocol.js';

/**
 * The flags of a command by their names in this library: the flag, and how it is written.
 * @typedef {Record<string, string[]>} Flags
 */

/**
 * A command: the words of its name, the names of its arguments, its flags, and whether it may ask a language model.
 * @typedef {{ words: string[], args: string[], flags: Flags, model: boolean }} Spec
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
      return (Array.isArray(value) ? value : [value]).map((one) => `--${name}=${one}`);
    case 'optional':
      if (value === true) return [`--${name}`];
  }
  return [`--${name}=${value}`];
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
  const args = given.filter((_, i) => i < given.length - 1 || !areOptions(given[i]));
  const last = given.at(-1);
  const { input, signal, ...options } = areOptions(last) ? last : /** @type {Record<string, unknown>} */ ({});
  const name = spec.words.join(' ');
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
    ...flagsWords(sessionFlags, forAll, 'a session'),
    ...flagsWords(callFlags, ofCall, name),
    ...spec.words,
    ...flagsWords(spec.flags, ofCommand, name),
  ];
  if (args.length > 0) words.push('--', ...args.flatMap((arg) => (Array.isArray(arg) ? arg : [arg])).map(String));
  return {
    words,
    stdin: /** @type {string | Uint8Array | undefined} */ (input),
    signal: /** @type {AbortSignal | undefined} */ (signal),
    model: spec.model,
  };
}
