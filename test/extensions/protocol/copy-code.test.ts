import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyServer } from '../../../src/extensions/mcp/copy-server.ts';
import { type CodeToCopy, copyCode } from '../../../src/extensions/protocol/copy-code.ts';
import type { TrustedTree } from '../../../src/workspace/git/trusted-tree.ts';
import { readTree } from '../../tools/tool-harness.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'keep-code-')));
  for (const folder of ['tree/in', 'own/node_modules/a/bin', 'own/tool'])
    mkdirSync(path.join(base, folder), { recursive: true });
  for (const file of ['own/tool/run.js', 'own/node_modules/a/bin/x.js', 'own/data'])
    writeFileSync(path.join(base, file), '');
});
afterEach(() => rmSync(base, { recursive: true }));

const at = (name: string) => path.join(base, name);

/** A commit with these files. */
function commit(files: Readonly<Record<string, string>>): TrustedTree & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  return {
    asked,
    async below(folder, depth, most) {
      asked.push([folder, depth, most]);
      return Object.keys(files)
        .filter((file) => file === folder || file.startsWith(`${folder}/`))
        .slice(0, most)
        .map((file) => ({ path: file, size: 1, executable: false }));
    },
    async read(paths) {
      return new Map(
        paths.flatMap((file) => {
          const text = files[file];
          return text === undefined ? [] : [[file, Buffer.from(text)] as const];
        }),
      );
    },
  };
}

const place = (tree: TrustedTree | null, closed: readonly string[] = []) => ({
  target: at('kept'),
  root: at('tree'),
  closed,
  trusted: async () => tree,
});
const keep = (code: Partial<CodeToCopy>, tree: TrustedTree | null = null, closed: readonly string[] = []) =>
  copyCode({ command: [], files: [], folder: null, ...code }, place(tree, closed));

describe('the code of a program', () => {
  it('is copied from the commit, with all files next to it', async () => {
    const tree = commit({ 'tool/run.js': '1', 'tool/lib/a.js': '2', 'other/b.js': '3' });
    expect([
      await keep({ command: ['./tool/run.js', '--x=a/b', 'https://a/b', 'plain'] }, tree),
      tree.asked,
    ]).toEqual([
      { argv: [at('kept/tool/run.js'), '--x=a/b', 'https://a/b', 'plain'], folder: at('kept'), shown: [] },
      [['tool', 6, 1001]],
    ]);
    expect(readTree(at('kept'))).toEqual({ 'tool/run.js': '1', 'tool/lib/a.js': '2' });
  });

  it('at the top, or given as a file, is that file alone', async () => {
    const tree = commit({ 'run.js': '1', 'b.js': '2', 'in/c.js': '3', 'in/d.js': '4' });
    expect(await keep({ command: ['node', './run.js'], files: ['in/c.js'] }, tree)).toEqual({
      ...{ argv: ['node', at('kept/run.js')], folder: at('kept'), shown: [] },
    });
    expect([readTree(at('kept')), tree.asked]).toEqual([
      { 'run.js': '1', 'in/c.js': '3' },
      [
        ['run.js', 6, 1001],
        ['in/c.js', 6, 1001],
      ],
    ]);
  });

  it('missing in the commit cannot run, and a word that is no script stays unchanged', async () => {
    const missing = (word: string) => ({
      problem: `cannot be run: the trusted commit has no file ${word} of up to 262144 bytes; commit it there`,
    });
    const tree = commit({ 'tool/run.js': '1' });
    expect([
      await keep({ command: ['./gone'] }, tree),
      await keep({ command: ['node', 'in/gone.js'] }, tree),
      await keep({ command: ['node'], files: ['gone'] }, tree),
      await keep({ command: ['node', './gone.js'] }, null),
    ]).toEqual([missing('./gone'), missing('in/gone.js'), missing('gone'), missing('./gone.js')]);
    expect(await keep({ command: ['node', 'acme/shop', './tool/'] }, tree)).toEqual({
      ...{ argv: ['node', 'acme/shop', at('kept/tool')], folder: at('kept'), shown: [] },
    });
  });

  it('may have a thousand files next to it', async () => {
    const files = (count: number) =>
      commit(Object.fromEntries(Array.from({ length: count }, (_, index) => [`a/${index}.js`, ''])));
    expect([
      await keep({ command: ['a/0.js'] }, files(1_001)),
      'problem' in (await keep({ command: ['a/0.js'] }, files(1_000))),
    ]).toEqual([
      {
        problem: 'cannot be run: more than 1000 files are next to a/0.js; put it into a folder of its own',
      },
      false,
    ]);
  });

  it('of the operator stays in place, and its folder is mounted', async () => {
    const [run, packed] = [at('own/tool/run.js'), at('own/node_modules/a/bin/x.js')];
    expect(
      await keep({ command: ['/usr/bin/env', run, packed], files: [at('own/data')], folder: at('tree') }),
    ).toEqual({
      argv: ['/usr/bin/env', run, packed],
      folder: at('kept'),
      shown: [at('own/tool'), at('own/node_modules'), at('own/data')],
    });
    expect(await keep({ command: ['../own/tool/run.js'], folder: at('tree') })).toEqual({
      ...{ argv: [run], folder: at('kept'), shown: [at('own/tool')] },
    });
  });

  it('of the operator must exist, in a folder of its own', async () => {
    const gone = at('own/gone.js');
    expect([
      await keep({ command: [gone] }),
      await keep({ command: ['node', gone] }),
      await keep({ command: ['node', at('own/gone')] }),
      await keep({ command: [at('own/tool/run.js')] }, null, [at('own/tool')]),
      await keep({ command: [at('own/tool/run.js')] }, null, [at('own/tool/deep')]),
      await keep({ command: [at('own/tool/run.js')] }, null, [at('own')]),
    ]).toEqual([
      { problem: `cannot be run: there is no ${gone}` },
      { problem: `cannot be run: there is no ${gone}` },
      { argv: ['node', at('own/gone')], folder: at('kept'), shown: [] },
      {
        problem: `cannot be run: ${at('own/tool/run.js')} lies in ${at('own/tool')}, which holds more than this program; put it into a folder of its own`,
      },
      {
        problem: `cannot be run: ${at('own/tool/run.js')} lies in ${at('own/tool')}, which holds more than this program; put it into a folder of its own`,
      },
      { argv: [at('own/tool/run.js')], folder: at('kept'), shown: [at('own/tool')] },
    ]);
  });
});

