/** Keys that end or interrupt, and type nothing: Ctrl-C, Ctrl-D, Ctrl-Z, Ctrl-\. */
const keys: Readonly<Record<string, string>> = {
  '\u0003': 'Ctrl-C',
  '\u0004': 'Ctrl-D',
  '\u001a': 'Ctrl-Z',
  '\u001c': 'Ctrl-\\',
};

/** Input as given: the text, and whether Enter follows. */
export interface SessionInput {
  readonly text: string;
  readonly enter: boolean;
}

/** Returns the name of a key if the input is only that key; else null. */
export function terminalKey({ text }: SessionInput): string | null {
  return keys[text] ?? null;
}

/** Returns the typed characters: the text and Enter, unless it is a line with a newline. */
export function typed(input: SessionInput): string {
  const hasEnter = /^[^\n]*\n$/.test(input.text);
  const enter = input.enter && !hasEnter && terminalKey(input) === null;
  return enter ? `${input.text}\n` : input.text;
}

/** All text typed into a session. */
export interface TypedText {
  readonly before: string;
  /** Other possible beginnings of the unfinished line, as its reader may see it. */
  readonly others: readonly string[];
}

export const nothingTyped: TypedText = { before: '', others: [] };

/**
 * Returns the typed text after this input. Ctrl-C discards an unfinished line, and other keys may;
 * but a program can ignore keys, and then the line continues.
 */
export function typedAfter({ before, others }: TypedText, input: SessionInput): TypedText {
  const key = terminalKey(input);
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
