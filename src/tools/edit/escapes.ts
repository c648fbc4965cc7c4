/** Meaning of a character after a backslash in the strings of most languages and of JSON. */
const meanings: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  "'": "'",
  '`': '`',
  $: '$',
  '\\': '\\',
  '\n': '\n',
};

/** Escapes for whitespace, which code is more likely to contain on purpose. */
const whitespace = new Set(['n', 'r', 't', '\n']);

/** A text with one level of escaping removed. */
export interface Unescaped {
  readonly text: string;
  /** Removes the same escapes from the replacement text. */
  readonly adapt: (replacement: string) => string;
}

/**
 * Returns the texts that a model may have meant if it escaped once too often, the smallest change
 * first: quotes and backslashes only, then line breaks and tabs too. Empty if nothing is escaped.
 */
export function unescapings(text: string): Unescaped[] {
  const candidates = [(mark: string) => !whitespace.has(mark), () => true].map((undone) => {
    const marks = new Set<string>();
    const bare = unescaped(text, (mark) => {
      if (!undone(mark)) return false;
      marks.add(mark);
      return true;
    });
    return { text: bare.replaceAll('\r\n', '\n'), adapt: adaptTo(marks) };
  });
  const [quotes, all] = candidates;
  return candidates.filter(
    (candidate) => candidate.text !== text && (candidate !== all || candidate.text !== quotes?.text),
  );
}

/**
 * Removes from new text the surplus escapes of the old text. Text that contains one of those
 * characters unescaped is returned unchanged: it was not escaped too often.
 */
function adaptTo(marks: ReadonlySet<string>): (replacement: string) => string {
  return (replacement) => {
    const bare = replacement.replaceAll(/\\[\s\S]/g, '');
    const raw = [...marks].some((mark) => mark !== '\\' && bare.includes(meanings[mark] ?? mark));
    if (raw) return replacement;
    return unescaped(replacement, (mark) => mark === '\\' || marks.has(mark)).replaceAll('\r\n', '\n');
  };
}

function unescaped(text: string, undone: (mark: string) => boolean): string {
  return text.replaceAll(/\\([nrt"'`$\\\n])/g, (escaped, mark: string) =>
    undone(mark) ? (meanings[mark] ?? mark) : escaped,
  );
}
