/** One command to run in the checkout. */
export interface CommandRequest {
  /** Given to `bash -c`. */
  readonly command: string;
  /** Absolute, inside the workspace. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Variables on top of the clean environment: never a credential. */
  readonly env?: Readonly<Record<string, string>>;
  /** Given on standard input, which is empty otherwise. */
  readonly stdin?: string;
  /** True: the sandbox shows the workspace for reading only, so that nothing in it can change. Plain processes ignore it. */
  readonly readOnlyWorkspace?: boolean;
  /** Called with each piece of standard output and error, as they come. */
  readonly onOutput: (chunk: Buffer) => void;
}

export interface CommandResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly durationMs: number;
}

/**
 * Runs commands of the agent zone, inside the sandbox or, where it is off, with the same clean environment.
 * When a command ends, by itself, by time-out or abort, its whole process tree is gone before the promise
 * settles. An abort rejects with the signal's reason.
 */
export interface CommandRunner {
  /** True when a working sandbox stands behind `run`. */
  readonly sandboxed: boolean;
  run(request: CommandRequest): Promise<CommandResult>;
  /** Kills and awaits everything that is left. */
  close(): Promise<void>;
}
