import { SkuaError } from './errors.js';
import { speak } from './speech.js';
import { confirmationRequired, internal, usage } from '../protocol.js';

/**
 * What a command line printed.
 * @typedef {{ stdout: string, stderr: string, exitCode: number }} Output
 */

/**
 * @param {string[]} [texts]
 */
const all = (texts = []) => texts.map(speak);

/**
 * Reads the reply of a command. A failure is thrown, and so is a command that waits for a person: it has done nothing yet.
 * @param {Output} output
 * @returns {{ data: any, notices: string[] }}
 */
export function readReply(output) {
  let reply;
  try {
    reply = JSON.parse(output.stdout);
  } catch (cause) {
    throw new SkuaError(
      internal,
      (output.stderr || output.stdout).trim() || `the command ended with code ${output.exitCode} and said nothing`,
      { cause },
    );
  }
  if (typeof reply !== 'object' || reply === null || typeof reply.success !== 'boolean') return { data: reply, notices: [] };
  const notices = all(reply.warnings);
  if (reply.data?.notices) reply.data.notices = notices;
  if (!reply.success && typeof reply.error === 'string') {
    throw new SkuaError(reply.code ?? usage, speak(reply.error), {
      hint: speak(reply.hint ?? ''),
      facts: reply.facts,
      notices,
      outcome: reply.outcome,
    });
  }
  if (!('data' in reply)) return { data: reply, notices };
  if (reply.data?.confirmation_required === true) {
    throw new SkuaError(confirmationRequired, `${reply.data.command} waits to be confirmed.`, {
      hint: `A person confirms it with \`skua confirm ${reply.data.confirmation_id}\`.`,
      facts: reply.data,
      notices,
      outcome: reply.outcome,
    });
  }
  return { data: reply.data, notices };
}
