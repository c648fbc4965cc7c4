import { isUtf8 } from 'node:buffer';
import { checkFiles } from '../../checks/linters/check-files.ts';
import { type ChangedText, type Report, renderProblem } from '../../checks/linters/check-program.ts';
import type { LinterServices } from '../../checks/linters/edit-checks.ts';
import { findPrograms, isCheckConfiguration } from '../../checks/linters/find-programs.ts';
import { type EvaluatedProblem, reportableProblems } from '../../checks/linters/new-problems.ts';
import type { Json } from '../../contract/json.ts';
import type { FileStates } from '../../workspace/changes/unified-diff.ts';
import { isBinary } from '../../workspace/files/is-binary.ts';
import { checkText, isCheckedText } from './check-text.ts';

/** The result of checking a change. */
export interface Verification {
  /** Notes for the model; empty if there are none. */
  readonly notes: readonly string[];
  readonly data: { readonly [key: string]: Json };
  /** By path: `failed` for an error, `passed` if checked without one, otherwise absent. */
  readonly validation: ReadonlyMap<string, 'passed' | 'failed'>;
}

/** Maximum files checked, and problems reported. */
const mostFiles = 50;
const mostProblems = 20;

/**
 * Checks the files of a change: data files by our own parsers, others by the repository's programs
 * if allowed. Never throws for problems it finds. An abort rejects.
 */
export async function verifyChange(
  files: readonly FileStates[],
  context: LinterServices,
): Promise<Verification> {
  const { memory } = context.editChecks;
  if (files.some(({ path, oldPath }) => isCheckConfiguration(path) || isCheckConfiguration(oldPath ?? ''))) {
    memory.markers.clear();
    memory.programs.clear();
  }
  const checkable = await Promise.all(files.slice(0, mostFiles).map((file) => isChecked(file.path, context)));
  const texts = files.flatMap((file, index) => (checkable[index] === true ? changedText(file) : []));
  if (texts.length === 0) return { notes: [], data: {}, validation: new Map() };
  const own = await Promise.all(texts.map((file) => checkOwn(file)));
  const programs = await checkFiles(texts, context);
  const checked = new Set([...own.flatMap((one) => one?.path ?? []), ...programs.checked]);
  const problems = [...own.flatMap((one) => one?.problems ?? []), ...programs.problems].sort(bySeverity);
  const validation = new Map(
    [...checked].map((path) => [
      path,
      problems.some((one) => one.path === path && one.severity === 'error')
        ? ('failed' as const)
        : ('passed' as const),
    ]),
  );
  return { notes: [...renderProblems(problems), ...programs.notes], data: dataOf(problems), validation };
}

/** True if there is any check for a file; most files need not be read. */
async function isChecked(path: string, context: LinterServices): Promise<boolean> {
  if (isCheckedText(path)) return true;
  return context.editChecks.programs && (await findPrograms(path, context)).length > 0;
}

async function checkOwn(file: ChangedText): Promise<{ path: string; problems: EvaluatedProblem[] } | null> {
  const { path, before, after } = file;
  const found = await checkText(path, after);
  if (found === null) return null;
  const named = (reports: readonly Report[]) => reports.map((one) => ({ ...one, path, tool: toolOf(path) }));
  const earlier = found.length === 0 || before === null ? null : await checkText(path, before);
  return { path, problems: reportableProblems(named(found), earlier && named(earlier), file) };
}

function toolOf(path: string): string {
  if (/\.ya?ml$/.test(path)) return 'yaml';
  return /\.toml$|Pipfile$/.test(path) ? 'toml' : 'json';
}

/** Sorts new problems first, then errors before warnings, then by location. */
function bySeverity(a: EvaluatedProblem, b: EvaluatedProblem): number {
  return (
    Number(b.isNew) - Number(a.isNew) ||
    Number(b.severity === 'error') - Number(a.severity === 'error') ||
    Number(a.path > b.path) - Number(a.path < b.path) ||
    (a.line ?? 0) - (b.line ?? 0)
  );
}

function renderProblems(problems: readonly EvaluatedProblem[]): string[] {
  if (problems.length === 0) return [];
  const fresh = problems.filter(({ isNew }) => isNew).length;
  const head =
    fresh === 0
      ? 'Problems that were there before:'
      : `This change brought ${fresh === 1 ? 'a problem' : `${fresh} problems`}; mend ${fresh === 1 ? 'it' : 'them'}:`;
  const lines = problems
    .slice(0, mostProblems)
    .map((one) => `${renderProblem(one)}${one.isNew || fresh === 0 ? '' : ' (was there before)'}`);
  const more = problems.length > mostProblems ? [`[${problems.length - mostProblems} more]`] : [];
  return [[head, ...lines, ...more].join('\n')];
}

function dataOf(problems: readonly EvaluatedProblem[]): { [key: string]: Json } {
  if (problems.length === 0) return {};
  const listed = problems
    .slice(0, mostProblems)
    .map(({ path, line, column, severity, message, rule, tool, isNew }) => ({
      path,
      line,
      column,
      severity,
      message,
      rule,
      tool,
      new: isNew,
    }));
  return { problems: listed };
}

const longestFile = 4 * 1024 * 1024;

/** Returns the file as text in a list; empty if it cannot be checked or did not change. */
export function changedText({ path, before, after }: FileStates): ChangedText[] {
  if (after === null || before?.content.equals(after.content) === true) return [];
  const { content } = after;
  if (content.length > longestFile || isBinary(content) || !isUtf8(content)) return [];
  if (/(?:^|\/)node_modules\//.test(path)) return [];
  const earlier = before !== null && isUtf8(before.content) ? before.content.toString('utf8') : null;
  return [{ path, before: earlier, after: content.toString('utf8') }];
}
