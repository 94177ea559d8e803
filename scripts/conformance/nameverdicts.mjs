// Whether what a program says of an element is what a case expects, and how often.

/**
 * @import { Case } from './namecases.mjs'
 * @import { Answer } from './nameanswers.mjs'
 */

export const WHO = ['skua', 'Chrome', 'Playwright', 'agent-browser'];

// How Chrome's tree, and with it skua and agent-browser, spell roles of ARIA.
/** @type {{[role: string]: string}} */
const SPELLINGS = { image: 'img', presentation: 'none', SvgRoot: 'graphics-document', MathMLMath: 'math' };

// A role that begins with a capital is one of Chrome's own, for what has no role in ARIA. These stand for elements that have one.
const NOT_AS_ASKED = new Set(['LayoutTable', 'LayoutTableRow', 'LayoutTableCell']);

/**
 * "-" stands for what the standards call no corresponding role.
 * @param {string} wanted
 * @param {string} said
 */
function isRole(wanted, said) {
  const role = SPELLINGS[said] ?? said;
  const meaningless = role === '' || role === 'generic' || role === 'none';
  if (wanted === 'generic' || wanted === 'none') return meaningless;
  return wanted === '-' ? meaningless || (/^[A-Z]/.test(role) && !NOT_AS_ASKED.has(role)) : role === wanted;
}

/** @param {string} text */
function collapsed(text) {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Counts for a suite.
 * @param {string} suite
 */
export function verdicts(suite) {
  /** @type {Map<string, {all: number, right: Map<string, number>, asked: Map<string, number>}>} */
  const counts = new Map();

  /**
   * @param {string} aspect
   * @param {Answer | null} answer
   * @param {string} who
   * @param {boolean} right
   */
  function count(aspect, who, answer, right) {
    const of = counts.get(aspect);
    if (of === undefined || answer === null) return;
    of.asked.set(who, (of.asked.get(who) ?? 0) + 1);
    if (right) of.right.set(who, (of.right.get(who) ?? 0) + 1);
  }

  return {
    /**
     * @param {Case} one
     * @param {{[who: string]: Answer | null}} answers
     * @returns {string[]} a line for each that is not as it should be
     */
    judge(one, answers) {
      const misses = [];
      for (const aspect of /** @type {const} */ (['role', 'name', 'description'])) {
        const wanted = one[aspect];
        if (wanted === undefined) continue;
        for (const kind of aspect === 'name' ? [aspect, 'name, white space collapsed'] : [aspect]) {
          const of = counts.get(kind) ?? { all: 0, right: new Map(), asked: new Map() };
          of.all++;
          counts.set(kind, of);
          for (const who of WHO) {
            const answer = answers[who];
            if (who === 'agent-browser' && aspect === 'description') continue;
            const said = String(answer?.[aspect] ?? '');
            const right =
              kind === 'role' ? isRole(wanted, said) : kind === 'name' ? said === wanted : collapsed(said) === collapsed(wanted);
            count(kind, who, answer, right);
            if (!right && answer !== null && kind === aspect)
              misses.push(`- ${suite}, ${one.title}: ${aspect} ${JSON.stringify(wanted)}, ${who} ${JSON.stringify(said)}`);
          }
        }
      }
      return misses;
    },
    /** The lines of a table. */
    rows() {
      return [...counts].map(([aspect, { all, right, asked }]) => {
        const cells = WHO.map((who) => {
          const of = asked.get(who) ?? 0;
          if (of === 0) return '–';
          return of === all ? `${right.get(who) ?? 0}` : `${right.get(who) ?? 0} of ${of}`;
        });
        return `| ${suite} | ${aspect} | ${all} | ${cells.join(' | ')} |`;
      });
    },
  };
}
