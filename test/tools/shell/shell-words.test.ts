import { describe, expect, test } from 'vitest';
import { workingFolder } from '../../../src/tools/shell/command-folder.ts';
import { lastBytes } from '../../../src/tools/shell/output-capture.ts';
import { refuseFullScreen } from '../../../src/tools/shell/refuse-full-screen.ts';
import { describeEnd, renderExit } from '../../../src/tools/shell/render-exit.ts';
import { scriptIn, scriptOf } from '../../../src/tools/shell/script-of.ts';
import { readerOf, terminalCommand } from '../../../src/tools/shell/sessions/open-shell.ts';
import {
  nothingTyped,
  terminalKey,
  typed,
  typedAfter,
} from '../../../src/tools/shell/sessions/session-input.ts';
import { newlinesIn, outputPreview } from '../../../src/tools/text/output-preview.ts';
import { looksBinary, plainText, terminalText } from '../../../src/tools/text/plain-text.ts';

describe('the end of a command', () => {
  const signals =
    'INT=130 QUIT=131 ILL=132 TRAP=133 ABRT=134 BUS=135 FPE=136 KILL=137 SEGV=139 PIPE=141 ALRM=142 TERM=143 XCPU=152 XFSZ=153 SYS=159';

  test.for(signals.split(' ').map((one) => one.split('=')))('is reported with the name SIG%s for %s', ([
    name,
    code,
  ]) => {
    const words = `exit code ${code} (SIG${name})`;
    expect([
      renderExit({ exitCode: Number(code), signal: null }),
      renderExit({ exitCode: null, signal: `SIG${name}` as NodeJS.Signals }),
    ]).toEqual([words, words]);
  });

  test('is reported with its code alone if no signal matches', () => {
    expect([
      renderExit({ exitCode: 3, signal: null }),
      renderExit({ exitCode: 129, signal: null }),
      renderExit({ exitCode: null, signal: 'SIGHUP' }),
      renderExit({ exitCode: null, signal: 'SIGNONE' as NodeJS.Signals }),
      renderExit({ exitCode: null, signal: null }),
      describeEnd({ exitCode: 3, signal: null }),
      describeEnd({ exitCode: null, signal: 'SIGKILL' }),
      describeEnd({ exitCode: null, signal: null }),
    ]).toEqual([
      ...['exit code 3', 'exit code 129', 'exit code 129', 'ended by SIGNONE', 'ended by a signal'],
      ...['ended with exit code 3', 'was ended by SIGKILL', 'was ended by a signal'],
    ]);
  });
});

describe('a program for a full-screen terminal', () => {
  const refused = (script: string): string | null => {
    try {
      refuseFullScreen(script);
      return null;
    } catch (error) {
      return (error as Error).message.replace(/^.*nothing was run\. /, '');
    }
  };
  const edit = 'Use read, edit_file and create_file, or sed.';

  test.for([
    ...['vi', 'vim a', 'nvim', 'vimdiff a b', 'nano a', 'pico', 'emacs', '/usr/bin/vim x', 'cd a && vi'].map(
      (script) => [script, edit],
    ),
    ...['vimdiff --version', 'pico --version', 'nano -w', 'emacs -q', 'vim -x', 'vi -l'].map((script) => [
      script,
      edit,
    ]),
    ...['top', 'htop', 'btop', 'top -d1', 'htop -d', 'btop --helpme'].map((script) => [
      script,
      'Use `top -b -n 1` or `ps`.',
    ]),
    ...['watch ls', 'watch -d x'].map((script) => [
      script,
      'Run what it would repeat once, or in a loop that ends.',
    ]),
  ] as [string, string][])('%s is refused', ([script, words]) => {
    expect(refused(script)).toBe(words);
  });

  test.for([
    ...['vi -e a', 'vi -E', 'vi -s', 'vi -c q', 'vi +q', 'vi --version', 'vi --help'],
    ...['vim -e', 'vim -E', 'vim -s', 'vim -c q', 'vim +q', 'vim --version', 'vim --help'],
    ...[
      'nvim -e',
      'nvim -E',
      'nvim -s',
      'nvim -l x',
      'nvim -c q',
      'nvim +q',
      'nvim --headless',
      'nvim --version',
      'nvim --help',
    ],
    ...[
      'nano --version',
      'nano --help',
      'nano -V',
      'nano -h',
      'emacs --batch',
      'emacs -batch',
      'emacs --script x',
    ],
    ...[
      'emacs --version',
      'emacs --help',
      'top -b',
      'top -Hb',
      'htop --version',
      'htop -h',
      'htop -V',
      'htop --help',
    ],
    ...[
      'btop --version',
      'btop -v',
      'btop -h',
      'btop --help',
      'watch --version',
      'watch -v',
      'watch -h',
      'watch --help',
    ],
    ...['vim "$options"', 'echo vim', 'less a', 'laptop', 'my-vim x', 'man ls'],
  ])('%s is not', (script) => {
    expect(refused(script)).toBeNull();
  });

  test('is named with the missing terminal', () => {
    expect(() => refuseFullScreen('vi')).toThrow(
      'vi needs a terminal and keys, and would never end; nothing was run. Use read, edit_file and create_file, or sed.',
    );
  });
});

