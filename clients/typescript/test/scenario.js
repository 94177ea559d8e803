// Runs the steps of a scenario and prints the outcome of each as one line of JSON: node scenario.js STEPS OPTIONS. It judges nothing; the test that runs it
// compares what all languages print.
import { readFileSync } from 'node:fs';
import { SkuaError, session } from 'skua-client';

const steps = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const page = await session('scenario', JSON.parse(process.argv[3]));

/** @param {string} words */
const camel = (words) => words.replace(/[ -](\w)/g, (_, letter) => letter.toUpperCase());

/** @type {Record<string, { role: string, name: string }>} */
let refs = {};

/** @param {unknown} arg */
function filled(arg) {
  const wanted = typeof arg === 'string' && /^\{ref:(.*?):(.*)\}$/.exec(arg);
  if (!wanted) return arg;
  const found = Object.entries(refs).find(([, { role, name }]) => role === wanted[1] && name === wanted[2]);
  if (!found) throw new Error(`no snapshot had ${arg}`);
  return `@${found[0]}`;
}

for (const step of steps) {
  const options = Object.fromEntries(Object.entries(step.flags ?? {}).map(([flag, value]) => [camel(flag), value]));
  const given = [...(step.args ?? []).map(filled), ...(step.flags ? [options] : [])];
  let came;
  try {
    const data = await /** @type {any} */ (page)[camel(step.command)](...given);
    if (data.refs) refs = data.refs;
    came = { data };
  } catch (error) {
    if (!(error instanceof SkuaError)) throw error;
    came = { code: error.code, message: error.message, hint: error.hint };
  }
  process.stdout.write(`${JSON.stringify(came)}\n`);
}
