/// <reference lib="esnext.disposable" />
import type { ErrorCode } from './codes.js';
import { Commands, type SessionFlags } from './commands.js';

export type * from './codes.js';
export * from './commands.js';

/** The version of skua that this library was made with. */
export declare const version: string;

/** A command that failed. Nothing else is thrown by commands. */
export declare class SkuaError extends Error {
  constructor(code: ErrorCode, message: string, more?: { hint?: string; facts?: Record<string, unknown>; notices?: string[]; outcome?: 'none' | 'done' | 'unknown'; cause?: unknown });
  /** Whether a command that changes something may be sent again: nothing was changed (none), or nobody knows (unknown). Not set for others. */
  readonly outcome?: 'none' | 'done' | 'unknown';
  readonly name: 'SkuaError';
  /** What kind of failure it is. Codes are never renamed. */
  readonly code: ErrorCode;
  /** What to do next; the message ends with it. May be empty. */
  readonly hint: string;
  /** Details, by their names. */
  readonly facts: Record<string, unknown>;
  /** What the caller should know besides. */
  readonly notices: string[];
}

export interface SessionOptions extends SessionFlags {
  /** Run commands at a `skua serve` in place of this machine's host. */
  serve?: {
    /** Its address: http://127.0.0.1:9224 */
    url: string;
    /** The task whose pages these are. */
    task: string;
    /** Its token (default: SKUA_MCP_TOKEN). */
    token?: string;
  };
  /** The host program skuad, or the folder that has it (default: SKUA_PATH, else the one on the PATH). */
  skuad?: string;
  /** The folder of the host's socket. */
  socketDir?: string;
  /** A host, sessions and files of their own under this name. */
  namespace?: string;
  /** The environment to use in place of the process's. Of it, the host is told what concerns it. */
  env?: Record<string, string | undefined>;
  /** The folder that relative paths start from. */
  cwd?: string;
  /** Gets each notice of a reply as it comes: late effects of earlier actions, and what the caller must not miss. `page.notices()` has them, too. */
  onNotice?: (text: string) => void;
  /** Leave the session open at the end of `await using`. */
  keep?: boolean;
}

/** A named browser session. Its browser starts with the first command that needs one. */
export declare class Session extends Commands implements AsyncDisposable {
  private constructor();
  readonly name: string;
  /**
   * What replies have said besides their results since the last call: late effects of earlier actions, and what the caller must not miss. Each result has its
   * own as `notices`, too. The last 200 are kept.
   */
  notices(): string[];
  /** Closes the session, unless it is kept: `await using page = await session('shop')`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens a session by its name. A host is started if none is running. */
export declare function session(name?: string, options?: SessionOptions): Promise<Session>;
