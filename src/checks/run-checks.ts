import { CheckName, type CheckResult, type CheckSettings } from '../contract/checks.ts';
import type { Finding } from '../contract/findings.ts';
import { append } from '../contract/lists.ts';
import { pathGlobs } from '../permissions/patterns/path-globs.ts';
import type { ChangedFile, CheckedDiff } from './changed-file.ts';
import { findConflicts } from './conflicts.ts';
import { findUnreviewable } from './files.ts';
import type { LinterServices } from './linters/edit-checks.ts';
import type { Linted } from './linters.ts';
import { findSecrets } from './secrets.ts';
import { findHiddenCharacters } from './unicode.ts';

/** Inputs of the checks of one diff. */
interface CheckRequest {
  readonly diff: CheckedDiff;
  readonly settings: CheckSettings;
  /** Services for linters; null if they must not run, or a sentence on why they cannot. */
  readonly linters: LinterServices | string | null;
}

const standardMaximum = 20;

/**
 * Runs every enabled check over a diff, without a model. Only linters start processes. A note
 * counts findings beyond a check's maximum.
 */
export async function runChecks({ diff, settings, linters }: CheckRequest): Promise<CheckResult> {
  const ran: CheckName[] = [];
  const cut: CheckName[] = [];
  const idle: CheckName[] = [];
  const findings: Finding[] = [];
  const notes = [...diff.notes];
  for (const name of CheckName.options) {
    const { enabled, ignore = [], maximum = standardMaximum, severity } = settingOf(name, settings);
    if (enabled === false) continue;
    const files = notIgnored(diff.files, ignore);
    const result =
      name === 'linters'
        ? await runLinters(files, linters)
        : { findings: await runCheck(name, { ...diff, files }, settings), notes: [], looked: true };
    append(notes, result.notes);
    if (result.looked === null) continue;
    ran.push(name);
    if (!result.looked) idle.push(name);
    const worst = result.findings.toSorted((a, b) => weight(b) - weight(a)).slice(0, maximum);
    const more = result.findings.length - worst.length;
    if (more > 0) cut.push(name);
    if (more > 0) notes.push(`The check ${name} found ${more} more (review.checks.${name}.maximum).`);
    append(findings, severity === undefined ? worst : worst.map((one) => ({ ...one, severity })));
  }
  const unlessEmpty = (names: CheckName[]) => (names.length === 0 ? undefined : names);
  return { ran, findings, notes, cut: unlessEmpty(cut), idle: unlessEmpty(idle) };
}

function settingOf(name: CheckName, settings: CheckSettings) {
  const setting = settings[name] ?? true;
  return typeof setting === 'boolean' ? { enabled: setting } : setting;
}

/** The findings of linters. `looked` is null if they did not run, and false if none applies. */
async function runLinters(
  files: readonly ChangedFile[],
  linters: CheckRequest['linters'],
): Promise<Omit<Linted, 'looked'> & { readonly looked: boolean | null }> {
  if (linters === null) return { findings: [], notes: [], looked: null };
  if (typeof linters === 'string') return { findings: [], notes: [linters], looked: null };
  return (await import('./linters.ts')).lintChangedLines(files, linters);
}

async function runCheck(
  name: Exclude<CheckName, 'linters'>,
  diff: CheckedDiff,
  settings: CheckSettings,
): Promise<readonly Finding[]> {
  const each = async (find: (file: ChangedFile) => readonly Finding[] | Promise<readonly Finding[]>) => {
    const found: Finding[] = [];
    // One by one: what is spread into a call takes the stack, and a file may have 150,000 findings.
    for (const file of diff.files) for (const one of await find(file)) found.push(one);
    return found;
  };
  switch (name) {
    case 'conflicts':
      return each(findConflicts);
    case 'secrets':
      return each(findSecrets);
    case 'workflows':
      return each((await import('./workflows.ts')).findWorkflowChanges);
    case 'lifecycle':
      return each((await import('./lifecycle.ts')).findLifecycleChanges);
    case 'lockfiles':
      return (await import('./lockfiles.ts')).findLocksOutOfStep(diff);
    case 'files': {
      const setting = typeof settings.files === 'object' ? settings.files : {};
      return each((file) => findUnreviewable(file, setting));
    }
    case 'unicode':
      return each(findHiddenCharacters);
  }
}

function notIgnored(files: readonly ChangedFile[], ignore: readonly string[]): readonly ChangedFile[] {
  if (ignore.length === 0) return files;
  const ignored = pathGlobs(ignore);
  return files.filter(({ path }) => !ignored(path));
}

const weights = { info: 0, low: 1, medium: 2, high: 3, critical: 4 } as const;
const weight = ({ severity }: Finding): number => weights[severity];
