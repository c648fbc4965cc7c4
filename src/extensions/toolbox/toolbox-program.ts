/** A program of a toolbox, in a folder that no run can write to. */
export interface ToolboxProgram {
  /** Where it came from, for people: `.tools/run-tests`. */
  readonly shown: string;
  /** Its file, absolute. */
  readonly file: string;
  /** Tells this program from any other, by contents: what was known of it once still holds. */
  readonly digest: string;
}