const interpreters =
  'python python2 python3 ipython bpython node deno bun ts-node tsx ruby irb pry perl php psysh lua luajit psql mysql mariadb sqlite3 duckdb redis-cli mongosh clickhouse-client gdb lldb pdb jdb dlv ghci iex erl scala jshell groovysh clojure clj julia R Rscript octave maxima gp bc dc ocaml utop racket guile sbcl swipl swift evcxr kotlin';

test.for([
  ...interpreters.split(' '),
  ...['/usr/bin/node', '/bin/bc', '/usr/local/bin/gdb', 'python3.12', 'python2.7', 'timeout 5 node -i'],
])('%s reads its own language', (command) => {
  expect(readerOf(command)).toBe('interpreter');
});

test.for([
  ...[
    'zsh',
    'pythonx',
    'python4',
    'python3.x',
    'xpython3.1',
    '/opt/bin/node',
    '/usr/share/bin/node',
    'x/usr/bin/node',
  ],
  ...['nice node', 'node > out', 'node; node', 'A=1 node', 'git', 'sqlite', 'r'],
])('%s may be a shell', (command) => {
  expect(readerOf(command)).toBe('shell');
});

test('a list of words is the script with the same meaning', () => {
  const shells = ['bash', 'sh', 'zsh', '/bin/bash', '/bin/sh', '/usr/bin/bash'];
  for (const shell of shells)
    expect([scriptOf([shell, '-c', 'a b']), scriptOf([shell, '-lc', 'a b'])]).toEqual(['a b', 'a b']);
  expect([
    scriptOf(['fish', '-c', 'a b']),
    scriptOf(['bash', '-xc', 'a b']),
    scriptOf(['bash', '-lc', 'a', 'b']),
    scriptOf(['bash', '-c']),
    scriptOf(['a b']),
    scriptOf(['a\tb']),
    scriptOf(['ab']),
    scriptIn('["bash", "-c", "a b"]'),
    scriptIn(' ["a", "b c"]'),
    scriptIn('["a", 1]'),
    scriptIn('["a"'),
    scriptIn('[ -f a ]'),
    scriptIn('a ["b"]'),
  ]).toEqual([
    ...["fish -c 'a b'", "bash -xc 'a b'", 'bash -lc a b', 'bash -c', 'a b', 'a\tb', 'ab'],
    ...['a b', "a 'b c'", '["a", 1]', '["a"', '[ -f a ]', 'a ["b"]'],
  ]);
});

