import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readerOf, UnreadOutput } from '../../../../src/tools/shell/sessions/open-shell.ts';
import { OutputFile } from '../../../../src/tools/shell/sessions/output-file.ts';
import { terminalText } from '../../../../src/tools/text/plain-text.ts';

describe('the screen of a terminal', () => {
  it.each([
    ['lines', 'a\r\nb\r\n', 'a\nb\n'],
    ['progress', ' 10%\r 50%\r100%\r\ndone\r\n', '100%\ndone\n'],
    ['progress that is wiped', '\r\u001b[K10%\r\u001b[K50%', '50%'],
    ['a line that is wiped at last', '50%\r   \r\n', '50%\n'],
    ['backspaces', 'abc\b\bX\b\b\b\bZ\n', 'Z\n'],
    ['colours and a bell', '\u001b[32mok\u001b[0m\u0007\n', 'ok\n'],
    ['wide characters', 'né\b😀\b!\n', 'n!\n'],
  ])('has its last state: %s', (_, output, text) => {
    expect(terminalText(output)).toBe(text);
  });
});

describe('output that was not yet requested', () => {
  let folder: string;
  let file: OutputFile;
  let output: UnreadOutput;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'anode-unread-'));
    file = new OutputFile(folder, 'session_1');
    output = new UnreadOutput(file);
  });
  afterEach(() => {
    file.close();
    rmSync(folder, { recursive: true });
  });

  it('is returned in complete characters and complete terminal sequences', () => {
    const euro = Buffer.from('€');
    output.push(Buffer.concat([Buffer.from('1 '), euro.subarray(0, 2)]));
    const first = output.take(false);
    output.push(Buffer.concat([euro.subarray(2), Buffer.from('\u001b[3')]));
    const second = output.take(false);
    output.push(Buffer.from('1mred\r'));
    const third = output.take(false);
    output.push(Buffer.from('\n\u001b'));
    expect([first, second, third, output.take(true)]).toEqual(['1 ', '€', 'red', '\n␛']);
  });

  it('includes the line that waits for an answer', () => {
    const seen = ['one\r\ntwo', ' thr', '\u001b[1m>>>\u001b[0m ', '\r\n'].map((piece) => {
      output.push(Buffer.from(piece));
      return output.lastLine;
    });
    expect(seen).toEqual(['two', 'two thr', 'two thr>>> ', '']);
  });

  it('uses at most two MiB of memory, displays beginning and end, and is stored whole in the file', () => {
    for (let line = 0; line < 64; line += 1) output.push(Buffer.alloc(65_536, `${line % 10}`));
    output.push(Buffer.from('\nend\n'));
    const { bytes } = output;
    const text = output.take(false);
    const dropped = /left out: (\d+) bytes; the whole output is in (\S+): use/.exec(text);
    expect({
      bytes,
      dropped: Number(dropped?.[1]),
      file: dropped?.[2],
      short: text.length < 32_000,
      end: text.endsWith('\nend\n'),
      kept: readFileSync(file.path).length,
      left: output.bytes,
    }).toEqual({
      bytes: 4 * 1024 * 1024 + 5,
      dropped: 2 * 1024 * 1024 + 65_536,
      file: file.path,
      short: true,
      end: true,
      kept: 4 * 1024 * 1024 + 5,
      left: 0,
    });
  });
});

describe("the reader of a session's input", () => {
  it.each([
    'python3 -i',
    '/usr/bin/python3.11 -q',
    'psql -U x shop',
    'timeout 60 gdb ./a.out',
  ])('is an interpreter: %s', (command) => expect(readerOf(command)).toBe('interpreter'));
  it.each([
    'bash',
    'sh -i',
    'ssh host',
    'sudo -s',
    'npm start',
    './python3',
    'python3 -i; bash',
    'python3 -i || bash',
    'python3 <(cat x)',
    'python3 -c "$(cat x)"',
    '$PYTHON -i',
    'python3 () { bash; }; python3',
    'PATH=. python3',
    'env PATH=. python3',
    'tools/python3',
    'python3 "',
    '',
  ])('may be a shell: %s', (command) => expect(readerOf(command)).toBe('shell'));
});
