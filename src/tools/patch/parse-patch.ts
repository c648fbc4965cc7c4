import { ToolError } from '../../contract/errors.ts';
import type { FilePatch, Hunk, HunkLine } from './file-patch.ts';
import { hunkMark, type PatchCursor, patchError } from './parse-hunk.ts';
import { parseUnified } from './parse-unified.ts';

/**
 * Parses a patch in either form: the `*** Begin Patch` envelope or a unified diff. Throws
 * `ToolError('invalid_patch')` with the problem, its location, and the expected form. `strip`:
 * number of leading folders to remove from a unified diff's names; null guesses.
 */
export function parsePatch(text: string, strip: number | null = null): FilePatch[] {
  const plain = unwrapped(text);
  const patches = isEnvelope(plain) ? parseEnvelope(plain) : parseUnified(plain, strip);
  if (patches.length > 0) return patches;
  throw new ToolError(
    'invalid_patch',
    'The patch changes no file. Give a unified diff (--- a/file, +++ b/file, @@ … @@), or *** Begin Patch … *** End Patch.',
  );
}

/**
 * Removes what models add around a patch: text, a Markdown fence, a here-document, line endings.
 */
function unwrapped(text: string): string {
  // The file's lines may end in either way; the patch's own header tells how it was transferred.
  const header = /^(?:diff --git|--- |@@|\*\*\* ).*$/m.exec(text)?.[0];
  const plain = header?.endsWith('\r') === true ? text.replaceAll('\r\n', '\n') : text;
  const trimmed = plain.trim();
  const fence = /^```[\w-]*\n(?<body>[\s\S]*?)\n```$/.exec(trimmed)?.groups?.body;
  if (fence !== undefined) return `${fence}\n`;
  const heredoc =
    /^(?:apply_?patch\s+)?<<-?\s*(?:'(?<a>\w+)'|"(?<b>\w+)"|(?<c>\w+))\n(?<body>[\s\S]*?)\n(?<end>\w+)$/.exec(
      trimmed,
    )?.groups;
  const word = heredoc?.a ?? heredoc?.b ?? heredoc?.c;
  if (heredoc?.body !== undefined && heredoc.end === word) return `${heredoc.body}\n`;
  return envelopeInText(plain) ?? plain;
}

/**
 * Returns an envelope after some text, perhaps in a fence. Null if a diff or shell command comes
 * first.
 */
function envelopeInText(text: string): string | null {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  if (begin <= 0) return null;
  if (lines.slice(0, begin).some((line) => /^(?:--- |\+\+\+ |@@|diff )|<</.test(line))) return null;
  const end = lines.findLastIndex((line) => line.trim() === '*** End Patch');
  return end < begin ? null : `${lines.slice(begin, end + 1).join('\n')}\n`;
}

/** True for text that begins as an envelope. */
export function isEnvelope(text: string): boolean {
  return text.trimStart().startsWith('*** Begin Patch');
}

/**
 * Parses the envelope. `*** Begin Patch` is followed by files and `*** End Patch`. A file is `***
 * Add File:`, `*** Delete File:` or `*** Update File:` (with `*** Move to:`, chunks after `@@
 * locator` lines, `*** End of File`). Whitespace around markers is allowed.
 */
export function parseEnvelope(text: string): FilePatch[] {
  const lines = text.trim().split('\n');
  if (lines.at(-1)?.trim() !== '*** End Patch') {
    throw patchError(lines.length - 1, 'the last line must be "*** End Patch"');
  }
  const cursor: PatchCursor = { lines: lines.slice(0, -1), at: 1 };
  const patches: FilePatch[] = [];
  while (cursor.at < cursor.lines.length) {
    const line = (cursor.lines[cursor.at] ?? '').trim();
    if (line === '' || line.startsWith('*** Environment ID:')) {
      cursor.at += 1;
      continue;
    }
    const header = /^\*\*\* (?<verb>Add|Delete|Update) File: *(?<path>.+)$/.exec(line)?.groups;
    if (header?.path === undefined) {
      throw patchError(
        cursor.at,
        `"${line}" is no file header (*** Add File: …, *** Update File: …, *** Delete File: …)`,
      );
    }
    cursor.at += 1;
    if (header.verb === 'Add') patches.push(parseAdd(header.path, cursor));
    else if (header.verb === 'Delete') patches.push({ kind: 'delete', path: header.path, hunks: [] });
    else patches.push(parseUpdate(header.path, cursor));
  }
  return patches;
}

