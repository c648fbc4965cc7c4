import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applied, type MemoryTree, plain } from './memory-tree.ts';
import { twoTrees } from './random-trees.ts';

let repository: string;
beforeAll(() => {
  repository = mkdtempSync(path.join(tmpdir(), 'git-diffs-'));
  execFileSync('git', ['init', '-q', '--bare', repository]);
});
afterAll(() => rmSync(repository, { recursive: true, force: true }));

function git(args: readonly string[], input?: Buffer): string {
  return execFileSync('git', ['-C', repository, ...args], { input, stdio: 'pipe' }).toString('utf8');
}

/** A path as git reads it back whatever is in it: every byte in octal. */
function quotedPath(file: string): string {
  return `"${[...Buffer.from(file)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`;
}

/** A commit of a tree, in the words of git-fast-import(1). */
function commit(name: string, tree: MemoryTree): Buffer {
  const data = (content: Buffer): Buffer[] => [
    Buffer.from(`data ${content.length}\n`),
    content,
    Buffer.from('\n'),
  ];
  const files = [...tree].flatMap(([file, { content, mode }]) => [
    Buffer.from(`M ${mode === 0o755 ? '100755' : '100644'} inline ${quotedPath(file)}\n`),
    ...data(content),
  ]);
  const head = `reset refs/heads/${name}\n\ncommit refs/heads/${name}\ncommitter T <t@example.com> 1 +0000\n`;
  return Buffer.concat([Buffer.from(head), ...data(Buffer.alloc(0)), Buffer.from('deleteall\n'), ...files]);
}

/** Each takes three processes of git; more are run where the environment says so. */
const rounds = Number(process.env.ANODE_FUZZ_ROUNDS ?? 40);

const options = fc.record({
  context: fc.constantFrom(0, 1, 3, 3, 30),
  prefixes: fc.constantFrom([], ['--no-prefix'], ['--src-prefix=i/', '--dst-prefix=w/']),
  renames: fc.constantFrom(['--no-renames'], ['-M'], ['-C', '--find-copies-harder'], ['-M10%', '-B']),
  quoting: fc.constantFrom('true', 'false'),
});

test("git's diff between any two trees gives the second tree, and its reverse the first", async () => {
  await fc.assert(
    fc.asyncProperty(
      twoTrees,
      options,
      async ({ before, after }, { context, prefixes, renames, quoting }) => {
        fc.pre(JSON.stringify(plain(before)) !== JSON.stringify(plain(after)));
        // Without prefixes git itself takes "a/a" for "a" (git-apply(1), -p).
        fc.pre(
          prefixes[0] !== '--no-prefix' ||
            ![...before.keys(), ...after.keys()].some((one) => /^\w\//.test(one)),
        );
        git(
          ['fast-import', '--quiet', '--force'],
          Buffer.concat([commit('before', before), commit('after', after)]),
        );
        const diff = (from: string, to: string): string =>
          git([
            ...['-c', `core.quotePath=${quoting}`, 'diff-tree', '-r', '-p', `-U${context}`],
            ...[...prefixes, ...renames, from, to],
          ]);
        const there = await applied(before, diff('before', 'after'));
        expect(plain(there)).toEqual(plain(after));
        expect(plain(await applied(there, diff('after', 'before')))).toEqual(plain(before));
      },
    ),
    { numRuns: rounds },
  );
});
