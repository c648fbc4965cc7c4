import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import type { FoundProgram } from '../../checks/linters/check-program.ts';
import { findPrograms, programKey } from '../../checks/linters/find-programs.ts';
import { runLinterProgram } from '../../checks/linters/run-linter-program.ts';
import type { FileStates } from '../../workspace/changes/unified-diff.ts';
import { isBinary } from '../../workspace/files/is-binary.ts';
import type { ToolContext } from '../tool.ts';
import { changedPlaces } from './changed-places.ts';

/** Files after formatting, and notes for the model. */
export interface FormattedChange<File extends FileStates> {
  readonly files: readonly File[];
  readonly notes: readonly string[];
  /** The program that changed the text, by path. */
  readonly formattedBy: { readonly [path: string]: string };
}

/** Maximum files to format; a larger change is written as it is, to save time. */
const mostFiles = 20;
const longestText = 1024 * 1024;

/**
 * Formats the texts of a change before it is written, each by the first formatter that the
 * repository configures. If it fails, the text is unchanged and a note is added. An abort rejects.
 */
export async function formatChange<File extends FileStates>(
  files: readonly File[],
  context: ToolContext,
): Promise<FormattedChange<File>> {
  const { format, programs } = context.editChecks;
  const untouched = { files, notes: [], formattedBy: {} };
  if (!format || !programs || files.length > mostFiles) return untouched;
  const notes: string[] = [];
  const formattedBy: { [path: string]: string } = {};
  const formatted: File[] = [];
  // One after the other, as each may use the whole machine.
  for (const file of files) {
    const found = await formatterOf(file, context);
    const text = file.after?.content.toString('utf8') ?? '';
    const result = found === null ? text : await runFormatter(found, file.path, text, context);
    if (found === null || result === text || file.after === null) {
      formatted.push(file);
    } else if (typeof result !== 'string') {
      formatted.push(file);
      notes.push(
        `[${found.program.name} could not format ${file.path}, which is written as it is: ${result.failed}]`,
      );
    } else {
      formatted.push({ ...file, after: { ...file.after, content: Buffer.from(result) } });
      formattedBy[file.path] = found.program.name;
      notes.push(formattedNote(file.path, found.program.name, text, result));
    }
  }
  return { files: formatted, notes, formattedBy };
}

function formattedNote(path: string, program: string, text: string, result: string): string {
  const formatted = `${path} was formatted by ${program}`;
  if (text.trimEnd() === result.trimEnd()) return `[${formatted}, which changed its end only]`;
  const places = changedPlaces(text, result);
  return places === ''
    ? `[${formatted}, which changed too much to list: read it again]`
    : `${formatted}. Where that changed the text, it now reads:\n${places}`;
}

async function formatterOf(file: FileStates, context: ToolContext): Promise<FoundProgram | null> {
  const { before, after } = file;
  if (after === null || before?.content.equals(after.content) === true) return null;
  const { content } = after;
  if (content.length === 0 || content.length > longestText || isBinary(content) || !isUtf8(content))
    return null;
  const applying = await findPrograms(file.path, context);
  return applying.find(({ program }) => program.format !== null) ?? null;
}

async function runFormatter(
  found: FoundProgram,
  path: string,
  text: string,
  context: ToolContext,
): Promise<string | { readonly failed: string }> {
  const args = found.program.format?.(`./${posix.relative(found.folder, path)}`, found.config) ?? [];
  const output = await runLinterProgram(found, [args], context, text);
  if (typeof output === 'string') {
    context.editChecks.memory.excluded.add(programKey(found));
    return { failed: output === 'missing' ? 'it cannot be started' : 'it did not end in time' };
  }
  // An empty output is not formatted text.
  if (output.exitCode === 0 && output.stdout !== '') return output.stdout;
  const lines = output.stderr.split('\n').map((line) => line.replace(/^[\s×]+/, '').trim());
  const reason = lines.find((line) => /error|fail/i.test(line)) ?? lines.find((line) => line !== '');
  return { failed: reason?.slice(0, 200) ?? `exit code ${output.exitCode}` };
}
