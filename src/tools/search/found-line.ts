/** One line of a search's answer: a match, or a line around one. */
export interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly match: boolean;
}
