// Has the conformance suite import fs.mjs in place of Node's own module: node --import ./hook.mjs …
import { register } from 'node:module';

const instead = new URL('fs.mjs', import.meta.url).href;
const hook = `export const resolve = (name, context, next) => name === 'fs' ? { url: ${JSON.stringify(instead)}, shortCircuit: true } : next(name, context)`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
