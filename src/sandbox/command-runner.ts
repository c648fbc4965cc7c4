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
  /** True where something that it left running was found and ended; left out else, and in a sandbox, which ends all without a look. */
  readonly endedMore?: true;
}

/** A program to start and talk to while it runs. Nothing but its own end, `kill` or the runner's ends it. */
export interface ProcessRequest extends Pick<CommandRequest, 'command' | 'cwd' | 'env' | 'onOutput'> {
  /** Called with each piece of standard error; left out, that is output too. */
  readonly onError?: (chunk: Buffer) => void;
}

/** A program that runs on. */
export interface OpenProcess {
  /** Hands text to its standard input, which stays open. What comes after its end is dropped. */
  write(text: string): void;
  /** Ends its standard input. */
  closeInput(): void;
  /** Asks it to end (SIGTERM); who does not heed that is to be killed. */
  terminate(): void;
  /** Settles when it has ended, all of its output was passed on, and nothing that it started is left. */
  readonly ended: Promise<Omit<CommandResult, 'timedOut'>>;
  /** Ends its whole process tree; settles with `ended`, never rejects. */
  kill(): Promise<void>;
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
  /** Starts a program in a sandbox of its own, and leaves it running. */
  open(request: ProcessRequest): Promise<OpenProcess>;
  /** Kills and awaits everything that is left. */
  close(): Promise<void>;
}
