/** What the model last saw of each file, so that an edit of something newer is refused. */
export interface ReadMemory {
  /** Notes the content a tool showed or wrote. */
  saw(path: string, content: Buffer): void;
  /** Notes what a command of the run itself left in a file: SHA-256 of its content. */
  ownChange(path: string, hash: string): void;
  /**
   * Throws `ToolError('changed_since_read')` when the file is not what was last seen; unseen and gone are fine, and
   * so is what the run's own command left, for a change that finds its place by the text (`text`). One by line
   * number, or of the whole file (`place`), would hit what the model does not know of.
   */
  check(path: string, current: Buffer | null, by?: 'text' | 'place'): void;
}