describe('terminal input', () => {
  const input = (text: string, enter = true) => ({ text, enter });

  test('contains keys if nothing else is beside them', () => {
    const texts = ['\u0003', '\u0004', '\u001a', '\u001c', '\u0003\n', 'a', ''];
    expect(texts.map((text) => terminalKey(input(text)))).toEqual([
      'Ctrl-C',
      'Ctrl-D',
      'Ctrl-Z',
      'Ctrl-\\',
      null,
      null,
      null,
    ]);
  });

  test('ends with Enter, unless it has one, is a key, or Enter is switched off', () => {
    expect([
      typed(input('a')),
      typed(input('a\n')),
      typed(input('a\nb\n')),
      typed(input('')),
      typed(input('\n')),
      typed(input('a', false)),
      typed(input('\u0003')),
    ]).toEqual(['a\n', 'a\n', 'a\nb\n\n', '\n', '\n', 'a', '\u0003']);
  });

  test('is known from the start, including an unfinished line', () => {
    const known = (...texts: string[]) =>
      texts.reduce((before, text) => typedAfter(before, input(text, false)), nothingTyped);
    expect([
      known('a\n', 'b'),
      known('a\nb', '\u0003'),
      known('a\nb', '\u0004'),
      known('b', '\u001a', 'c'),
      known('b', '\u0003', 'c'),
      known('b', '\u0003', 'c\n'),
      known('\u0003'),
      known('a\nb', '\u0003', 'c', '\u0004'),
    ]).toEqual([
      { before: 'a\nb', others: [] },
      { before: 'a\n', others: ['b'] },
      { before: 'a\nb', others: [''] },
      { before: 'bc', others: ['c'] },
      { before: 'c', others: ['bc'] },
      { before: 'c\n', others: [] },
      { before: '', others: [] },
      { before: 'a\nc', others: ['bc', ''] },
    ]);
  });
});

test('a command gets its own terminal if one is available', () => {
  expect(terminalCommand("echo 'a'")).toBe(
    [
      'if script -qec true /dev/null </dev/null >/dev/null 2>&1',
      `then exec script -qec 'stty -echo rows 40 cols 120; export TERM=dumb COLUMNS=120 LINES=40; echo terminal; exec bash -c '\\''echo '\\''\\'\\'''\\''a'\\''\\'\\'''\\'''\\''' /dev/null`,
      `else echo pipes; exec 2>&1; exec bash -c 'echo '\\''a'\\'''`,
      'fi',
    ].join('\n'),
  );
});

describe('the folder of a command', () => {
  const at = (path: string, start: string, kind: string | null = 'directory') => {
    const files = { relative: (one: string) => one, stat: async () => (kind === null ? null : { kind }) };
    return workingFolder(path, { files, start } as never).catch(
      (error: Error & { kind: string }) => `${error.kind}: ${error.message}`,
    );
  };

  test('exists, or is reported missing with a remedy', async () => {
    expect([
      await at('', 'sub'),
      await at('src', ''),
      await at('src', '', null),
      await at('src', '', 'file'),
      await at('sub', 'sub', null),
      await at('src', 'sub', 'symlink'),
    ]).toEqual([
      '',
      'src',
      "not_found: cwd: src is not there. Leave cwd out to run in the workspace's root.",
      "invalid_input: cwd: src is a file, not a directory. Leave cwd out to run in the workspace's root.",
      'not_found: cwd: sub is not there. Give cwd: "." to run in the root of the repository.',
      'invalid_input: cwd: src is a symlink, not a directory. It counts from the root of the repository; leave it out to run in sub.',
    ]);
  });
});

test('the last bytes of an output are stored, and its lines counted', () => {
  const last = lastBytes(4);
  const seen = ['ab', 'cde', '0123456789', ''].map((piece) => {
    last.push(Buffer.from(piece));
    return last.text();
  });
  expect([seen, ['', 'a', '\n', 'a\nb\n\n'].map((text) => newlinesIn(Buffer.from(text)))]).toEqual([
    ['ab', 'bcde', '6789', '6789'],
    [0, 0, 1, 3],
  ]);
});

