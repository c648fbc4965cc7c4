/** Keys that end or interrupt, and type nothing: Ctrl-C, Ctrl-D, Ctrl-Z, Ctrl-\. */
const keys: Readonly<Record<string, string>> = {
  '\u0003': 'Ctrl-C',
  '\u0004': 'Ctrl-D',
  '\u001a': 'Ctrl-Z',
  '\u001c': 'Ctrl-\\',
};

/** Input as it was given: the text, and whether Enter follows. */
export interface SessionInput {
  readonly text: string;
  readonly enter: boolean;
}

/** The name of the key where the input is nothing but one that ends or interrupts; else null. */
export function keyOf({ text }: SessionInput): string | null {
  return keys[text] ?? null;
}

/** What is typed: the text and Enter, which a single line that ends in a newline has brought along. */
export function typed(input: SessionInput): string {
  const hasEnter = /^[^\n]*\n$/.test(input.text);
  const enter = input.enter && !hasEnter && keyOf(input) === null;
  return enter ? `${input.text}\n` : input.text;
}

/** Everything that was typed into a session. */
export interface TypedText {
  readonly before: string;
  /** What else the line that has not ended may begin with, for its reader. */
  readonly others: readonly string[];
}

export const nothingTyped: TypedText = { before: '', others: [] };

/**
 * What was typed into a session so far, with this. Ctrl-C takes back a line that was begun, and so may the other
 * keys; but a program can also have them do nothing, and then the line goes on.
 */
export function typedAfter({ before, others }: TypedText, input: SessionInput): TypedText {
  const key = keyOf(input);
  if (key === null) {
    const text = typed(input);
    return { before: before + text, others: text.includes('\n') ? [] : others.map((one) => one + text) };
  }
  const start = before.lastIndexOf('\n') + 1;
  const line = before.slice(start);
  const begun = key === 'Ctrl-C' ? '' : line;
  const all = new Set([...others, line, '']);
  all.delete(begun);
  return { before: before.slice(0, start) + begun, others: [...all] };
}
