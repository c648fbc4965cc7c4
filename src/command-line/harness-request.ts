import type { CommandContext } from './local-run.ts';

/** Input of a subcommand of `anode harness`. */
export interface HarnessRequest {
  readonly root: string;
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  /** Prints a result: as text, or as one JSON object if that was requested. */
  readonly print: (value: object, text: () => string) => void;
  readonly context: CommandContext;
}
