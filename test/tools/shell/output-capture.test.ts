import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutputCapture } from '../../../src/tools/shell/output-capture.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'anode-capture-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const mebibyte = 1024 * 1024;
const [head, tail] = [4 * 1024, 12 * 1024];
const left = 3 * mebibyte - head - tail;
/** What of a line is shown. */
const clamp = 2000;

/** Three MiB: a, b and c. */
function flood(capture: OutputCapture): void {
  for (const letter of 'abc') capture.push(Buffer.alloc(mebibyte, letter));
}

/** A text of beginning, note and end, as its note and the lengths around it. */
function shape(text: string): unknown {
  const cut = String.raw`… \[(\d+) more characters\]`;
  const [, head = '', headMore, note, tail = '', tailMore] =
    new RegExp(String.raw`^(a*) ${cut}\n\[… (.*) …\]\n(c*) ${cut}$`).exec(text) ?? [];
  return [head.length + Number(headMore), note, tail.length + Number(tailMore), head.length, tail.length];
}

describe('the output of a command', () => {
  it('is stored whole in a file if it is too long for memory', () => {
    const capture = new OutputCapture(folder, 'call/1');
    flood(capture);
    const { text, bytes, spill } = capture.finish();
    const file = path.join(folder, 'call_1.txt');
    expect({ bytes, spill, shape: shape(text), kept: readFileSync(file).length }).toEqual({
      bytes: 3 * mebibyte,
      spill: file,
      shape: [
        head,
        `left out: the middle of line 1 to the middle of line 1 of 1, ${left} bytes; the whole output is in ${file}: use \`cut -c\` or \`head -c\` on it, as read shows only the beginning of so long a line`,
        tail,
        clamp,
        clamp,
      ],
      kept: 3 * mebibyte,
    });
  });

  it('is limited on disk', () => {
    const capture = new OutputCapture(folder, 'call', 2 * mebibyte);
    flood(capture);
    const { text, spill } = capture.finish();
    const file = path.join(folder, 'call.txt');
    const note = `left out: the middle of line 1 to the middle of line 1 of 1, ${left} bytes; the first ${2 * mebibyte} bytes of the output are in ${file}, ${mebibyte} were not kept`;
    expect({ spill, shape: shape(text), kept: readFileSync(file).length }).toEqual({
      spill: file,
      shape: [head, note, tail, clamp, clamp],
      kept: 2 * mebibyte,
    });
  });

  it('is written to the file immediately instead of waiting in memory', () => {
    const capture = new OutputCapture(folder, 'call');
    const sizes = [1, 2, 3].map(() => {
      capture.push(Buffer.alloc(mebibyte, 'x\n'));
      return statSync(path.join(folder, 'call.txt')).size;
    });
    expect(sizes).toEqual([mebibyte, 2 * mebibyte, 3 * mebibyte]);
  });

  it.each([
    [
      'colours and links',
      '\u001b[1;31mred\u001b[0m \u001b]8;;https://example.com\u0007link\u001b]8;;\u0007\u001b[K\n',
      'red link\n',
    ],
    ['other control characters', `a\u0000b\u0007c\u007f${'.'.repeat(40)}`, `a␀b␇c␡${'.'.repeat(40)}`],
    ['line ends of any kind', 'a\r\nb\rc\n', 'a\r\nb\rc\n'],
  ])('is displayed as text: %s', (_, output, text) => {
    const capture = new OutputCapture(folder, 'call');
    capture.push(Buffer.from(output));
    expect(capture.finish()).toEqual({ text, bytes: Buffer.byteLength(output), spill: null });
  });

  it('replaces bytes that are not UTF-8', () => {
    const capture = new OutputCapture(folder, 'call');
    capture.push(Buffer.from('caf\xe9 au lait, s.v.p.\n', 'latin1'));
    expect(capture.finish().text).toBe(
      'caf\ufffd au lait, s.v.p.\n\n[each \ufffd replaces bytes that are not UTF-8]',
    );
  });

  it('is displayed if only its end is cut off inside a character', () => {
    const capture = new OutputCapture(folder, 'call');
    capture.push(Buffer.concat([Buffer.from(`${'All tests pass. '.repeat(4)}\n`), Buffer.alloc(20, 0xff)]));
    expect(capture.finish()).toEqual({
      text: `${'All tests pass. '.repeat(4)}\n${'\ufffd'.repeat(20)}\n[each \ufffd replaces bytes that are not UTF-8]`,
      bytes: 85,
      spill: null,
    });
  });

  it('is stored but not displayed if it is binary', () => {
    const capture = new OutputCapture(folder, 'call');
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0xff, 0xd8, 10, 0, 1]);
    capture.push(bytes);
    const file = path.join(folder, 'call.txt');
    expect([capture.finish(), readFileSync(file)]).toEqual([
      {
        text: `[output that is no text, 13 bytes, is not shown; the whole output is in ${file}: use read or grep on it; \`od -c\` shows it]`,
        bytes: 13,
        spill: file,
      },
      bytes,
    ]);
  });

  it.each([
    ['a disk that is full', 'ENOSPC'],
    ['a folder that cannot be made', 'EEXIST'],
  ])('remains after %s', (_, code) => {
    writeFileSync(path.join(folder, 'file'), '');
    symlinkSync('/dev/full', path.join(folder, 'call.txt'));
    const capture = new OutputCapture(code === 'ENOSPC' ? folder : path.join(folder, 'file'), 'call');
    flood(capture);
    const { text, bytes, spill } = capture.finish();
    expect({ bytes, spill, said: text.includes(`they could not be kept: ${code}`) }).toEqual({
      bytes: 3 * mebibyte,
      spill: null,
      said: true,
    });
  });
});
