import { callFlags, sessionFlags, specs } from '../specs.js';

/** @type {Map<string, string>} */
const methods = new Map(Object.entries(specs).map(([name, spec]) => [spec.words.join(' '), name]));

/** @type {Map<string, string>} */
const options = new Map();
for (const flags of [...Object.values(specs).map((spec) => spec.flags), sessionFlags, callFlags])
  for (const [name, [flag]] of Object.entries(flags)) options.set(`--${flag}`, name);

/**
 * Options in the place of flags.
 * @param {string} text
 */
const withOptions = (text) => text.replace(/(?<![\w-])--[a-z][a-z-]*/g, (flag) => options.get(flag) ?? flag);

/**
 * A command line as the method that it is, with what is given to it; another text stays.
 * @param {string} line
 */
function method(line) {
  const words = line.split(/\s+/).filter((word) => word !== 'skua');
  for (let n = words.length; n > 0; n--) {
    const name = methods.get(words.slice(0, n).join(' '));
    if (name) return `${name}(${words.slice(n).map(withOptions).join(', ')})`;
  }
  return withOptions(line);
}

/**
 * What the host says of command lines, in the words of this library: commands are methods, flags are options, and how a line is written is left out. What is
 * quoted is left as it is, since a page may have said it.
 * @param {string} text
 */
export function speak(text) {
  const lines = text.split('\n').filter((line) => !/^Usage: |^If it is not a flag, /.test(line));
  const parts = lines.join('\n').split(/("(?:[^"\\]|\\.)*")/);
  return parts.map((part, i) => (i % 2 ? part : unquoted(part))).join('');
}

/** @param {string} text */
function unquoted(text) {
  const parts = text.split(/`([^`]+)`/);
  return parts.map((part, i) => (i % 2 ? `\`${method(part)}\`` : withOptions(part))).join('');
}