describe('the code of a server', () => {
  const serve = (
    command: string,
    args: readonly string[],
    tree: TrustedTree | null,
    folder: string | null = null,
  ) => copyServer({ command, args, folder }, place(tree));

  it.each([
    'js',
    'mjs',
    'cjs',
    'ts',
    'mts',
    'py',
    'rb',
    'php',
    'pl',
    'sh',
    'bash',
    'lua',
    'jar',
    'wasm',
    'JS',
  ])('with the extension %s is copied, and data is not', async (ending) => {
    const tree = commit({ [`run.${ending}`]: '1', 'in/data.json': '2' });
    expect(await serve('node', [`run.${ending}`, 'in/data.json', '*.js'], tree)).toEqual({
      ...{ argv: ['node', at(`kept/run.${ending}`), 'in/data.json', '*.js'], folder: at('kept') },
      ...{ shown: [], fromCheckout: null },
    });
  });

  it('that is installed in the checkout stays there and is reported', async () => {
    expect([
      await serve('node', ['node_modules/a/x.js', '.venv/b'], null),
      await serve('venv/bin/c', [], null, at('tree')),
      await serve('node', [at('own/node_modules/a/bin/x.js')], null, at('tree')),
    ]).toEqual([
      {
        ...{ argv: ['node', at('tree/node_modules/a/x.js'), at('tree/.venv/b')], folder: at('kept') },
        ...{ shown: [], fromCheckout: 'node_modules/a/x.js' },
      },
      { argv: [at('tree/venv/bin/c')], folder: at('kept'), shown: [], fromCheckout: 'venv/bin/c' },
      {
        ...{ argv: ['node', at('own/node_modules/a/bin/x.js')], folder: at('kept') },
        ...{ shown: [at('own/node_modules')], fromCheckout: null },
      },
    ]);
  });

  it("can read the operator's data at the same path", async () => {
    const args = [at('own/data'), at('own/gone'), at('tree/in'), 'data'];
    expect(await serve('node', args, null, at('tree'))).toEqual({
      ...{ argv: ['node', ...args], folder: at('kept'), shown: [at('own/data')], fromCheckout: null },
    });
    expect(await serve('node', [at('own/data')], null)).toMatchObject({ shown: [] });
  });

  it('that is missing is reported by its given name', async () => {
    const missing = (word: string) => ({
      problem: `cannot be run: the trusted commit has no file ${word} of up to 262144 bytes; commit it there`,
    });
    expect([
      await serve('node', ['run.js'], commit({})),
      await serve('node', ['./run.js'], commit({})),
    ]).toEqual([missing('run.js'), missing('./run.js')]);
  });
});
