import { inspect } from 'node:util';
import type { StopReason } from './limits.ts';

/**
 * The model did something a tool cannot do. Its message is for the model, which tries again: the
 * fault, its location and the remedy. Never ends a run.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  /**
   * A stable word for programs: `invalid_input`, `unknown_tool`, `not_found`, `refused`, `timeout`,
   * …
   */
  readonly kind: string;

  constructor(kind: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Creates the error for a call whose input is wrong. The message explains what is expected. */
export const invalidInput = (message: string, options?: ErrorOptions): ToolError =>
  new ToolError('invalid_input', message, options);

/** The operator has to change something: a key, a file, an input. Names the place and the cure. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** The file of the mistake, as the operator knows its path. */
  readonly file: string | undefined;
  /** The key or variable that is wrong: `permissions.preset`, `ANTHROPIC_API_KEY`. */
  readonly key: string | undefined;
  /** The message with addresses of the operator's, for the log and local output. */
  readonly detail: string | undefined;

  constructor(
    message: string,
    place: { file?: string; key?: string; detail?: string } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.file = place.file;
    this.key = place.key;
    this.detail = place.detail;
  }
}

/** Ends a run early for a reason in the report; its earlier work is stored. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason, options?: ErrorOptions) {
    super(reason.message, options);
    this.reason = reason;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is no folder',
  EEXIST: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'the permission is missing',
  EPERM: 'the permission is missing',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
};

/** The system's message for an error; else its code or text. */
export function systemReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return reasons[code] ?? (code || String(error));
}

/** True for a system error caused by a full disk or an exceeded quota. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

/** Characters of an error's message in a report, and of its whole cause in the record. */
const most = { message: 500, cause: 10_000 };

/**
 * The stop reason of an error that nothing expected: a defect of ours, or a refusal of the system.
 * At most 500 characters of its message.
 */
export function internalError(error: unknown): StopReason {
  const what = error instanceof Error ? error.message : String(error);
  const isSystem = error instanceof Error && 'syscall' in error;
  const name = error instanceof Error && !isSystem ? `${error.name}: ` : '';
  const text = `${name}${what}`.slice(0, most.message).trimEnd();
  const stop = /[.!?…]$/u.test(text) ? '' : '.';
  const who = isSystem ? 'The system failed the run' : 'Anode CI itself failed';
  const remedy = isFullDisk(error) ? ' Free space on that disk.' : '';
  return {
    kind: 'internal_error',
    message: `${who}: ${text}${stop}${remedy} What the run did before is kept.`,
  };
}

/** The error with its stack and its causes, for the record. Its reader redacts it. */
export function describeDefect(error: unknown): string {
  const cause = error instanceof RunStopped && error.cause !== undefined ? error.cause : error;
  // Nothing of ours is to be mended there.
  return (isFullDisk(cause) ? String(cause) : inspect(cause)).slice(0, most.cause);
}
