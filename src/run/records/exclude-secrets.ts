import type { ChangeSet, FileChange } from '../../contract/change.ts';
import { createTokenFinder, createValueFinder } from '../../redaction/find-secrets.ts';
import { isRandom } from '../../redaction/secret-forms.ts';
import { isPlaceholder } from '../../redaction/token-forms.ts';
import { splitPatch } from '../../reporting/diff/git-patch.ts';

/** Names of files with credentials, and of examples of them. */
const credentialFile =
  /(?:^|\/)(?:\.env(?:\.[^/]+)?|\.(?:npmrc|yarnrc|pypirc|netrc|pgpass|git-credentials|htpasswd)|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]+\.(?:pem|key|p12|pfx|jks|keystore|ppk))$/i;
const exampleFile = /(?:^|[._-])(?:example|sample|template|dist|defaults?|test)(?:[._-]|$)/i;

/** Text behind the path of an excluded file. */
const holdsSecret = 'was left out: it contains a credential of this run. The other changes are kept.';

/**
 * Removes the files into which a run wrote one of `secrets`. A commit leaves the sandbox like any
 * other output, but redaction would damage it. A random secret is found in any encoding. Any other
 * is found as written, unless it could be an ordinary word such as a test password. `notes` are
 * sentences for the report: the excluded files, and those that seem to have a credential.
 */
export function excludeSecrets(
  changes: ChangeSet,
  secrets: readonly string[],
): { readonly changes: ChangeSet; readonly notes: readonly string[] } {
  const find = createValueFinder(secrets.filter(isRandom));
  const others = secrets.filter((secret) => !isRandom(secret) && !isOrdinary(secret)).map(asItIs);
  const holds = (text: string) => find(text).length > 0 || others.some((value) => value.test(text));
  const excluded = changes.files.filter((file) => holds(written(file))).map(({ path }) => path);
  const isExcluded = (path: string | null) => path !== null && excluded.includes(path);
  const rest = changes.files.filter(({ path }) => !isExcluded(path));
  const notes = [
    ...excluded.map((path) => `${path} ${holdsSecret}`),
    ...rest.flatMap((file) => suspicion(file) ?? []),
  ];
  if (excluded.length === 0) return { changes, notes };
  const sections = splitPatch(changes.patch).filter(
    ({ newPath, oldPath, text }) =>
      !isExcluded(newPath) &&
      !isExcluded(oldPath) &&
      !excluded.some((path) => text.startsWith(`diff --git "a/${path}`)),
  );
  return { changes: { ...changes, patch: sections.map(({ text }) => text).join(''), files: rest }, notes };
}

/** Returns a note on a file that a person should check before merging; null for none. */
function suspicion(file: FileChange): string | null {
  if (createTokenFinder()(written(file)).length > 0)
    return `${file.path}: the added text looks like a credential. Check it before it is merged.`;
  if (file.kind === 'delete' || !credentialFile.test(file.path) || exampleFile.test(file.path)) return null;
  return `${file.path} is a file that usually holds credentials. Check it before it is merged.`;
}

/**
 * Returns true for a value that is common in files: words without a digit, a number, a path, an
 * address without a password, or a placeholder.
 */
function isOrdinary(secret: string): boolean {
  if (/\s/.test(secret.trim())) return false;
  const words = /^[\p{L}._-]+$/u.test(secret) && secret.length < 20;
  const place = /^(?:~|\.{1,2})?\//.test(secret) || /^[a-z][a-z0-9+.-]*:\/\/[^@]*$/i.test(secret);
  return words || place || /^[\d.]+$/.test(secret) || isPlaceholder(secret);
}

/** Matches a value that is not part of a longer word. */
function asItIs(secret: string): RegExp {
  const value = secret.trim().replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${value}(?![\\p{L}\\p{N}])`, 'u');
}

/**
 * Returns the text that a change adds to the repository: its path and new lines, or an entire
 * binary file.
 */
function written({ path, diff, binary, content, kind }: FileChange): string {
  if (kind === 'delete') return '';
  const added = diff.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++ '));
  const text = binary ? Buffer.from(content ?? '', 'base64').toString('latin1') : '';
  return [path, ...added.map((line) => line.slice(1)), text].join('\n');
}
