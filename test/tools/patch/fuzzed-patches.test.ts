import { readdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProposedChange } from '../../../src/tools/write/proposed-change.ts';
import { unifiedDiff } from '../../../src/workspace/changes/unified-diff.ts';
import { openTools } from '../tool-harness.ts';
import { applied, type MemoryTree, plain } from './memory-tree.ts';

const text = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''));
const file = (content: Buffer, mode = 0o644) => ({ content, mode });
const tree: MemoryTree = new Map([
  ['a.txt', file(text('one', 'two', 'three', 'four', 'two', 'six', 'seven', 'eight', 'nine', 'ten'))],
  ['sub/b.txt', file(Buffer.from('b\r\nc\r\nd'))],
  ['run.sh', file(text('true'), 0o755)],
  ['empty', file(Buffer.alloc(0))],
]);
const before = (name: string) => tree.get(name) ?? null;

const valid = [
  [
    unifiedDiff({
      path: 'a.txt',
      before: before('a.txt'),
      after: file(text('one', '2', 'three', 'four', 'ten')),
    }),
    unifiedDiff({ path: 'sub/b.txt', before: before('sub/b.txt'), after: file(Buffer.from('b\r\nC\r\n')) }),
    unifiedDiff({ path: 'new/c.txt', before: null, after: file(text('c')) }),
    unifiedDiff({
      path: 'bin/run',
      oldPath: 'run.sh',
      before: before('run.sh'),
      after: file(text('true'), 0o644),
    }),
  ].join(''),
  'diff --git a/run.sh b/run.sh\nold mode 100755\nnew mode 100644\ndiff --git a/empty b/empty\ndeleted file mode 100644\nindex e69de29..0000000\ndiff --git "a/sub/b.txt" "b/t\\303\\251.txt"\nsimilarity index 100%\ncopy from sub/b.txt\ncopy to "t\\303\\251.txt"\n',
  '*** Begin Patch\n*** Update File: a.txt\n@@ one\n two\n-three\n+3\n@@\n nine\n-ten\n+10\n*** End of File\n*** Add File: x/y\n+z\n*** Update File: run.sh\n*** Move to: bin/run.sh\n@@\n-true\n+false\n*** Delete File: sub/b.txt\n*** End Patch\n',
];

const evil = [
  '../outside/x',
  '/etc/passwd',
  'a/../../outside/x',
  '.git/config',
  '.GIT/hooks/x',
  'sub/.g\u200cit/config',
  'git~1/x',
  '.anode-harness/x',
  'nul\0byte',
  `${'long/'.repeat(900)}x`,
  'x'.repeat(300),
  'sub',
  'a.txt/x',
  '',
  '.',
  '"..\\057x"',
];

type Mutation = (patch: string) => string;
const onLine = (change: (lines: string[], at: number) => void) =>
  fc.nat(60).map(
    (nth): Mutation =>
      (patch) => {
        const lines = patch.split('\n');
        change(lines, nth % lines.length);
        return lines.join('\n');
      },
  );
