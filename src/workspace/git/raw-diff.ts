import { nameOfBytes } from './tree-names.ts';

/**
 * One file of `git diff-tree --raw -z`, by git's object names. Paths are in the form of
 * `nameOfBytes`.
 */
export interface RawChange {
  readonly kind: 'add' | 'modify' | 'delete' | 'rename';
  readonly path: string;
  readonly oldPath: string | null;
  readonly oldMode: string;
  readonly newMode: string;
  /** Zeros where the file did not exist. */
  readonly oldObject: string;
  readonly newObject: string;
  /** `T`: a file became a link or the reverse, which git shows as two patches. */
  readonly typeChange: boolean;
}

const kinds: Readonly<Record<string, RawChange['kind']>> = {
  A: 'add',
  C: 'add',
  D: 'delete',
  M: 'modify',
  T: 'modify',
  R: 'rename',
};

/**
 * Parses the output of `git diff-tree -r -z --raw` (git-diff-tree, "Raw output format") in Latin-1.
 */
export function parseRawDiff(output: string): RawChange[] {
  const fields = output.split('\0').map(nameOfBytes);
  const changes: RawChange[] = [];
  for (let at = 0; at < fields.length; ) {
    const header = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/.exec(fields[at] ?? '');
    if (header === null) break;
    const [, oldMode = '', newMode = '', oldObject = '', newObject = '', status = ''] = header;
    const twoPaths = status === 'R' || status === 'C';
    const first = fields[at + 1] ?? '';
    changes.push({
      kind: kinds[status] ?? 'modify',
      path: twoPaths ? (fields[at + 2] ?? '') : first,
      oldPath: status === 'R' ? first : null,
      oldMode,
      newMode,
      oldObject,
      newObject,
      typeChange: status === 'T',
    });
    at += twoPaths ? 3 : 2;
  }
  return changes;
}

/**
 * Splits a git patch into one text per file, in the order of its raw diff. Content lines never
 * start with `diff --git`: they have a sign in front. `^` would match after a carriage return in
 * the content.
 */
export function splitByChange(patch: string, changes: readonly RawChange[]): string[] {
  const sections = patch === '' ? [] : patch.split(/(?<=^|\n)(?=diff --git )/);
  let at = 0;
  return changes.map((change) => {
    const count = change.typeChange ? 2 : 1;
    const text = sections.slice(at, at + count).join('');
    at += count;
    return text;
  });
}
