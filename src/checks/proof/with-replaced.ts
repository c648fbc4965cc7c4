import { ToolError } from '../../contract/errors.ts';
import type { FileStates } from '../../workspace/changes/unified-diff.ts';
import type { ConfinedFiles } from '../../workspace/files/confined-files.ts';
import type { Trial } from './prove-all.ts';

const longestFile = 4 * 1024 * 1024;

/**
 * Replaces lines of files in a scratch tree, calls `act`, and restores the files. Returns no result
 * if a file cannot be written.
 */
export async function withReplaced(
  files: Pick<ConfinedFiles, 'read' | 'write'>,
  replacements: readonly (Replacement & { readonly path: string })[],
  act: (files: readonly FileStates[]) => Promise<Trial>,
): Promise<Trial> {
  const unfit: Trial = { result: 'not_run', said: 'It does not fit the file as it was reviewed.' };
  const states: FileStates[] = [];
  for (const [path, own] of Map.groupBy(replacements, (one) => one.path)) {
    const before = await readText(files, path);
    const after = before === null ? null : replaceLines(before.text, own);
    if (before === null || after === null) return unfit;
    const { mode } = before;
    states.push({
      path,
      before: { content: Buffer.from(before.text), mode },
      after: { content: Buffer.from(after), mode },
    });
  }
  const write = async (side: 'before' | 'after') =>
    files.write(
      states.map((state) => ({ path: state.path, content: Buffer.from(state[side]?.content ?? '') })),
    );
  try {
    if (states.length > 0) await write('after');
  } catch (error) {
    if (error instanceof ToolError) return unfit;
    throw error;
  }
  try {
    return await act(states);
  } finally {
    if (states.length > 0) await write('before');
  }
}

async function readText(
  files: Pick<ConfinedFiles, 'read'>,
  path: string,
): Promise<{ readonly text: string; readonly mode: number } | null> {
  try {
    const { bytes, size, mode } = await files.read(path, longestFile);
    const text = bytes.toString('utf8');
    return size > bytes.length || !Buffer.from(text).equals(bytes) ? null : { text, mode };
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}

/** Lines of a file, from 1, both included, and their replacement; empty deletes them. */
interface Replacement {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly after: readonly string[];
}

/**
 * Applies suggested changes as GitHub does: whole lines, counted in the original text. Null if one
 * is beyond the end, or two share a line.
 */
export function replaceLines(text: string, replacements: readonly Replacement[]): string | null {
  let lines = text.split('\n');
  const count = text.endsWith('\n') ? lines.length - 1 : lines.length;
  let above = Number.POSITIVE_INFINITY;
  for (const { firstLine, lastLine, after } of replacements.toSorted((a, b) => b.firstLine - a.firstLine)) {
    if (firstLine < 1 || firstLine > lastLine || lastLine > count || lastLine >= above) return null;
    above = firstLine;
    // A last line without a line end leaves no empty line behind where it goes away.
    const whole = firstLine === 1 && lastLine === lines.length && after.length === 0;
    lines = [...lines.slice(0, firstLine - 1), ...(whole ? [''] : after), ...lines.slice(lastLine)];
  }
  return lines.join('\n');
}

/** True if two replacements share a line, so that only one can be accepted. */
export function meets(a: Replacement, b: Replacement): boolean {
  return a.firstLine <= b.lastLine && b.firstLine <= a.lastLine;
}
