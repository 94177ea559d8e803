// What the conformance suite imports as "fs". Node 20 has no globSync, which the suite needs only for what is not used here.
export * from 'node:fs';
export { default } from 'node:fs';

export function globSync() {
  throw new Error('globSync needs Node 22');
}
