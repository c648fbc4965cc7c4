import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
const [head, tail] = [10 * 1024, 20 * 1024];
const left = 3 * mebibyte - head - tail;

/** Three MiB: a, b and c. */
function flood(capture: OutputCapture): void {
  for (const letter of 'abc') capture.push(Buffer.alloc(mebibyte, letter));
}

/** A text of beginning, note and end, as its note and the lengths around it. */
function shape(text: string): unknown {
  const [, head = '', note, tail = ''] = /^(a*)\n\[… (.*) …\]\n(c*)$/.exec(text) ?? [];
  return [head.length, note, tail.length];
}

describe('the output of a command', () => {
  it('is kept whole in a file where it is too long for memory', async () => {
    const capture = new OutputCapture(folder, 'call/1');
    flood(capture);
    const { text, bytes, spill } = await capture.finish();
    const file = path.join(folder, 'call_1.txt');
    expect({ bytes, spill, shape: shape(text), kept: readFileSync(file).length }).toEqual({
      bytes: 3 * mebibyte,
      spill: file,
      shape: [
        head,
        `left out: the middle of line 1 to the middle of line 1 of 1, ${left} bytes; the whole output is in ${file}: use read or grep on it`,
        tail,
      ],
      kept: 3 * mebibyte,
    });
  });

  it('does not fill the disk', async () => {
    const capture = new OutputCapture(folder, 'call', 2 * mebibyte);
    flood(capture);
    const { text, spill } = await capture.finish();
    const file = path.join(folder, 'call.txt');
    const note = `left out: the middle of line 1 to the middle of line 1 of 1, ${left} bytes; the first ${2 * mebibyte} bytes of the output are in ${file}, ${mebibyte} were not kept`;
    expect({ spill, shape: shape(text), kept: readFileSync(file).length }).toEqual({
      spill: file,
      shape: [head, note, tail],
      kept: 2 * mebibyte,
    });
  });

  it.each([
    ['a disk that is full', 'ENOSPC'],
    ['a folder that cannot be made', 'EEXIST'],
  ])('outlives %s', async (_, code) => {
    writeFileSync(path.join(folder, 'file'), '');
    symlinkSync('/dev/full', path.join(folder, 'call.txt'));
    const capture = new OutputCapture(code === 'ENOSPC' ? folder : path.join(folder, 'file'), 'call');
    flood(capture);
    const { text, bytes, spill } = await capture.finish();
    expect({ bytes, spill, said: text.includes(`they could not be kept: ${code}`) }).toEqual({
      bytes: 3 * mebibyte,
      spill: null,
      said: true,
    });
  });
});