const junk = fc.constantFrom(
  '@@',
  '+',
  '-',
  ' ',
  '\\ No newline',
  '--- a/q',
  '+++ b/q',
  '*** End Patch',
  '\0',
  '```',
  '@@ -0,0 +1 @@',
  'rename to r',
  'GIT binary patch',
  '+'.repeat(5000),
);

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  onLine((lines, at) => lines.splice(at, 1)),
  onLine((lines, at) => lines.splice(at, 0, lines[at] ?? '')),
  onLine((lines, at) => lines.splice(at, 2, lines[at + 1] ?? '', lines[at] ?? '')),
  onLine((lines, at) => lines.splice(at, 1, (lines[at] ?? '').slice(1))),
  onLine((lines, at) => lines.splice(at, 1, `${lines[at]}\r`)),
  junk.chain((line) => onLine((lines, at) => lines.splice(at, 0, line))),
  fc.constantFrom(...evil).chain((name) =>
    onLine((lines, at) => {
      const near = lines.findIndex(
        (line, index) =>
          index >= at && /^(?:---|\+\+\+|\*\*\* \w+ (?:File|to):|(?:rename|copy) \w+|diff)/.test(line),
      );
      if (near !== -1) lines[near] = (lines[near] ?? '').replace(/(?:[ab]\/)?[^ ]+$/, () => name);
    }),
  ),
  fc.tuple(fc.nat(40), fc.nat(400)).map(
    ([nth, number]): Mutation =>
      (patch) => {
        let seen = 0;
        return patch.replaceAll(/\d+/g, (digits) => (seen++ === nth ? String(number) : digits));
      },
  ),
  fc.nat(900).map(
    (end): Mutation =>
      (patch) =>
        patch.slice(0, end),
  ),
  fc.tuple(fc.nat(900), fc.string({ unit: 'binary', maxLength: 3 })).map(
    ([at, bytes]): Mutation =>
      (patch) =>
        patch.slice(0, at) + bytes + patch.slice(at + 1),
  ),
);
const mutated = fc
  .tuple(fc.constantFrom(...valid), fc.array(mutation, { minLength: 1, maxLength: 4 }))
  .map(([patch, mutations]) => mutations.reduce((text, mutate) => mutate(text), patch));

test('the patches that are mutated below are valid', async () => {
  const results = await Promise.all(valid.map((patch) => applied(tree, patch)));
  expect(results.map((after) => JSON.stringify(plain(after)) === JSON.stringify(plain(tree)))).toEqual([
    false,
    false,
    false,
  ]);
});

test('of ten thousand damaged patches each is accepted or refused with a message, and none leads outside', async () => {
  const unchanged = plain(tree);
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(mutated, async (patch) => {
      try {
        const after = await applied(tree, patch);
        taken += 1;
        for (const name of after.keys()) expect(name).not.toMatch(/(?:^|\/)(?:\.\.?|\.git)(?:\/|$)|^\/|\0/i);
      } catch (error) {
        expect(error).toMatchObject({ name: 'ToolError', message: expect.stringMatching(/\w/) });
      }
      expect(plain(tree)).toEqual(unchanged);
    }),
    { numRuns: 10_000 },
  );
  // Else the property would say nothing of either.
  expect(taken).toBeGreaterThan(500);
  expect(taken).toBeLessThan(9_500);
});

/** The tree as a checked change would leave it. */
function afterwards(now: Record<string, string>, state: unknown): Record<string, string> {
  if (!(state instanceof ProposedChange)) throw new TypeError('a patch was prepared without its change');
  const next = { ...now };
  for (const { path: name, after } of state.files) {
    if (after === null) delete next[name];
    else next[name] = after.content.toString('latin1');
  }
  return next;
}

test('on a real disk a damaged patch changes all of its files or none, and nothing outside the tree', async () => {
  const files = Object.fromEntries([...tree].map(([name, { content }]) => [name, content]));
  await fc.assert(
    fc.asyncProperty(mutated, async (patch) => {
      const tools = await openTools(files);
      try {
        const base = path.dirname(tools.root);
        const before = tools.tree();
        const changed = await tools.prepare('apply_patch', { patch }).then(
          ({ state }) => afterwards(before, state),
          () => before,
        );
        const said = await tools.say('apply_patch', { patch });
        // The gate refuses the run's own files; without the gate, the write does.
        const expected = said.startsWith('protected:') ? before : changed;
        // Anything else than a ToolError has no kind.
        expect(said).not.toMatch(/^undefined:/);
        expect({ said, tree: tools.tree() }).toEqual({ said, tree: expected });
        expect(readdirSync(base).filter((name) => !['run', 'spill', 'tree'].includes(name))).toEqual([]);
      } finally {
        await tools.close();
      }
    }),
    { numRuns: 40 },
  );
});