describe('the beginning and end of an output', () => {
  const preview = (head: string | Buffer, tail: string | Buffer, bytes: number, newlines: number) =>
    outputPreview({
      ...{ head: Buffer.from(head), tail: Buffer.from(tail), bytes, newlines },
      whereaboutsOf: (what) => `in FILE by ${what}`,
    });

  test('are whole lines if there are any', () => {
    expect([
      preview('a\nb\nc', 'x\ny\nz\n', 100, 30),
      preview('a\nb\nc', 'x\ny\nz', 100, 30),
      preview('abc', 'x\ny\n', 100, 30),
      preview('a\nb', 'xyz\n', 100, 30),
      preview('a\nb', 'xyz', 100, 30),
    ]).toEqual([
      'a\nb\n[… left out: line 3 to line 28 of 30, 92 bytes; in FILE by lines …]\ny\nz\n',
      'a\nb\n[… left out: line 3 to line 29 of 31, 93 bytes; in FILE by lines …]\ny\nz',
      'abc\n[… left out: the middle of line 1 to line 29 of 30, 95 bytes; in FILE by long line …]\ny\n',
      'a\n[… left out: line 2 to the middle of line 30 of 30, 94 bytes; in FILE by long line …]\nxyz\n',
      'a\n[… left out: line 2 to the middle of line 31 of 31, 95 bytes; in FILE by long line …]\nxyz',
    ]);
  });

  test('never cut a character in half, and limit lines to 2,000 characters', () => {
    const euro = Buffer.from('€');
    const head = Buffer.concat([Buffer.from('a'), euro.subarray(0, 2)]);
    const tail = Buffer.concat([euro.subarray(1), Buffer.from('b')]);
    expect([preview(head, tail, 100, 0), preview('x'.repeat(2_000), 'y'.repeat(2_001), 9_999, 0)]).toEqual([
      'a\n[… left out: the middle of line 1 to the middle of line 1 of 1, 94 bytes; in FILE by long line …]\nb',
      `${'x'.repeat(2_000)}\n[… left out: the middle of line 1 to the middle of line 1 of 1, 5998 bytes; in FILE by long line …]\n${'y'.repeat(2_000)} … [1 more characters]`,
    ]);
  });
});

test('each control character is displayed as its symbol, and terminal sequences are removed', () => {
  const all = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).join('');
  const pictures = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(0x2400 + code)).join('');
  expect([
    plainText(all.replace('\u001b', '')),
    plainText('a\u007fb\u0085c\u009f'),
    plainText('\u001b]0;title\u0007a\u001b]8;;x\u001b\\b\u001b]0;open'),
    terminalText('a\u0007\r\r\nb\bc\rd'),
  ]).toEqual([
    pictures.replace('␉', '\t').replace('␊', '\n').replace('␍', '\r').replace('␛', ''),
    'a␡bc',
    'ab␛]0;open',
    'a\nd',
  ]);
});

test('a text is binary by its share of odd characters, a tenth with NUL', () => {
  const text = (odd: string, count: number) => odd.repeat(count) + 'x'.repeat(100 - count);
  const odd = ['\u0001', '\u0008', '\u000e', '\u001a', '\u001c', '\u001f', '\ufffd'];
  expect([
    ...odd.map((one) => looksBinary(text(one, 41))),
    ...odd.map((one) => looksBinary(text(one, 40))),
    ...['\t', '\n', '\r', '\u000b', '\u001b', ' '].map((one) => looksBinary(text(one, 100))),
    looksBinary(text('\0', 11)),
    looksBinary(text('\0', 10)),
    looksBinary(''),
  ]).toEqual([
    ...odd.map(() => true),
    ...odd.map(() => false),
    ...Array.from({ length: 6 }, () => false),
    true,
    false,
    false,
  ]);
});
