/**
 * Records the last content of each file that the model saw, so that edits of newer content are
 * refused.
 */
export interface ReadMemory {
  /** Records content that a tool displayed or wrote. */
  saw(path: string, content: Buffer): void;
  /** Records the content that a command of the run left in a file, as SHA-256. */
  ownChange(path: string, hash: string): void;
  /**
   * Throws `ToolError('changed_since_read')` if the file differs from the last seen content. Unseen
   * and missing files pass. For edits located by text (`text`), content left by the run's own
   * command passes too. Edits by line number or of the whole file (`place`) could hit unseen
   * content.
   */
  check(path: string, current: Buffer | null, by?: 'text' | 'place'): void;
}
