/** What a backslash before a character means in the strings of most languages, and in JSON. */
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

/** Escapes that stand for whitespace: in code they are more often meant than a mistake. */
const whitespace = new Set(['n', 'r', 't', '\n']);

/** A text with one level of escaping too many taken away. */
export interface Unescaped {
  readonly text: string;
  /** Does the same to the text that goes in its place. */
  readonly adapt: (replacement: string) => string;
}

/**
 * The texts that a model which escaped once too often can have meant, the one that changes least first:
 * quotes and backslashes only, then line breaks and tabs too. None where nothing is escaped.
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
 * Takes from new text the escapes the old text had too many of. It is left alone where one of those characters
 * stands in it unescaped: then it was not escaped once too often.
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
