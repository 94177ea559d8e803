// The cases of scripts/conformance-names: documents with one element #test, and what the standards, or other people's suites, call it.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * What is expected is left out where the case does not tell it.
 * @typedef {{title: string, html: string, role?: string, name?: string, description?: string}} Case
 * @typedef {{name: string, cases: Case[]}} Suite
 */

/**
 * The cases of our own: one file per standard, in the format of golang.org/x/tools/txtar. Each case is headed by the paragraph it comes from
 * and its title. `key: value` lines and the document follow.
 * @param {string} folder
 * @returns {Suite[]}
 */
export function ownSuites(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txtar'))
    .sort()
    .map((file) => ({ name: basename(file, '.txtar'), cases: casesIn(readFileSync(join(folder, file), 'utf8')) }));
}

const EXPECTED = /** @type {const} */ (['role', 'name', 'description']);

/** @param {string} text */
function casesIn(text) {
  /** @type {Case[]} */
  const cases = [];
  for (const line of text.split('\n')) {
    const head = /^-- (.*) --$/.exec(line);
    if (head) cases.push({ title: head[1], html: '' });
    const one = cases.at(-1);
    if (head || one === undefined) continue;
    const key = EXPECTED.find((word) => line.startsWith(`${word}:`));
    if (key !== undefined) one[key] = unescaped(line.slice(key.length + 1).trim());
    else if (!/^(skua (role|name|description)|why):/.test(line)) one.html += `${line}\n`;
  }
  return cases;
}

/**
 * A character that no editor shows is written as \u00a0.
 * @param {string} value
 */
function unescaped(value) {
  return value.replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
}

/**
 * The manual name tests of the Web Platform Tests and its own, which the package `accname` carries.
 * @param {string} folder of the package
 * @returns {Suite[]}
 */
export function accnameSuites(folder) {
  /** @type {{title: string, expectedName: string, htmlInput: string}[]} */
  const manual = require(join(folder, 'dist/testing/wpt_testdata.js')).WPT_TEST_CASES;
  const own = readFileSync(join(folder, 'dist/lib/compute_text_alternative_test.js'), 'utf8');
  const expectations = own.matchAll(
    /it\('((?:[^'\\]|\\.)*)', \(\) => \{\s*expect\(`([^`$]*)`\)\s*\.toHaveTextAlernative\('((?:[^'\\]|\\.)*)'\)/g,
  );
  return [
    {
      name: 'WPT, manual names (npm accname)',
      cases: manual.map((one) => ({ title: one.title, html: one.htmlInput, name: one.expectedName })),
    },
    { name: 'names (npm accname)', cases: [...expectations].map(([, title, html, name]) => ({ title, html, name })) },
  ];
}

/** @typedef {{name: string, value?: string, constraints?: string[]}} Attribute */

/**
 * The roles of elements by the package `aria-query`. It has descriptions of elements and no documents, so each is put where HTML wants it.
 * @param {string} folder of the package
 * @returns {Suite}
 */
export function rolesSuite(folder) {
  /** @type {[{name: string, attributes?: Attribute[], constraints?: string[]}, string[]][]} */
  const entries = [...require(join(folder, 'lib/elementRoleMap.js')).default.entries()];
  /** @type {Case[]} */
  const cases = [];
  for (const [{ name, attributes = [], constraints = [] }, [role]] of entries) {
    // These have no place of their own in a document, or need one that the description does not tell.
    if (name === 'html' || name === 'body' || (name === 'aside' && role === 'generic')) continue;
    const said = attributes
      .filter((one) => !one.constraints?.includes('undefined'))
      .map(sample)
      .join('');
    const title = `${name}${said}${constraints.length === 0 ? '' : `, ${constraints[0]}`}`;
    cases.push({ title, role: role === 'presentation' ? 'none' : role, html: placed(name, said, constraints) });
  }
  return { name: 'roles (npm aria-query)', cases };
}

/** @param {Attribute} attribute */
function sample({ name, value, constraints }) {
  if (value !== undefined) return ` ${name}="${value}"`;
  if (constraints?.includes('>1')) return ` ${name}="2"`;
  return ` ${name}="${{ list: 'values', 'aria-labelledby': 'label', href: '#x' }[name] ?? 'Some'}"`;
}

const VOID = new Set(['input', 'img', 'hr', 'area']);

/**
 * @param {string} name
 * @param {string} said its attributes
 * @param {string[]} constraints
 */
function placed(name, said, constraints) {
  const el = `<${name}${said} id=test>${VOID.has(name) ? '' : `text</${name}>`}`;
  const table = (/** @type {string} */ inner, role = '') => `<table${role}><caption>Data</caption>${inner}</table>`;
  switch (name) {
    case 'caption':
      return `<table>${el}<tr><td>1</table>`;
    case 'td':
      return table(`<tr>${el}<td>2`, constraints.some((one) => one.includes('grid')) ? ' role=grid' : '');
    case 'th':
      return table(said.includes('row') ? `<tr>${el}<td>2` : `<tr>${el}<th>B<tr><td>1<td>2`);
    case 'tr':
      return table(`<tr id=test><td>1<td>2`);
    case 'tbody':
    case 'thead':
    case 'tfoot':
      return table(`<${name} id=test><tr><td>1<td>2</${name}>`);
    case 'option':
      return `<select size=2>${el}</select>`;
    case 'optgroup':
      return `<select size=2><optgroup id=test label=Group><option>text</optgroup></select>`;
    case 'select':
      return `<select${said} id=test><option>text</select>`;
    case 'li':
      return `<ul>${el}</ul>`;
    case 'dd':
    case 'dt':
      return `<dl>${name === 'dd' ? '<dt>term' : ''}${el}</dl>`;
    case 'area':
      return `<img usemap="#map" alt=Map src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" width=9 height=9><map name=map><area${said} shape=default id=test></map>`;
    case 'datalist':
      return `<input list=test>${el}`;
    case 'img':
      return `<img${said} id=test src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" width=9 height=9>`;
    case 'math':
      return `<math id=test><mi>x</mi></math>`;
    case 'dialog':
      return `<dialog open id=test>text</dialog>`;
    case 'details':
      return `<details id=test open><summary>More</summary>text</details>`;
  }
  const label = said.includes('labelledby') ? '<p id=label>Label</p>' : '';
  const values = said.includes('list=') ? '<datalist id=values><option>a</datalist>' : '';
  const inside = constraints.some((one) => one.includes('sectioning'));
  return `${label}${values}${inside ? `<article>${el}</article>` : el}`;
}
