import fc from 'fast-check';
import type { MemoryFile, MemoryTree } from './memory-tree.ts';

const names = [
  'a.txt',
  'd/b c.txt',
  'd/e/f',
  'é.txt',
  '日本/語.md',
  '"q".txt',
  'tab\there',
  'back\\slash',
  'trail ',
  '-dash',
  'new\nline',
  'a/a',
  'b',
];

/** A few kinds of lines, so they repeat, including all that look like parts of a patch. */
const line = fc.constantFrom(
  'a',
  'b',
  'c {',
  '}',
  '',
  ' ',
  '\t',
  '-- x',
  '++ y',
  '@@ -1 +1 @@',
  '--- a/f',
  '+++ b/f',
  'diff --git a/f b/f',
  '\\ No newline at end of file',
  '*** Begin Patch',
  '*** End Patch',
  '```',
  'ünï “quoted” – dash',
  'x\r',
);
const ending = fc.constantFrom('\n', '\n', '\n', '\r\n');

interface RandomText {
  readonly lines: readonly string[];
  readonly end: string;
  readonly mixed: boolean;
  readonly final: boolean;
  readonly bom: boolean;
}

const randomText: fc.Arbitrary<RandomText> = fc.record({
  lines: fc.array(line, { maxLength: 25 }),
  end: ending,
  mixed: fc.boolean(),
  final: fc.boolean(),
  bom: fc.constantFrom(false, false, false, true),
});

function textOf({ lines, end, mixed, final, bom }: RandomText): Buffer {
  const ended = lines.map((one, index) => one + (mixed && index % 3 === 1 ? '\n' : end)).join('');
  const text = final ? ended : ended.replace(/\r?\n$/, '');
  return Buffer.from((bom ? '\ufeff' : '') + text);
}

/** The change of a file: its removed lines and their replacements. */
const change = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: 'keep' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'delete' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'flip' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('edit' as const, 'edit' as const, 'rename' as const),
      splices: fc.array(fc.tuple(fc.nat(25), fc.nat(3), fc.array(line, { maxLength: 3 })), { maxLength: 4 }),
      end: fc.option(ending, { freq: 5 }),
      final: fc.boolean(),
    }),
  },
);

function edited(
  text: RandomText,
  how: { splices: [number, number, string[]][]; end: string | null; final: boolean },
) {
  const lines = [...text.lines];
  for (const [at, gone, fresh] of how.splices) lines.splice(Math.min(at, lines.length), gone, ...fresh);
  return { ...text, lines, end: how.end ?? text.end, final: how.final };
}

/** Two trees, the second a change of the first: edits, additions, deletions, renames, modes. */
export const twoTrees: fc.Arbitrary<{ before: MemoryTree; after: MemoryTree }> = fc
  .tuple(
    fc.shuffledSubarray(names, { minLength: 5 }),
    fc.array(fc.tuple(randomText, change, fc.boolean()), { minLength: 1, maxLength: 3 }),
    fc.option(randomText),
  )
  .map(([paths, files, fresh]) => {
    const before = new Map<string, MemoryFile>();
    const after = new Map<string, MemoryFile>();
    const free = [...paths];
    const next = (): string => free.shift() ?? 'spare';
    for (const [text, how, executable] of files) {
      const path = next();
      const mode = executable ? 0o755 : 0o644;
      const file = { content: textOf(text), mode };
      before.set(path, file);
      if (how.kind === 'delete') continue;
      if (how.kind === 'keep') after.set(path, file);
      else if (how.kind === 'flip') after.set(path, { ...file, mode: mode ^ 0o111 });
      else {
        const target = how.kind === 'rename' ? next() : path;
        after.set(target, { content: textOf(edited(text, how)), mode });
      }
    }
    if (fresh !== null) after.set(next(), { content: textOf(fresh), mode: 0o644 });
    return { before, after };
  });
