/** One command to run in the checkout. */
export interface CommandRequest {
  /** Given to `bash -c`. */
  readonly command: string;
  /** Absolute, inside the workspace. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Variables added to the clean environment; never a credential. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text for standard input. Default: empty. */
  readonly stdin?: string | undefined;
  /**
   * True to mount the workspace read-only, so that nothing in it can change. Plain processes ignore
   * it.
   */
  readonly readOnlyWorkspace?: boolean;
  /** Called with each piece of standard output and error. */
  readonly onOutput: (chunk: Buffer) => void;
}

export interface CommandResult {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly durationMs: number;
  /**
   * True if a leftover process was found and killed. Absent otherwise, and always in a sandbox,
   * which kills all without a search.
   */
  readonly endedMore?: true;
}

/**
 * A program to start and talk to while it runs. Only its own end, `kill` or the runner's close ends
 * it.
 */
export interface ProcessRequest extends Pick<CommandRequest, 'command' | 'cwd' | 'env' | 'onOutput'> {
  /** Called with each piece of standard error. Default: passed to `onOutput`. */
  readonly onError?: (chunk: Buffer) => void;
}

/** A running program. */
export interface OpenProcess {
  /** Writes text to its standard input. Text after its end is dropped. */
  write(text: string): void;
  /** Ends its standard input. */
  closeInput(): void;
  /** Sends SIGTERM. A program that ignores it must be killed. */
  terminate(): void;
  /** Resolves once it has ended, all output was passed on, and nothing it started remains. */
  readonly ended: Promise<Omit<CommandResult, 'timedOut'>>;
  /** Kills its whole process tree. Resolves with `ended` and never rejects. */
  kill(): Promise<void>;
}

/**
 * Runs commands of the agent zone in the sandbox or, if it is off, as plain processes with the same
 * clean environment. When a command ends, times out or is aborted, its process tree is gone before
 * the promise settles. An abort rejects with the signal's reason.
 */
export interface CommandRunner {
  /** True if `run` uses a working sandbox. */
  readonly sandboxed: boolean;
  run(request: CommandRequest): Promise<CommandResult>;
  /** Starts a program in a sandbox of its own and leaves it running. */
  open(request: ProcessRequest): Promise<OpenProcess>;
  /** Kills and awaits everything that still runs. */
  close(): Promise<void>;
}
