import { posix } from 'node:path';
import type { Finding } from '../contract/findings.ts';
import { type ChangedFile, type CheckedDiff, firstAdded } from './changed-file.ts';
import { foldersUp, type Locked, type LockFormat, lockFormats } from './lock-formats.ts';
import type { Dependencies } from './read-manifests.ts';

/**
 * Maximum characters scanned in one check; each name costs the length of a lock file. Large
 * projects stay far below; a hostile manifest does not.
 */
const mostCharacters = 1_000_000_000;

/**
 * Finds manifests whose changed dependencies are not in their lock file. Repositories without a
 * lock file, and unreadable manifests, are not reported.
 */
export async function findLocksOutOfStep(diff: CheckedDiff): Promise<Finding[]> {
  const found: Finding[] = [];
  const budget = { characters: mostCharacters };
  for (const file of diff.files) {
    if (file.kind === 'delete' || file.after === null) continue;
    for (const format of lockFormats) {
      if (!format.manifest.test(file.path)) continue;
      const lock = findLock(file, format, diff);
      const finding = lock === null ? null : await compare(file, format, lock, budget);
      if (finding !== null) found.push(finding);
    }
  }
  return found;
}

interface Lock {
  readonly path: string;
  readonly text: string;
  readonly changed: boolean;
}

/** The nearest lock file of a manifest, from its folder upwards, as the new side has it. */
function findLock(file: ChangedFile, format: LockFormat, diff: CheckedDiff): Lock | null {
  for (const folder of foldersUp(file.path)) {
    for (const name of format.locks) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const changed = diff.files.find((one) => one.path === path);
      const text = changed === undefined ? diff.neighbours.get(path) : changed.after;
      if (text !== undefined && text !== null) return { path, text, changed: changed !== undefined };
    }
  }
  return null;
}

async function compare(
  file: ChangedFile,
  format: LockFormat,
  lock: Lock,
  budget: { characters: number },
): Promise<Finding | null> {
  try {
    const before = file.before === null ? new Map<string, string>() : await format.read(file.before);
    const after = await format.read(file.after ?? '');
    const folder = posix.relative(posix.dirname(lock.path), posix.dirname(file.path));
    const lookup = format.open(lock.text, folder);
    const wrong = outOfStep(before, after, lock, (name, wanted) => {
      if (format.scans) budget.characters -= lock.text.length;
      if (budget.characters < 0) throw new Error('Too much to look through.');
      return lookup(name, wanted);
    });
    return wrong.length === 0 ? null : finding(file, format, lock, wrong);
  } catch {
    if (budget.characters < 0) return tooMuch(file, lock);
    // Whatever the parsers of four languages throw: a file that they cannot read.
    return null;
  }
}

/** Dependencies that the lock file does not follow, with the reason as a phrase. */
function outOfStep(
  before: Dependencies,
  after: Dependencies,
  lock: Lock,
  locked: (name: string, wanted: string) => Locked,
): { name: string; why: string }[] {
  const wrong: { name: string; why: string }[] = [];
  for (const [name, wanted] of after) {
    if (before.get(name) === wanted) continue;
    const state = locked(name, wanted);
    if (state === 'missing') wrong.push({ name, why: 'is not in it' });
    else if (state === 'differs') wrong.push({ name, why: 'is in it for another version' });
    else if (state === 'present' && !lock.changed && before.has(name))
      wrong.push({ name, why: 'changed here alone' });
  }
  for (const [name, wanted] of before)
    if (!after.has(name) && !lock.changed && locked(name, wanted) !== 'missing')
      wrong.push({ name, why: 'was removed here and is still in it' });
  return wrong;
}

function finding(
  file: ChangedFile,
  format: LockFormat,
  lock: Lock,
  wrong: readonly { name: string; why: string }[],
): Finding {
  const lines = (file.after ?? '').split('\n');
  const listed = wrong.slice(0, 10);
  const at = lines.findIndex(
    (text, index) => file.added.has(index + 1) && listed.some(({ name }) => names(text, name)),
  );
  const items = listed.map(({ name, why }) => `- \`${name}\` ${why}`);
  const more = wrong.length > items.length ? [`- and ${wrong.length - items.length} more`] : [];
  const how = lock.changed ? 'does not have all of it' : 'was not changed with it';
  return {
    path: file.path,
    side: 'RIGHT',
    line: at === -1 ? firstAdded(file) : at + 1,
    severity: 'medium',
    category: 'dependencies',
    title: `${lock.path} is out of step`,
    body: `The dependencies here changed, and \`${lock.path}\` ${how}:\n\n${[...items, ...more].join('\n')}\n\n\`${format.command}\` brings them together.`,
    check: 'lockfiles',
  };
}

function tooMuch(file: ChangedFile, lock: Lock): Finding {
  return {
    path: file.path,
    side: 'RIGHT',
    line: firstAdded(file),
    severity: 'low',
    category: 'dependencies',
    title: `${lock.path} was not compared`,
    body: `More dependencies changed than can be looked up in \`${lock.path}\`.`,
    check: 'lockfiles',
  };
}

/** True if a line names the dependency itself, not one whose name only begins the same. */
function names(text: string, name: string): boolean {
  const at = text.indexOf(name);
  return at !== -1 && !/[\w@/.-]$/.test(text.slice(0, at)) && !/^[\w/-]/.test(text.slice(at + name.length));
}
