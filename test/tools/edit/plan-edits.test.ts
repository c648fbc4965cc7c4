import { expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { planEdits } from '../../../src/tools/edit/plan-edits.ts';
import { readForChange, readKnownFile } from '../../../src/tools/write/read-for-change.ts';
import type { Workspace } from '../../../src/workspace/workspace.ts';

const tenMiB = 10 * 1024 * 1024;

/** A workspace of texts, with the checks against the model's last read. */
function played(files: Readonly<Record<string, string>>) {
  const checked: unknown[] = [];
  const kinds: Readonly<Record<string, string>> = {
    d: 'directory',
    '': 'directory',
    l: 'symlink',
    p: 'other',
  };
  const workspace = {
    files: {
      missing: (path: string) => new ToolError('not_found', `${path} does not exist.`),
      relative: (path: string) => path.replace(/^\.\//, ''),
      stat: async (path: string) => {
        if (path in kinds) return { kind: kinds[path], size: 0 };
        if (path === 'most' || path === 'more')
          return { kind: 'file', size: tenMiB + (path === 'more' ? 1 : 0) };
        const text = files[path];
        return text === undefined ? null : { kind: 'file', size: text.length };
      },
      read: async (path: string) => {
        if (path !== 'most' && files[path] === undefined) throw new Error(`${path} does not exist.`);
        return { bytes: Buffer.from(files[path] ?? ''), mode: 0o755 };
      },
    },
    memory: {
      check: (path: string, content: Buffer | null, by: string) => {
        checked.push([path, content?.toString() ?? null, by]);
      },
    },
  } as unknown as Workspace;
  return { workspace, checked };
}

/** Edits `path old new`, perhaps with a position, for files; then the expected files. */
async function plan(
  files: Readonly<Record<string, string>>,
  edits: readonly (readonly [path: string, old: string, next: string, occurrence?: number | 'all'])[],
): Promise<unknown> {
  const { workspace } = played(files);
  try {
    const planned = await planEdits(
      workspace,
      edits.map(([path, old, next, occurrence = 0]) => ({
        path,
        replacement: { old, new: next, occurrence },
      })),
    );
    const made = planned.files.map(({ path, before, after }) => [
      path,
      before === null ? null : before.content.toString(),
      after?.content.toString(),
      after?.mode,
    ]);
    return [planned.message, planned.places, planned.data, made];
  } catch (error) {
    const { kind, message } = error as { kind?: string; message: string };
    return `${kind}: ${message}`;
  }
}

const exact = (count: number) => ({ strategies: Array.from({ length: count }, () => 'exact') });

test('one edit of one file reports its line or its matches', async () => {
  expect([
    await plan({ a: 'x\ny\n' }, [['./a', 'y', 'z']]),
    await plan({ a: 'x\nx\n' }, [['a', 'x', 'z', 'all']]),
    await plan({ a: 'x' }, [['a', 'x', '']]),
    await plan({ a: 'x\n  y\n' }, [['a', 'x  \ny', 'x  \nz']]),
  ]).toEqual([
    ['Edited a, line 2:\n1\tx\n2\tz', 1, exact(1), [['a', 'x\ny\n', 'x\nz\n', 0o755]]],
    ['Edited a, 2 places:\n1\tz\n2\tz', 2, exact(1), [['a', 'x\nx\n', 'z\nz\n', 0o755]]],
    ['Edited a, line 1.', 1, exact(1), [['a', 'x', '', 0o755]]],
    [
      'Edited a, line 1, found with other indentation:\n1\tx\n2\t  z',
      1,
      { strategies: ['line-trimmed'] },
      [['a', 'x\n  y\n', 'x\n  z\n', 0o755]],
    ],
  ]);
});

test('several edits report only unusual details of each', async () => {
  expect([
    await plan({ a: 'x\ny\n' }, [
      ['a', 'x', '1'],
      ['./a', '1\ny', '2'],
    ]),
    await plan({ a: 'x\nx\n  y\n' }, [
      ['a', 'x', '1', 'all'],
      ['a', '1  \n1\ny', '1  \n1\nz'],
    ]),
    await plan({ a: 'x', b: 'y' }, [
      ['a', 'x', ''],
      ['b', 'y', 'z'],
      ['c', '', 'new'],
    ]),
    await plan({ a: 'x', b: 'y' }, [
      ['a', 'x', 'z'],
      ['a', 'z', 'x'],
      ['b', 'y', 'z'],
    ]),
  ]).toEqual([
    ['Edited a, 2 edits:\n1\t2', 2, exact(2), [['a', 'x\ny\n', '2\n', 0o755]]],
    [
      'Edited a, 2 edits (edit 1 in 2 places; edit 2 found with other indentation):\n1\t1\n2\t1\n3\t  z',
      3,
      { strategies: ['exact', 'line-trimmed'] },
      [['a', 'x\nx\n  y\n', '1\n1\n  z\n', 0o755]],
    ],
    [
      'Edited 3 files, 3 edits.\na\nb:\n1\tz\nc:\n(new)',
      3,
      exact(3),
      [
        ['a', 'x', '', 0o755],
        ['b', 'y', 'z', 0o755],
        ['c', null, 'new', 0o644],
      ],
    ],
    ['Edited b, 3 edits:\n1\tz', 3, exact(3), [['b', 'y', 'z', 0o755]]],
  ]);
});

test('an empty old text creates a missing file', async () => {
  expect([
    await plan({}, [['a', '', 'one\n']]),
    await plan({}, [['a', '', 'one\ntwo']]),
    await plan({}, [
      ['a', '', 'one'],
      ['a', 'one', 'two'],
    ]),
    await plan({}, [['d/', '', 'x']]),
    await plan({ 'a/': 'x' }, [['a/', 'x', 'y']]),
  ]).toEqual([
    ['Created a (1 line).', 1, exact(1), [['a', null, 'one\n', 0o644]]],
    ['Created a (2 lines).', 1, exact(1), [['a', null, 'one\ntwo', 0o644]]],
    ['Created a (1 line).', 2, exact(2), [['a', null, 'two', 0o644]]],
    'invalid_input: d/ names a folder; give the path of a file in it.',
    ['Edited a/, line 1:\n1\ty', 1, exact(1), [['a/', 'x', 'y', 0o755]]],
  ]);
});

test('a failing edit undoes the others and is named', async () => {
  const files = { a: 'x', b: 'y' };
  const reply = await plan(files, [
    ['a', 'x', 'z'],
    ['b', 'y', 'y'],
  ]);
  expect([
    reply,
    await plan(files, [['b', 'y', 'y']]),
    await plan(files, [
      ['a', 'x', 'z'],
      ['n', 'y', 'z'],
    ]),
    await plan(files, [
      ['a', 'x', 'z'],
      ['a', 'z', 'x'],
      ['b', 'y', 'z'],
      ['b', 'z', 'y'],
    ]),
  ]).toEqual([
    'invalid_input: Edit 2 of 2: The new text is the same as the old; nothing would change in b. No edit was made.',
    'invalid_input: The new text is the same as the old; nothing would change in b.',
    'not_found: Edit 2 of 2: n does not exist. No edit was made.',
    'invalid_input: The edit would change nothing in a, b.',
  ]);
});

test('a file is read for a change if it has at most 10 MiB', async () => {
  const { workspace } = played({ a: 'x' });
  const read = (path: string) =>
    readForChange(workspace, path).catch(({ kind, message }) => `${kind}: ${message}`);
  expect([
    await read('a'),
    await read('n'),
    await read('most'),
    await read('more'),
    await read('d'),
    await read(''),
    await read('l'),
    await read('p'),
  ]).toEqual([
    { content: Buffer.from('x'), mode: 0o755 },
    null,
    { content: Buffer.from(''), mode: 0o755 },
    'too_large: more is over 10 MiB, too large to edit; use a command instead.',
    'is_directory: d is a directory; give the path of a file.',
    'is_directory: . is a directory; give the path of a file.',
    'not_a_file: l is a symbolic link; change the file it points to.',
    'not_a_file: p is not a regular file.',
  ]);
});

test('a file that must exist is compared with its last read', async () => {
  const { workspace, checked } = played({ a: 'x' });
  const known = await readKnownFile(workspace, './a', 'place').catch((error: Error) => error.message);
  const plain = await readKnownFile(workspace, 'a', 'text');
  const gone = await readKnownFile(workspace, 'n', 'text').catch((error: Error) => error.message);
  expect([known, plain, gone, checked]).toEqual([
    './a does not exist.',
    { content: Buffer.from('x'), mode: 0o755 },
    'n does not exist.',
    [
      ['a', null, 'place'],
      ['a', 'x', 'text'],
      ['n', null, 'text'],
    ],
  ]);
});
