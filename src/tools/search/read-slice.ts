import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { isBinary } from '../../workspace/files/is-binary.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { integer, list } from '../input/lenient.ts';
import { numberLines } from '../text/number-lines.ts';
import { decodeText, splitLines } from '../text/text-file.ts';

/** Maximum bytes read of a file. */
const prefixBytes = 2 * 1024 * 1024;

/** A part of a file for the model, with its data. */
interface FileSlice {
  readonly text: string;
  /** Bytes of the numbered lines, without the notes below them. */
  readonly bytes: number;
  readonly data: {
    readonly path: string;
    readonly start_line: number;
    readonly end_line: number;
    /** Lines of the file, or of its first 2 MiB if `file_capped`. */
    readonly total_lines: number;
    readonly file_capped: boolean;
    /** True if max_bytes or the end of the first 2 MiB cut the requested lines. */
    readonly truncated: boolean;
  };
}

/**
 * Reads numbered lines of one text file, and remembers that the model has seen it. Throws
 * `ToolError` for a directory, a binary or missing file, or a range outside the file.
 */
export async function readSlice(
  workspace: Pick<Workspace, 'files' | 'memory'>,
  path: string,
  range: LineRange,
  maxBytes: number,
): Promise<FileSlice> {
  await refuseDirectory(workspace, path);
  const { bytes, size } = await workspace.files.read(path, prefixBytes);
  if (isBinary(bytes)) throw await binaryFile(path, bytes);
  const capped = size > bytes.length;
  if (!capped) workspace.memory.saw(workspace.files.relative(path), bytes);

  const shownBytes = capped ? withoutCutCharacter(bytes) : bytes;
  const lines = splitLines(stripByteOrderMark(decodeText(shownBytes)));
  const { start } = range;
  if (range.end !== null && range.end < start) {
    throw invalidInput(`The range ends before it starts: ${start} to ${range.end}.`);
  }
  if (start > Math.max(lines.length, 1)) {
    throw invalidInput(
      `${path} has only ${lines.length} lines${capped ? ' in its first 2 MiB' : ''}; line ${start} is past its end.`,
    );
  }
  const wanted = lines.slice(start - 1, lastLine(range));
  const shown = numberLines(wanted, start, maxBytes);
  const data = {
    path: workspace.files.relative(path),
    start_line: start,
    end_line: shown.end,
    total_lines: lines.length,
    file_capped: capped,
    truncated: shown.truncated || (capped && shown.end === lines.length),
  };
  // An explicit end needs no advice on how to continue.
  const cut = shown.truncated;
  const isExplicit = range.end !== null && !cut;
  const text = withNotes(shown.text, data, { utf8: isUtf8(shownBytes), isExplicit, cut });
  return { text, bytes: Buffer.byteLength(shown.text), data };
}

function withNotes(
  text: string,
  data: FileSlice['data'],
  { utf8, isExplicit, cut }: { utf8: boolean; isExplicit: boolean; cut: boolean },
): string {
  if (data.total_lines === 0) return '(the file is empty)';
  const notes: string[] = [];
  if (!utf8) notes.push('[not valid UTF-8: shown as Latin-1, which an edit preserves]');
  const { start_line: start, end_line: end } = data;
  if (end < data.total_lines) {
    const lines = start === end ? `line ${start}` : `lines ${start}-${end}`;
    const total = `${data.total_lines}${data.file_capped ? ' or more' : ''}`;
    const next = `${cut ? ', cut by max_bytes' : ''}; continue with start_line ${end + 1}`;
    notes.push(`[${lines} of ${total}${isExplicit ? '' : next}]`);
  }
  if (data.file_capped) notes.push('[only the first 2 MiB of the file can be read; use grep for the rest]');
  return [text, ...notes].join('\n');
}

async function refuseDirectory(workspace: Pick<Workspace, 'files'>, path: string): Promise<void> {
  const info = await workspace.files.stat(path);
  if (info?.kind !== 'directory') return;
  const entries = await workspace.files.list(path);
  const names = entries.slice(0, 50).map((entry) => entry.name + (entry.kind === 'directory' ? '/' : ''));
  const more = entries.length > names.length ? ` and ${entries.length - names.length} more` : '';
  throw new ToolError(
    'is_directory',
    `${path || '.'} is a directory, not a file. It holds: ${names.join(', ') || 'nothing'}${more}. Read one of its files, or use glob.`,
  );
}

async function binaryFile(path: string, bytes: Buffer): Promise<ToolError> {
  const { examineImage } = await import('../image/examine-image.ts');
  const remedy =
    'otherKind' in examineImage(bytes)
      ? 'Use bash with file, xxd or strings to look into it.'
      : 'It is an image: view_image shows it, called through use_tool.';
  return new ToolError(
    'binary',
    `${path} is a binary file (${bytes.length} bytes or more); read shows text only. ${remedy}`,
  );
}

/** Removes the bytes of a truncated UTF-8 character at the end, at most three. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  const from = Math.max(0, bytes.length - 3);
  const lead = bytes.findLastIndex((byte, index) => index >= from && byte >= 0xc0);
  if (lead === -1) return bytes;
  const first = bytes[lead] ?? 0;
  const length = 2 + Number(first >= 0xe0) + Number(first >= 0xf0);
  return lead + length > bytes.length ? bytes.subarray(0, lead) : bytes;
}

function stripByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

const openEnd = 'lines count from 1; leave the end out to read on to the end of the file';

/** Schema fields by which the reading tools take a slice of a file. */
export const lineRangeFields = {
  start_line: integer(z.int().positive('lines count from 1')).optional(),
  end_line: integer(z.int().positive(openEnd)).optional(),
  read_range: list(
    z
      .array(integer(z.int().positive(openEnd)))
      .min(1)
      .max(2),
  )
    .optional()
    .meta({ hidden: true }),
  limit: integer(z.int().positive()).optional().meta({ hidden: true }),
};

/** Other agents' names of these fields. */
export const lineRangeAliases = {
  offset: 'start_line',
  start: 'start_line',
  from: 'start_line',
  line_start: 'start_line',
  startLine: 'start_line',
  end: 'end_line',
  to: 'end_line',
  line_end: 'end_line',
  endLine: 'end_line',
  view_range: 'read_range',
};

/** A slice as the model may specify it. */
interface LineRangeInput {
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly read_range?: readonly number[] | undefined;
  readonly limit?: number | undefined;
}

/** Lines from 1, the end included; a null end means the default number. */
interface LineRange {
  readonly start: number;
  readonly end: number | null;
}

const defaultLines = 1000;

/** Resolves a slice: `read_range` wins; `[n]` alone runs to the end of the file. */
export function lineRange(input: LineRangeInput): LineRange {
  const [start, end] = input.read_range ?? [];
  if (start !== undefined) return { start, end: end ?? Number.POSITIVE_INFINITY };
  const first = input.start_line ?? 1;
  if (input.end_line !== undefined) return { start: first, end: input.end_line };
  return { start: first, end: input.limit === undefined ? null : first + input.limit - 1 };
}

/** Returns the last line to display. Default: 1,000 lines. */
export function lastLine(range: LineRange): number {
  return range.end ?? range.start + defaultLines - 1;
}
