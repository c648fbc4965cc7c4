import { nameOfBytes } from './tree-names.ts';

/** One file of `git diff-tree --raw -z`: what happened to it, by git's object names. Paths are as `nameOfBytes` gives them. */
export interface RawChange {
  readonly kind: 'add' | 'modify' | 'delete' | 'rename';
  readonly path: string;
  readonly oldPath: string | null;
  readonly oldMode: string;
  readonly newMode: string;
  /** Zeros where the file did not exist. */
  readonly oldObject: string;
  readonly newObject: string;
  /** `T`: a file became a link or the other way round, which git shows as two patches. */
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

/** Reads the output of `git diff-tree -r -z --raw` (git-diff-tree, "Raw output format"), one byte a character (Latin-1). */
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
 * Cuts a git patch into the text of each file, in the order of the raw diff it was made with. A line of
 * content never starts with `diff --git`: it has its sign in front. `^` would take a carriage return in it for the end of a line.
 */
export function splitPatch(patch: string, changes: readonly RawChange[]): string[] {
  const sections = patch === '' ? [] : patch.split(/(?<=^|\n)(?=diff --git )/);
  let at = 0;
  return changes.map((change) => {
    const count = change.typeChange ? 2 : 1;
    const text = sections.slice(at, at + count).join('');
    at += count;
    return text;
  });
}
