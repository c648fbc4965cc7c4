import type { SyntaxAnswer, SyntaxRequest } from '../code/grammars/syntax-symbol.ts';

/** Reason a file was not parsed: too slow, or a parser crash. */
export type ParseFailure = 'slow' | 'broken';

/** The parser of a run: a process of its own, started on first use, running until `close`. */
export interface SyntaxParser {
  /**
   * Returns the names of one text. Null if this machine has no parser. An abort rejects with the
   * signal's reason and ends the process.
   */
  analyse(request: SyntaxRequest, signal: AbortSignal): Promise<SyntaxAnswer | ParseFailure | null>;
  /** Ends the process and waits until it is gone. */
  close(): Promise<void>;
}
