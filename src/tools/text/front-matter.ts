import { parse } from 'yaml';

/** A Markdown file, split into the YAML between its first two `---` lines and the rest. */
export interface FrontMatter {
  /** Empty without front matter; null if it is invalid or does not end. */
  readonly fields: Readonly<Record<string, unknown>> | null;
  readonly body: string;
}

/** Maximum characters of front matter. */
const longest = 8_000;

/** Parses front matter as YAML 1.2. Nothing is executed, and the parser limits aliases. */
export function frontMatter(text: string): FrontMatter {
  const plain = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  if (!/^---[ \t]*\n/.test(plain)) return { fields: {}, body: plain };
  const start = plain.indexOf('\n') + 1;
  const end = /^(?:---|\.\.\.)[ \t]*$/m.exec(plain.slice(start, start + longest));
  if (end === null) return { fields: null, body: plain };
  const body = plain.slice(start + end.index + end[0].length).replace(/^\n+/, '');
  return { fields: fieldsOf(plain.slice(start, start + end.index)), body };
}

function fieldsOf(yaml: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = parse(yaml, { logLevel: 'error' }) ?? {};
    return typeof value === 'object' && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return looseFields(yaml);
  }
}

/**
 * Parses lines of `key: text`, as many files have an unquoted colon in the description, which is
 * invalid YAML. Null for anything else.
 */
function looseFields(yaml: string): Readonly<Record<string, unknown>> | null {
  const lines = yaml.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const fields = lines.map((line) => /^([A-Za-z][\w-]*):[ \t]+(.*)$/.exec(line));
  if (fields.some((field) => field === null)) return null;
  return Object.fromEntries(fields.map((field) => [field?.[1] ?? '', field?.[2]?.trim() ?? '']));
}
