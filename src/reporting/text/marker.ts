import { codeRegions } from '../../untrusted-text/code-regions.ts';

/** What a hidden line of ours says about the text it stands in. */
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
  | 'description'
  | 'description-end'
  | 'fixed';

const version = 1;

/**
 * A hidden line that lets us find our own posts again: `<!-- anode:progress v1 run=run_7 -->`. Values are
 * percent-encoded, so that none can close the comment. A marker carries nothing secret and grants nothing:
 * anyone can write one, so it counts only in a post whose author is our own account.
 */
export function writeMarker(kind: MarkerKind, fields: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(fields).map(
    ([key, value]) => ` ${key}=${encodeURIComponent(value.toWellFormed())}`,
  );
  return `<!-- anode:${kind} v${version}${pairs.join('')} -->`;
}

/** The fields of the first marker of that kind in a body; null where there is none we can read. */
export function readMarker(body: string | null | undefined, kind: MarkerKind): Record<string, string> | null {
  return readMarkers(body, kind)[0] ?? null;
}

/**
 * True where a body begins with a marker of that kind, as all posts of ours do. Under a name that we share with others,
 * as `github-actions[bot]` is, a post that only quotes one somewhere is another's.
 */
export function beginsWithMarker(body: string | null | undefined, kind: MarkerKind): boolean {
  return (body ?? '').startsWith(`<!-- anode:${kind} v${version} `);
}

/**
 * The fields of every marker of that kind and of the version we write, in order. One with a value that is not
 * percent-encoded as we do it is passed over, and one in code, where text of a model may have it.
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
