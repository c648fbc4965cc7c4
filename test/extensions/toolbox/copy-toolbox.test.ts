import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyToolbox } from '../../../src/extensions/toolbox/copy-toolbox.ts';
import type { TrustedTree } from '../../../src/workspace/git/trusted-tree.ts';
import { readTree } from '../../tools/tool-harness.ts';

let base: string;
let targets = 0;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'keep-toolbox-'));
});
afterEach(() => rmSync(base, { recursive: true }));

const at = (name: string) => path.join(base, name);
const write = (name: string, text: string, mode = 0o644) => {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
  chmodSync(at(name), mode);
};
const nextTarget = () => {
  targets += 1;
  return at(`kept${targets}`);
};
const operators = (shown = '~/tools') => ({ shown, from: 'operator' as const, path: at('own') });

/** Programs as they are shown and kept, and the problems. */
async function stored(folder: Parameters<typeof copyToolbox>[0], tree: TrustedTree | null = null) {
  const target = nextTarget();
  const { programs, problems } = await copyToolbox(folder, target, async () => tree);
  const digests = programs.map(({ digest }) => digest);
  const where = programs.map(({ shown, file }) => `${shown} ${path.relative(target, file)}`);
  return { target, problems, digests, programs: where };
}

describe('a folder of the operator', () => {
  it('is copied whole, and the executable files at its top are programs', async () => {
    write('own/a', '1', 0o755);
    write('own/b.sh', '2', 0o611);
    write('own/.hidden', '3', 0o755);
    write('own/notes.txt', '#', 0o644);
    write('own/forgotten', '#!/bin/sh', 0o644);
    write('own/.quiet', '#!/bin/sh', 0o644);
    write('own/lib/c', '#!/bin/sh', 0o755);
    write('own/.git/config', '4');
    write('elsewhere', '5', 0o755);
    mkdirSync(at('folder'));
    write('folder/d', '6');
    symlinkSync(at('elsewhere'), at('own/linked'));
    symlinkSync(at('folder'), at('own/folder'));
    symlinkSync(at('nothing'), at('own/broken'));
    const { target, programs, problems, digests } = await stored(operators());
    expect({ programs, problems, tree: readTree(target) }).toEqual({
      programs: ['~/tools/a a', '~/tools/b.sh b.sh', '~/tools/linked linked'],
      problems: [
        '~/tools/forgotten is a script that is not executable, so it is no tool of this run; make it executable (chmod +x).',
      ],
      tree: {
        ...{ a: '1', 'b.sh': '2', '.hidden': '3', 'notes.txt': '#', forgotten: '#!/bin/sh' },
        ...{ '.quiet': '#!/bin/sh', 'lib/c': '#!/bin/sh', linked: '5' },
      },
    });
    expect(new Set(digests.map((digest) => /^[0-9a-f]{64}$/.test(digest))).size + new Set(digests).size).toBe(
      4,
    );
  });

  it('is identified by its contents: names, executable flags and bytes', async () => {
    write('own/a', '1', 0o755);
    write('own/b', '2');
    const [first] = (await stored(operators())).digests;
    const [again] = (await stored(operators('elsewhere'))).digests;
    chmodSync(at('own/b'), 0o755);
    const [executable] = (await stored(operators())).digests;
    write('own/b', '3');
    const [other] = (await stored(operators())).digests;
    expect([again === first, new Set([first, executable, other]).size]).toEqual([true, 3]);
  });

  it('is read up to six levels deep', async () => {
    write('own/1/2/3/4/5/kept', '');
    write('own/1/2/3/4/5/6/left', '');
    expect(readTree((await stored(operators())).target)).toEqual({ '1/2/3/4/5/kept': '' });
  });

  it('must exist and have at most a thousand files', async () => {
    for (let index = 0; index < 1_000; index += 1) write(`own/${index}`, '');
    expect((await stored(operators())).problems).toEqual([]);
    write('own/more', '');
    const gone = { ...operators('gone'), path: at('gone') };
    expect([(await stored(operators())).problems, (await stored(gone)).problems]).toEqual([
      [
        'The toolbox folder ~/tools is left out: it has more than 1000 files or 67108864 bytes. Keep programs in a folder of their own.',
      ],
      ['The toolbox folder gone is left out: it cannot be read (ENOENT).'],
    ]);
  });
});

describe('a folder of the repository', () => {
  /** A commit with these files; what is executable ends in `.x`, what is too large in `.large`. */
  function commit(files: readonly string[]): TrustedTree & { readonly asked: unknown[] } {
    const asked: unknown[] = [];
    return {
      asked,
      async below(...args) {
        asked.push(args);
        return files.map((file) => ({ path: file, size: 1, executable: file.endsWith('.x') }));
      },
      read: async (paths) =>
        new Map(paths.filter((file) => !file.endsWith('.large')).map((file) => [file, Buffer.from('#!')])),
    };
  }
  const own = (folder: string) => ({ shown: folder || '.', from: 'repository' as const, path: folder });

  it('is copied from the commit, and missing files are reported', async () => {
    const tree = commit(['tools/a.x', 'tools/b', 'tools/c.large', 'tools/lib/d.x']);
    const { target, programs, problems } = await stored(own('tools'), tree);
    expect({ programs, problems, tree: readTree(target), asked: tree.asked }).toEqual({
      programs: ['tools/a.x a.x'],
      problems: [
        'tools/c.large is missing from the toolbox of this run: of a repository, files up to 262144 bytes are taken, and 16 MiB in all.',
        'tools/b is a script that is not executable, so it is no tool of this run; make it executable and commit that (git update-index --chmod=+x).',
      ],
      tree: { 'a.x': '#!', b: '#!', 'lib/d.x': '#!' },
      asked: [['tools', 6, 1_001]],
    });
    expect((await stored(own(''), commit(['a.x']))).programs).toEqual(['a.x a.x']);
  });

  it('has at least one file, and at most a thousand', async () => {
    const many = (count: number) => commit(Array.from({ length: count }, (_, index) => `tools/${index}.x`));
    const none = 'The toolbox folder tools is left out: the trusted commit has no files there. Commit them.';
    expect([
      (await stored(own('tools'), commit([]))).problems,
      (await stored(own('tools'))).problems,
      (await stored(own('tools'), many(1_000))).problems,
      (await stored(own('tools'), many(1_001))).problems,
    ]).toEqual([
      [none],
      [none],
      [],
      [
        'The toolbox folder tools is left out: it has more than 1000 files or 67108864 bytes. Keep programs in a folder of their own.',
      ],
    ]);
  });
});
