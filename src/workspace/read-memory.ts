/** What the model last saw of each file, so that an edit of something newer is refused. */
export interface ReadMemory {
  /** Notes the content a tool showed or wrote. */
  saw(path: string, content: Buffer): void;
  /** Throws `ToolError('changed_since_read')` when the file is not what was last seen; unseen and gone are fine. */
  check(path: string, current: Buffer | null): void;
}
