import { codeRegions } from '../../untrusted-text/code-regions.ts';

/** The kind of post that a hidden line marks. */
export type MarkerKind =
  | 'progress'
  | 'report'
  | 'controls'
  | 'question'
  | 'approval'
  | 'plan'
  | 'handoff'
  | 'changes'
  | 'pull-request'
  | 'review'
  | 'finding'
  | 'summary'
  | 'summary-state'
  | 'description'
  | 'description-end'
  | 'fixed'
  | 'answer';

const version = 1;

/**
 * Renders a hidden line that identifies our posts: `<!-- anode:progress v1 run=run_7 -->`. Values
 * are percent-encoded, so none can close the comment. A marker is public and grants nothing: it
 * counts only in posts of our own account.
 */
export function writeMarker(kind: MarkerKind, fields: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(fields).map(([key, value]) =>
    value === undefined ? '' : ` ${key}=${encodeURIComponent(value.toWellFormed())}`,
  );
  return `<!-- anode:${kind} v${version}${pairs.join('')} -->`;
}

/** The fields of the first marker of that kind in a body; null where there is none we can read. */
export function readMarker(body: string | null | undefined, kind: MarkerKind): Record<string, string> | null {
  return readMarkers(body, kind)[0] ?? null;
}

/**
 * True if a body begins with a marker of that kind, like all our posts. On a shared account such as
 * `github-actions[bot]`, a post that quotes one is another's.
 */
export function beginsWithMarker(body: string | null | undefined, kind: MarkerKind): boolean {
  return (body ?? '').startsWith(`<!-- anode:${kind} v${version} `);
}

/**
 * Returns the fields of every marker of that kind and version, in order. Skips markers in code, and
 * values that are not percent-encoded our way.
 */
export function readMarkers(body: string | null | undefined, kind: MarkerKind): Record<string, string>[] {
  const pattern = new RegExp(`<!-- anode:${kind} v${version}((?: [a-z_]+=[^\\s>]*)*) -->`, 'gu');
  const text = body ?? '';
  const code = text.includes('`') || text.includes('~') ? codeRegions(text, { html: false }) : [];
  return [...text.matchAll(pattern)].flatMap((found) => {
    if (code.some(({ start, end }) => start <= found.index && found.index < end)) return [];
    const fields = readFields(found[1] ?? '');
    return fields === null ? [] : [fields];
  });
}

function readFields(text: string): Record<string, string> | null {
  const fields: Record<string, string> = {};
  for (const pair of text.split(' ').filter((part) => part !== '')) {
    const equals = pair.indexOf('=');
    try {
      fields[pair.slice(0, equals)] = decodeURIComponent(pair.slice(equals + 1));
    } catch {
      return null;
    }
  }
  return fields;
}
