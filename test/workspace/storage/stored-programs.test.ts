import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storeProgram } from '../../../src/workspace/storage/stored-programs.ts';

let base: string;
let asked: string[];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'anode-kept-'));
  asked = [];
  mkdirSync(join(base, 'tree'));
});
afterEach(() => rmSync(base, { recursive: true }));

const committed = new Map(
  ['ci/guard.sh', 'ci/rules.txt', 'own/tool', 'top.js'].map((file) => [file, Buffer.from(`commit ${file}`)]),
);
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
};
const keep = (run: string, files: readonly string[] = [], folder: string | null = null) =>
  storeProgram(
    { run, files, folder },
    {
      folder: join(base, 'kept'),
      root: join(base, 'tree'),
      trusted: async (paths) => {
        asked.push(...paths);
        return new Map([...committed].filter(([path]) => paths.includes(path)));
      },
    },
  );
const kept = (path: string) => readFileSync(join(base, 'kept', path), 'utf8');

test('the files of a program come from the trusted commit', async () => {
  expect(await keep('ci/guard.sh --rules=a/b https://a.test/x dir/name top', ['./ci/rules.txt'])).toEqual({
    words: ['ci/guard.sh', '--rules=a/b', 'https://a.test/x', 'dir/name', 'top'],
    folder: join(base, 'kept'),
  });
  expect([kept('ci/guard.sh'), kept('ci/rules.txt'), asked]).toEqual([
    'commit ci/guard.sh',
    'commit ci/rules.txt',
    ['ci/guard.sh', 'dir/name', 'ci/rules.txt'],
  ]);
});

const committedOnly = (file: string) => ({
  problem: `cannot be run: the base branch has no regular file ${file}; commit it there`,
});

test('a program, script or file that is not committed is reported', async () => {
  expect([
    await keep('ci/other'),
    await keep('node ci/other.js'),
    await keep('node ci/other'),
    await keep('node', ['rules.txt']),
    await keep('node'),
  ]).toEqual([
    committedOnly('ci/other'),
    committedOnly('ci/other.js'),
    { words: ['node', 'ci/other'], folder: join(base, 'kept') },
    committedOnly('rules.txt'),
    { words: ['node'], folder: join(base, 'kept') },
  ]);
});

test("an operator's program comes from its folder, or from the commit if it is in the checkout", async () => {
  put('ops/guard.sh', 'operator');
  put('tree/ci/guard.sh', 'work tree');
  const ops = join(base, 'ops');
  expect(await keep('./guard.sh', [], ops)).toEqual({ words: ['./guard.sh'], folder: join(base, 'kept') });
  expect(kept('guard.sh')).toBe('operator');
  symlinkSync(join(base, 'tree/ci'), join(base, 'ops/link'));
  await keep('link/guard.sh', [], ops);
  expect([kept('link/guard.sh'), asked]).toEqual(['commit ci/guard.sh', ['ci/guard.sh']]);
  expect(await keep('./other.sh', [], ops)).toEqual({
    problem: `cannot be run: there is no regular file ./other.sh from ${ops} or, in the checkout, in its last commit; commit it there`,
  });
});

test('absolute paths of checkout files become those of the committed copies', async () => {
  put('tree/own/tool', 'work tree');
  const tree = join(base, 'tree');
  expect([
    await keep(`${tree}/own/tool ${tree}/own ${tree}/top.js /usr/bin/x`),
    await keep(`node ${tree}/own/none`),
    await keep(`${tree}/own`),
  ]).toEqual([
    {
      words: [join(base, 'kept/own/tool'), `${tree}/own`, join(base, 'kept/top.js'), '/usr/bin/x'],
      folder: join(base, 'kept'),
    },
    committedOnly('own/none'),
    committedOnly('own'),
  ]);
  expect(kept('own/tool')).toBe('commit own/tool');
});

test("an operator's absolute path is copied, unless it is a system program", async () => {
  put('opt/tool', 'operator');
  const tool = join(base, 'opt/tool');
  expect([
    await keep(`${tool} a`, [], join(base, 'opt')),
    await keep(`${tool} a`),
    await keep('/usr/bin/env a', [], join(base, 'opt')),
    await keep(`${tool}2`, [], join(base, 'opt')),
  ]).toEqual([
    { words: [join(base, 'kept/program/tool'), 'a'], folder: join(base, 'kept') },
    { words: [tool, 'a'], folder: join(base, 'kept') },
    { words: ['/usr/bin/env', 'a'], folder: join(base, 'kept') },
    {
      problem: `cannot be run: there is no regular file ${tool}2 from ${join(base, 'opt')} or, in the checkout, in its last commit; commit it there`,
    },
  ]);
  expect([kept('program/tool'), readdirSync(join(base, 'kept/program'))]).toEqual(['operator', ['tool']]);
});

test("an operator's program is a regular file of at most 64 MiB", async () => {
  for (const [name, size] of [
    ['most', 64 * 2 ** 20],
    ['more', 64 * 2 ** 20 + 1],
  ] as const) {
    put(`ops/${name}`, '');
    truncateSync(join(base, 'ops', name), size);
  }
  mkdirSync(join(base, 'ops/folder'));
  const ops = join(base, 'ops');
  const missing = (file: string) => ({
    problem: `cannot be run: there is no regular file ${file} from ${ops} or, in the checkout, in its last commit; commit it there`,
  });
  expect([
    await keep('./most', [], ops),
    await keep('./more', [], ops),
    await keep('./folder', [], ops),
    await keep('node -x/y dir/tool.js', ['more'], ops),
    await keep('node ./dir//tool.js', [], ops),
  ]).toEqual([
    { words: ['./most'], folder: join(base, 'kept') },
    ...[missing('./more'), missing('./folder'), missing('more'), missing('./dir//tool.js')],
  ]);
});
