import { canceled, hostUnreachable } from '../protocol.js';

/** What a command that failed says, as index.d.ts describes it. */
export class SkuaError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{ hint?: string, facts?: Record<string, unknown>, notices?: string[], outcome?: 'none' | 'done' | 'unknown', cause?: unknown }} [more]
   */
  constructor(code, message, more = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'SkuaError';
    this.code = code;
    this.hint = more.hint ?? '';
    this.facts = more.facts ?? {};
    this.notices = more.notices ?? [];
    this.outcome = more.outcome;
  }
}

/**
 * The error of a host that cannot be used.
 * @param {string} message
 * @param {unknown} [cause]
 */
export function unreachable(message, cause) {
  return new SkuaError(hostUnreachable, message, { cause });
}

/**
 * The error of a call whose signal was aborted.
 * @param {AbortSignal} signal
 */
export function canceledBy(signal) {
  return new SkuaError(canceled, 'The call was canceled.', { cause: signal.reason });
}
