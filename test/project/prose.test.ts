import { expect, test } from 'vitest';
import { readSource, trackedFiles } from './source-tree.ts';

const files = trackedFiles();
/**
 * The documents that people read. Texts of prompts, golden files (`docs/pull-request.md` quotes what
 * GitHub shows) and the demo's sample have rules of their own.
 */
const documents = files.filter(
  (file) => /^(?:[^/]+|docs\/.+|\.github\/.+)\.md$/.test(file) && file !== 'docs/pull-request.md',
);

const sources = files.filter((file) => /^(?:src|action)\/.*\.ts$/.test(file));

test('the architecture can be read in fifteen minutes', () => {
  const words = readSource('ARCHITECTURE.md').split(/\s+/).filter(Boolean);
  expect(words.length).toBeLessThanOrEqual(3_000);
});

test('a line of a document has at most 100 columns', () => {
  const long = documents.flatMap((file) =>
    proseLines(readSource(file)).flatMap(({ number, line }) =>
      line.length > 100 ? [`${file}:${number}`] : [],
    ),
  );
  expect(documents.length).toBeGreaterThan(20);
  expect(long).toEqual([]);
});

test('a comment begins with a noun or a verb', () => {
  expect(sources.flatMap((file) => relativeOpenings(file, readSource(file)))).toEqual([]);
});

test('a comment has no old-fashioned words', () => {
  const old = /^\s*(?:\/\/|\/?\*).*\b(?:goes on|went on|all else|but for|hears? of|meanwhile|any more)\b/;
  const found = sources.flatMap((file) =>
    readSource(file)
      .split('\n')
      .flatMap((line, at) => (old.test(line) ? [`${file}:${at + 1}`] : [])),
  );
  expect(found).toEqual([]);
});

test('a line of a comment has at most 100 columns', () => {
  const comment = /^\s*(?:\/\/|\/?\*)/;
  const long = sources.flatMap((file) =>
    readSource(file)
      .split('\n')
      .flatMap((line, at) =>
        comment.test(line) && line.length > 100 && !/https:\/\/|biome-ignore/.test(line)
          ? [`${file}:${at + 1}`]
          : [],
      ),
  );
  expect(long).toEqual([]);
});

test('the prose checks find their own examples', () => {
  const text = ['short', 'x'.repeat(101), '```', 'y'.repeat(101), '```', `| ${'z'.repeat(101)} |`].join('\n');
  expect(proseLines(text).filter(({ line }) => line.length > 100)).toEqual([
    { number: 2, line: 'x'.repeat(101) },
  ]);
  const source = ['/** What it is. */', '// A reason.', '/**', ' * Whether it may.', ' */'].join('\n');
  expect(relativeOpenings('a.ts', source)).toEqual(['a.ts: What it is. */', 'a.ts: Whether it may.']);
});

/** The lines of a document without tables, code and HTML, and without the targets of links. */
function proseLines(text: string): { number: number; line: string }[] {
  let inCode = false;
  return text.split('\n').flatMap((line, at) => {
    const fence = /^\s*(?:```|~~~)/.test(line);
    if (fence) inCode = !inCode;
    if (fence || inCode || /^\s*(?:\||<)/.test(line)) return [];
    const plain = line.replaceAll(/`[^`]+`/g, '``').replaceAll(/\]\([^)]*\)/g, ']()');
    return [{ number: at + 1, line: plain }];
  });
}

/** The comments that begin with a relative or a question word. */
function relativeOpenings(file: string, source: string): string[] {
  const opening =
    /^[ \t]*(?:\/\/ |\/\*\*?(?:[ \t]+|\n[ \t]*\* ))((?:What|Where|How|Whether|Of|So|Those)\b.*)$/gm;
  // The second line of a run of `//` comments goes on with a sentence.
  return [...source.matchAll(opening)].flatMap(({ index, 0: whole, 1: words }) => {
    const before = source.slice(0, index).trimEnd().split('\n').at(-1) ?? '';
    const goesOn =
      /^\s*\/\//.test(whole) && /^\s*\/\//.test(before) && !/\n\s*\n\s*$/.test(source.slice(0, index));
    return goesOn ? [] : [`${file}: ${words}`];
  });
}
