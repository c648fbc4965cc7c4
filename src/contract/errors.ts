import type { StopReason } from './stop-reason.ts';

/**
 * The model did something a tool cannot do. Its message is for the model, which tries again: it says what
 * was wrong, where, and what to do instead. Never ends a run.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  /** A stable word for programs: `invalid_input`, `unknown_tool`, `not_found`, `refused`, `timeout`, … */
  readonly kind: string;

  constructor(kind: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The operator has to change something: a key, a file, an input. Names the place and the cure. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** Where the mistake stands, when it is in a file: its path as the operator knows it. */
  readonly file: string | undefined;
  /** The key or variable that is wrong: `permissions.preset`, `ANTHROPIC_API_KEY`. */
  readonly key: string | undefined;

  constructor(message: string, place: { file?: string; key?: string } = {}, options?: ErrorOptions) {
    super(message, options);
    this.file = place.file;
    this.key = place.key;
  }
}

/** Ends a run early for a reason the report shows; whatever was done so far is kept. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason, options?: ErrorOptions) {
    super(reason.message, options);
    this.reason = reason;
  }
}
