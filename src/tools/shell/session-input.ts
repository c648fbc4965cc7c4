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

/** What was typed into a session so far, with this: what Ctrl-C interrupts is typed no more. */
export function typedAfter(before: string, input: SessionInput): string {
  if (input.text === '\u0003') return before.slice(0, before.lastIndexOf('\n') + 1);
  return keyOf(input) === null ? before + typed(input) : before;
}