function parseAdd(path: string, cursor: PatchCursor): FilePatch {
  const content: string[] = [];
  for (; cursor.at < cursor.lines.length; cursor.at += 1) {
    const line = cursor.lines[cursor.at] ?? '';
    if (!line.startsWith('+')) break;
    content.push(`${line.slice(1)}\n`);
  }
  return { kind: 'add', path, content: content.join(''), mode: null };
}

function parseUpdate(path: string, cursor: PatchCursor): FilePatch {
  const move = /^\s*\*\*\* Move to: *(?<to>\S.*)$/.exec(cursor.lines[cursor.at]?.trimEnd() ?? '')?.groups?.to;
  if (move !== undefined) cursor.at += 1;
  const hunks: Hunk[] = [];
  while (cursor.at < cursor.lines.length && !isFileHeader(cursor.lines[cursor.at] ?? '')) {
    const hunk = parseChunk(cursor, hunks.length === 0);
    if (hunk !== null) hunks.push(hunk);
  }
  if (hunks.length === 0 && move === undefined) {
    throw patchError(
      cursor.at - 1,
      `the update of ${path} has no chunk; add @@ and lines with " ", "-" or "+"`,
    );
  }
  return {
    kind: 'update',
    path,
    to: move ?? null,
    copy: false,
    overwrite: true,
    mode: null,
    preimage: null,
    hunks,
  };
}

/** Parses one chunk. Null for blank lines before and between chunks. */
function parseChunk(cursor: PatchCursor, first: boolean): Hunk | null {
  const start = cursor.at;
  const locators = takeLocators(cursor);
  const marked = cursor.at > start;
  const label = cursor.lines[start] ?? '';
  const lines = chunkLines(cursor);
  const atEnd = cursor.lines[cursor.at]?.trim() === '*** End of File';
  if (atEnd) cursor.at += 1;
  const empty = lines.length === 0;
  const moved = cursor.at > start;
  if (empty && !atEnd && moved && !marked) return null;
  if (!moved || empty || !(first || marked)) {
    const hasLabel = cursor.at >= cursor.lines.length || !empty || moved;
    throw patchError(
      cursor.at,
      hasLabel
        ? `the chunk "${label}" has no lines that begin with " ", "-" or "+"`
        : `"${cursor.lines[cursor.at]}" must begin with " ", "-", "+" or "@@"`,
    );
  }
  return { label, lines, line: null, locators, atEnd, finalNewline: true };
}

/** Takes the `@@` lines of a chunk, and returns their locators. */
function takeLocators(cursor: PatchCursor): string[] {
  const locators: string[] = [];
  for (; cursor.at < cursor.lines.length; cursor.at += 1) {
    const marker = /^@@(?:\s+(?<text>.*))?$/.exec(cursor.lines[cursor.at]?.trimEnd() ?? '')?.groups;
    if (marker === undefined) break;
    // Some write a unified diff's line numbers here; they locate nothing.
    const text = withoutMark((marker.text ?? '').replace(/^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?/, ''));
    if (text.trim() !== '') locators.push(text);
  }
  return locators;
}

/** Removes the trailing `@@` of a locator, and the whitespace before it. */
function withoutMark(locator: string): string {
  const bare = locator.endsWith('@@') ? locator.slice(0, -2) : locator;
  return /\s$/.test(bare) && bare !== locator ? bare.trimEnd() : locator;
}

function chunkLines(cursor: PatchCursor): HunkLine[] {
  const lines: HunkLine[] = [];
  for (; cursor.at < cursor.lines.length; cursor.at += 1) {
    const line = cursor.lines[cursor.at] ?? '';
    const mark = line === '' ? ' ' : hunkMark(line);
    if (mark === null || isFileHeader(line)) break;
    lines.push({ mark, text: line.slice(1) });
  }
  const next = cursor.lines[cursor.at];
  if (next === undefined || isFileHeader(next) || next.startsWith('@@')) dropBlankEnd(cursor, lines);
  return lines;
}

/** Drops blank lines before the next header, which are the writer's and not the file's. */
function dropBlankEnd(cursor: PatchCursor, lines: HunkLine[]): void {
  const isBlank = () => lines.at(-1)?.text === '' && lines.at(-1)?.mark === ' ';
  while (isBlank() && cursor.lines[cursor.at - 1] === '') {
    lines.pop();
    cursor.at -= 1;
  }
  while (cursor.lines[cursor.at] === '') cursor.at += 1;
}

function isFileHeader(line: string): boolean {
  return /^\s*\*\*\* (?:Add|Delete|Update) File:/.test(line);
}
