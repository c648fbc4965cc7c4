import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { findText } from '../../../src/tools/edit/find-text.ts';
import { insertLines } from '../../../src/tools/edit/insert-text.ts';
import { replaceText } from '../../../src/tools/edit/replace-text.ts';
import {
  decodeTextFile,
  encodeTextFile,
  splitLines,
  withLineEndings,
} from '../../../src/tools/text/text-file.ts';

const line = fc.oneof(
  fc.constantFrom(
    '',
    '}',
    '{',
    '  a',
    '\tb',
    '    return x;',
    'f( a, b )',
    '“typographic” – line',
    'x\\n"y"',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll(/[\r\n\0]/g, '')),
);
const ending = fc.constantFrom('\n' as const, '\r\n' as const);

/** A file's bytes with one kind of line ending, with or without byte order mark and final newline. */
const file = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 25 }),
    ending,
    bom: fc.boolean(),
    finalNewline: fc.boolean(),
  })
  .map(({ lines, ending: eol, bom, finalNewline }) =>
    Buffer.from((bom ? '\ufeff' : '') + lines.join(eol) + (finalNewline ? eol : '')),
  )
  .filter((bytes) => !bytes.includes(0));

/** An edit of a file's bytes as the tool makes it; null when it was refused. */
function edit(bytes: Buffer, old: string, next: string, occurrence: number | 'all' = 0) {
  const decoded = decodeTextFile('f.txt', bytes);
  try {
    const done = replaceText('f.txt', decoded.text, { old, new: next, occurrence });
    return { ...done, bytes: encodeTextFile('f.txt', { ...decoded, text: done.text }) };
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}

/** A piece of a text: from one offset to another, as fractions of its length. */
function pieceOf(text: string, from: number, to: number): [number, number] {
  const offsets = [from, to].map((part) => Math.floor(part * (text.length + 1))).sort((a, b) => a - b);
  return [offsets[0] ?? 0, offsets[1] ?? 0];
}

/** True if new text begins with the indentation before its piece, which the tool takes for a slip. */
function repeatsIndent(text: string, start: number, next: string): boolean {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return before !== '' && before.trim() === '' && next.startsWith(before);
}

const part = fc.double({ min: 0, max: 0.999, noNaN: true });

test('an edit of a unique piece changes only that piece, and its reverse restores the bytes', () => {
  fc.assert(
    fc.property(file, part, part, fc.array(line, { maxLength: 4 }), (bytes, from, to, added) => {
      const { text } = decodeTextFile('f.txt', bytes);
      const plain = withLineEndings(text, '\n');
      const [start, end] = pieceOf(plain, from, to);
      const [old, next] = [plain.slice(start, end), added.join('\n')];
      fc.pre(old.isWellFormed());
      fc.pre(old !== '' && old !== next && plain.split(old).length === 2 && !old.startsWith('\ufeff'));
      fc.pre(plain.indexOf(old, plain.indexOf(old) + 1) === -1 && !next.startsWith('\ufeff'));
      fc.pre(!repeatsIndent(plain, start, next) && !repeatsIndent(plain, start, old));
      const done = edit(bytes, old, next);
      const eol = text.includes('\r\n') ? '\r\n' : '\n';
      const mark = bytes.toString('utf8').startsWith('\ufeff') ? '\ufeff' : '';
      const expected = mark + withLineEndings(plain.slice(0, start) + next + plain.slice(end), eol);
      expect(done?.bytes.toString('utf8')).toBe(expected);
      expect(done?.strategy).toBe('exact');

      const edited = plain.slice(0, start) + next + plain.slice(end);
      // Once every line break is gone, nothing tells of the endings any more.
      fc.pre(
        next !== '' && edited.split(next).length === 2 && edited.includes('\n') === plain.includes('\n'),
      );
      fc.pre(edited.indexOf(next, edited.indexOf(next) + 1) === -1);
      expect(edit(done?.bytes ?? bytes, next, old)?.bytes).toEqual(bytes);
    }),
    { numRuns: 1000 },
  );
});

/** Slips that models make in copying, by line. */
const slip = fc.constantFrom<(text: string) => string>(
  (text) => text.replaceAll(/^[ \t]+/gm, ''),
  (text) => text.replaceAll(/^(?=.*\S)/gm, '    '),
  (text) => text.replaceAll(/[ \t]+$/gm, ''),
  (text) => text.replaceAll(' ', '  '),
  (text) => text.replaceAll(/[“”]/g, '"').replaceAll('–', '-'),
  (text) => text.replaceAll('"', '\\"'),
  (text) => `\n\n${text}\n\n`,
  (text) =>
    text
      .split('\n')
      .map((one, index) => `${index + 7}\t${one}`)
      .join('\n'),
  (text) => text.replaceAll('return x', 'return  y'),
  (text) => text.replace('a', 'aa'),
);

test('no copying slip changes a byte outside the intended lines', () => {
  const place = fc.record({ first: fc.nat(24), count: fc.integer({ min: 1, max: 8 }) });
  fc.assert(
    fc.property(
      file,
      place,
      slip,
      fc.array(line, { maxLength: 4 }),
      (bytes, { first, count }, change, added) => {
        const lines = splitLines(decodeTextFile('f.txt', bytes).text);
        const old = change(lines.slice(first, first + count).join('\n'));
        fc.pre(old.trim() !== '');
        const { text } = decodeTextFile('f.txt', bytes);
        const plain = withLineEndings(text, '\n');
        const found = findText(plain, old);
        const done = edit(bytes, old, added.join('\n'));
        fc.pre(done !== null && found !== null);
        expect(found?.spans).toHaveLength(1);
        const [span] = found?.spans ?? [];
        const eol = text.includes('\r\n') ? '\r\n' : '\n';
        const before = withLineEndings(plain.slice(0, span?.start), eol);
        const after = withLineEndings(plain.slice(span?.end), eol);
        const edited = decodeTextFile('f.txt', done?.bytes ?? bytes).text;
        expect(edited.startsWith(before)).toBe(true);
        expect(edited.endsWith(after)).toBe(true);
        expect(edited.length).toBeGreaterThanOrEqual(before.length + after.length);
      },
    ),
    { numRuns: 1000 },
  );
});

test('an ambiguous text is refused unless the edit names the match, and a refused edit changes nothing', () => {
  const few = fc.constantFrom('a', '  a', 'b', '', '}', '\ta');
  const text = fc.array(few, { minLength: 2, maxLength: 12 }).map((lines) => lines.join('\n'));
  const old = fc.array(few, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, old, (content, wanted) => {
      fc.pre(wanted !== '');
      const bytes = Buffer.from(content);
      const copy = Buffer.from(bytes);
      const found = findText(content, wanted);
      const done = edit(bytes, wanted, 'new');
      if (found === null || found.spans.length !== 1) expect(done).toBeNull();
      else expect(done?.count).toBe(1);
      expect(bytes).toEqual(copy);
    }),
    { numRuns: 500 },
  );
});

test('inserted lines are at the given line, and removing them restores the file', () => {
  fc.assert(
    fc.property(file, part, fc.array(line, { minLength: 1, maxLength: 4 }), (bytes, at, added) => {
      const { text } = decodeTextFile('f.txt', bytes);
      fc.pre(text !== '');
      const lines = splitLines(text);
      const after = Math.floor(at * (lines.length + 1));
      // A blank line at the end of a file without a final newline is that newline.
      fc.pre(text.endsWith('\n') || after < lines.length || added.at(-1) !== '');
      const done = insertLines('f.txt', text, after, added.join('\n') + (added.at(-1) === '' ? '\n' : ''));
      const now = splitLines(done.text);
      expect(now.slice(after, after + added.length)).toEqual(added);
      expect(now.toSpliced(after, added.length)).toEqual(lines);
      expect(done.text.endsWith('\n')).toBe(text.endsWith('\n'));
      if (text.includes('\r\n')) expect(done.text.replaceAll('\r\n', '')).not.toContain('\n');
    }),
    { numRuns: 500 },
  );
});
