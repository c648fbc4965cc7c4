import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import type { StorageSpace } from '../../workspace/storage/run-storage.ts';
import { integer, unlessNull } from '../input/lenient.ts';
import { readSlice } from '../search/read-slice.ts';
import { lineAt, textRange } from '../text/text-range.ts';
import { defineTool } from '../tool.ts';

const mostCharacters = 80_000;

const input = z.object({
  path: z.string().min(1),
  start_line: unlessNull(integer(z.int().positive())).describe('from 1'),
  line_count: unlessNull(integer(z.int().positive())),
  start_char: unlessNull(integer(z.int().nonnegative())).describe('from 0, in place of lines'),
  max_chars: unlessNull(integer(z.int().positive().max(mostCharacters))).describe('at most 80,000'),
});

/** Reads one of the run's own files. */
export const workspaceReadFile = defineTool({
  name: 'workspace.read_file',
  argumentAliases: { file_path: 'path' },
  description:
    'Read one of your own files outside the repository as numbered lines, by lines or by characters, not both.',
  exposure: 'deferred',
  findBy: ['run files'],
  input,
  level: 'auto_read',
  targets: (args) => ({ what: args.path }),
  async execute(args, context) {
    const { storage } = context;
    const path = storage.locate(args.path);
    const byLine = args.start_line !== undefined || args.line_count !== undefined;
    const byCharacter = args.start_char !== undefined || args.max_chars !== undefined;
    if (byLine && byCharacter) {
      throw invalidInput(
        'Lines and characters cannot be mixed: give start_line and line_count, or start_char and max_chars.',
      );
    }
    const space = await storage.open();
    if (path === '' || (await space.files.stat(path))?.kind === 'directory') {
      throw new ToolError(
        'is_directory',
        `${path || '.'} is a folder; workspace.list_files shows what lies in it.`,
      );
    }
    if (byCharacter) {
      const slice = await readCharacters(space, path, args.start_char ?? 0, args.max_chars ?? mostCharacters);
      return { content: slice.text, data: { ...slice.data } };
    }
    const start = args.start_line ?? 1;
    const end = args.line_count === undefined ? null : start + args.line_count - 1;
    const slice = await readSlice(space, path, { start, end }, Number.POSITIVE_INFINITY);
    return { content: slice.text, data: { ...slice.data } };
  },
});

/**
 * Reads up to `count` characters from `start` (from 0) of a text file, as numbered lines; the first
 * may begin in the middle. Throws `ToolError('invalid_input')` for a start past the end.
 */
export async function readCharacters(
  { files, memory }: StorageSpace,
  path: string,
  start: number,
  count: number,
) {
  const { bytes } = await files.read(path);
  memory.saw(path, bytes);
  const whole = bytes.toString('utf8');
  const { text, note, data } = textRange(path, whole, { start_char: start, max_chars: count });
  const first = lineAt(whole, start);
  const lines = text.replace(/\n$/, '').split('\n');
  const numbered = lines.map((line, index) => `${first + index}\t${line}`).join('\n');
  return { text: whole === '' ? '(the file is empty)' : numbered + note, data: { path, ...data } };
}
