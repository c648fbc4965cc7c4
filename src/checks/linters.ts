import type { Finding } from '../contract/findings.ts';
import type { ChangedFile } from './changed-file.ts';
import { checkFiles } from './linters/check-files.ts';
import type { Problem } from './linters/check-program.ts';
import type { LinterServices } from './linters/edit-checks.ts';

const mostFiles = 200;
const longestFile = 1024 * 1024;

/** Findings of linters, with notes on files they did not look at. */
export interface Linted {
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
  /** False if no linter ran: none is installed for the changed files. */
  readonly looked: boolean;
}

/**
 * Runs the repository's linters and returns their findings on added lines; for a new file also
 * those on the whole file. Linters read the checkout: a file that differs there from the diff is
 * omitted.
 */
export async function lintChangedLines(
  files: readonly ChangedFile[],
  services: LinterServices,
): Promise<Linted> {
  const notes: string[] = [];
  const looked: { file: ChangedFile; text: string }[] = [];
  const other: string[] = [];
  for (const file of files) {
    const { path, after, added } = file;
    if (after === null || added.size === 0 || after.length > longestFile || !isPlainFile(file)) continue;
    if (/(?:^|\/)node_modules\//.test(path)) continue;
    if (looked.length === mostFiles) {
      notes.push(`Linters looked at the first ${mostFiles} changed files only.`);
      break;
    }
    if (await isAsTheDiffHasIt(path, after, services)) looked.push({ file, text: after });
    else other.push(path);
  }
  if (other.length > 0)
    notes.push(
      `Linters did not look at ${other.slice(0, 5).join(', ')}${other.length > 5 ? ' and more' : ''}: the checkout has other contents.`,
    );
  // Without the text before, each program runs once and reports everything.
  const texts = looked.map(({ file, text }) => ({ path: file.path, before: null, after: text }));
  const { problems, checked, notes: programNotes } = await checkFiles(texts, services);
  const byPath = new Map(looked.map(({ file }) => [file.path, file]));
  const findings = problems.flatMap((problem) => {
    const file = byPath.get(problem.path);
    if (file === undefined) return [];
    if (problem.line === null ? file.before !== null : !file.added.has(problem.line)) return [];
    return [finding(problem)];
  });
  const plainNotes = programNotes.map((note) => note.replace(/^\[|\]$/g, ''));
  return { findings, notes: [...notes, ...plainNotes], looked: checked.length > 0 };
}

const isPlainFile = ({ modes }: ChangedFile): boolean => modes.after.startsWith('100');

async function isAsTheDiffHasIt(path: string, text: string, { workspace }: LinterServices): Promise<boolean> {
  try {
    const { bytes } = await workspace.files.read(path, 4 * longestFile);
    return bytes.equals(Buffer.from(text));
  } catch {
    // Not there, or not to be read.
    return false;
  }
}

function finding({ path, line, severity, message, rule, tool, syntax }: Problem): Finding {
  const ownSeverity = severity === 'error' ? 'medium' : 'low';
  return {
    path,
    side: 'RIGHT',
    line: line ?? 1,
    severity: syntax ? 'high' : ownSeverity,
    category: syntax ? 'syntax' : 'lint',
    title: rule === null ? `${tool}: ${firstLine(message)}` : `${tool}: ${rule}`,
    body: message.trim().slice(0, 2000) || 'No message.',
    check: 'linters',
  };
}

function firstLine(message: string): string {
  const line = message.trim().split('\n', 1)[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
