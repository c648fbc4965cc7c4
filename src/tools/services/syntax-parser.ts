import type { SyntaxAnswer, SyntaxRequest } from '../code/grammars/syntax-symbol.ts';

/** Why a file was not parsed: it took too long, or broke the parser. */
export type ParseFailure = 'slow' | 'broken';

/** The parser of a run. It is a process of its own, started on first use and kept until `close`. */
export interface SyntaxParser {
  /**
   * The names of one text. Null where there is no parser on this machine. Rejects with the signal's reason on
   * abort, which ends the process at once.
   */
  analyse(request: SyntaxRequest, signal: AbortSignal): Promise<SyntaxAnswer | ParseFailure | null>;
  /** Ends the process and waits until it is gone. */
  close(): Promise<void>;
}
