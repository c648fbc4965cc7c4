import type { ChangeSet, FileChange } from './contract/change.ts';
import { createValueFinder } from './permissions/redaction/find-secrets.ts';
import { isRandom } from './permissions/redaction/secret-forms.ts';
import { splitPatch } from './reporting/split-patch.ts';

/**
 * The changes of a run without the files into which it wrote one of `secrets`, and the paths of those: a commit or a patch is
 * a way out like any other, and there a redacted text would be damage. Secrets that could be ordinary words, such as the
 * password of a test database, hold nothing back.
 */
export function withholdSecrets(
  changes: ChangeSet,
  secrets: readonly string[],
): { readonly changes: ChangeSet; readonly withheld: readonly string[] } {
  const find = createValueFinder(secrets.filter(isRandom));
  const held = changes.files.filter((file) => find(written(file)).length > 0).map(({ path }) => path);
  if (held.length === 0) return { changes, withheld: [] };
  const isHeld = (path: string | null) => path !== null && held.includes(path);
  const sections = splitPatch(changes.patch).filter(
    ({ newPath, oldPath, text }) =>
      !isHeld(newPath) && !isHeld(oldPath) && !held.some((path) => text.startsWith(`diff --git "a/${path}`)),
  );
  const kept: ChangeSet = {
    ...changes,
    patch: sections.map(({ text }) => text).join(''),
    files: changes.files.filter(({ path }) => !isHeld(path)),
  };
  return { changes: kept, withheld: held };
}

/** What a change puts into the repository: its path, and the lines it adds, or all of a file that is not text. */
function written({ path, diff, binary, content, kind }: FileChange): string {
  if (kind === 'delete') return '';
  const added = diff.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++ '));
  const text = binary ? Buffer.from(content ?? '', 'base64').toString('latin1') : '';
  return [path, ...added.map((line) => line.slice(1)), text].join('\n');
}
