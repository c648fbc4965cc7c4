import { describe, expect, test } from 'vitest';
import {
  chunkText,
  createSemanticIndex,
  indexedChunk,
} from '../../../src/extensions/semantic/semantic-index.ts';

const signal = new AbortController().signal;

describe('chunks of a text', () => {
  const cut = (text: string) => chunkText(text).map(({ start, end }) => [start, end]);
  const lines = (count: number, blank: readonly number[] = []) =>
    Array.from({ length: count }, (_, index) => (blank.includes(index + 1) ? ' ' : 'x')).join('\n');

  test('are whole lines without their ends', () => {
    expect(chunkText('a\r\nb\n')).toEqual([{ start: 1, end: 3, text: 'a\nb\n' }]);
    expect([chunkText(''), chunkText(' \n\t\n')]).toEqual([[], []]);
  });

  test.each([
    [lines(50), [[1, 50]]],
    [
      lines(51),
      [
        [1, 50],
        [51, 51],
      ],
    ],
    [
      lines(51, [50]),
      [
        [1, 50],
        [51, 51],
      ],
    ],
    [
      lines(51, [26]),
      [
        [1, 26],
        [27, 51],
      ],
    ],
    [
      lines(51, [25]),
      [
        [1, 50],
        [51, 51],
      ],
    ],
    [
      lines(51, [30, 40]),
      [
        [1, 40],
        [41, 51],
      ],
    ],
    [lines(50, [30]), [[1, 50]]],
    [`${'\n'.repeat(50)}x`, [[51, 51]]],
  ])('have fifty lines, or end at a blank one in their second half', (text, expected) => {
    expect(cut(text)).toEqual(expected);
  });

  test('have 1600 characters, and longer lines are cut', () => {
    const half = 'x'.repeat(799);
    expect([
      cut(`${half}\n${half}\nb`),
      cut(`${half}\n${half}x\nb`),
      cut(`${'y'.repeat(5_000)}\nb`),
      chunkText('z'.repeat(1_601))[0]?.text.length,
    ]).toEqual([
      [
        [1, 2],
        [3, 3],
      ],
      [
        [1, 1],
        [2, 3],
      ],
      [
        [1, 1],
        [2, 2],
      ],
      1_600,
    ]);
  });
});

describe('an index by meaning', () => {
  const chunk = (path: string, text: string) => indexedChunk(path, { start: 1, end: 1, text });

  /** An index whose embedding counts letters, with all that it was asked and all that was kept. */
  function play(stored: ReadonlyMap<string, Int8Array> | null = new Map()) {
    const asked: (readonly string[])[] = [];
    const saved: (readonly string[])[] = [];
    const count = (text: string, letter: string) => text.split(letter).length - 1;
    const index = createSemanticIndex(
      {
        name: 'letters',
        embed: async (texts) => {
          asked.push(texts);
          if (texts.some((text) => text.includes('!'))) throw new Error('no more');
          return texts.map((text) => [count(text, 'a'), count(text, 'b')]);
        },
      },
      stored && {
        load: async () => stored,
        save: async (vectors) => {
          saved.push([...vectors.keys()]);
        },
      },
    );
    return { index, asked, saved };
  }

  test('identifies chunks by the name of their file and their text', () => {
    const one = chunk('x', 't');
    expect(one).toEqual({
      start: 1,
      end: 1,
      text: 't',
      path: 'x',
      digest: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(
      new Set([one, chunk('x', 't'), chunk('y', 't'), chunk('x', 'u')].map(({ digest }) => digest)).size,
    ).toBe(3);
  });

  test('requests each text once, and returns the nearest first', async () => {
    const { index, asked, saved } = play();
    const [a, b, both] = [chunk('1', 'aa'), chunk('2', 'b'), chunk('3', 'ab')];
    const options = { deadline: 10, now: () => 0, signal };
    expect(await index.update([a, b, both, a], options)).toBe(0);
    expect(await index.update([a, b, both], options)).toBe(0);
    const found = await index.nearest('aaaa', [b, a, both, chunk('4', 'a')], 2, signal);
    expect(asked).toEqual([['1\naa', '2\nb', '3\nab'], ['aaaa']]);
    expect(saved).toEqual([[a.digest, b.digest, both.digest]]);
    expect(found.map((one) => [one.chunk.path, Math.round(one.score * 1_000)])).toEqual([
      ['1', 1_000],
      ['3', 707],
    ]);
    expect((await index.nearest('zz', [a], 1, signal)).map(({ score }) => score)).toEqual([0]);
  });

  test('sends 64 texts at a time until its time limit, but at least one request', async () => {
    const { index, asked, saved } = play(null);
    const chunks = Array.from({ length: 150 }, (_, at) => chunk(String(at), 'a'));
    let time = 10;
    const update = () =>
      index.update(chunks, {
        deadline: 11,
        now: () => {
          time += 1;
          return time - 1;
        },
        signal,
      });
    expect([await update(), asked.map((texts) => texts.length), saved]).toEqual([22, [64, 64], []]);
    expect([await update(), asked.map((texts) => texts.length)]).toEqual([0, [64, 64, 22]]);
  });

  test('keeps its vectors after a failed request, drops deleted files, and continues', async () => {
    const known = chunk('k', 'b');
    const gone = chunk('g', 'b');
    const vector = Int8Array.from([0, 127]);
    const { index, asked, saved } = play(
      new Map([
        [known.digest, vector],
        [gone.digest, vector],
      ]),
    );
    const options = { deadline: 10, now: () => 0, signal };
    const chunks = Array.from({ length: 65 }, (_, at) => chunk(String(at), at === 64 ? '!' : 'a'));
    const failed = index.update([known, ...chunks], options);
    const next = index.update([known], options);
    expect(await failed.catch((error: Error) => error.message)).toBe('no more');
    expect([
      await next,
      asked.length,
      saved.length,
      saved[0]?.length,
      saved[0]?.includes(gone.digest),
    ]).toEqual([0, 2, 1, 65, false]);
    const found = await index.nearest('b', [known, gone], 5, signal);
    expect(found.map((one) => [one.chunk.path, one.score])).toEqual([['k', 1]]);
  });

  test('skips vectors of another length', async () => {
    const known = chunk('k', 'b');
    const { index } = play(new Map([[known.digest, Int8Array.from([1, 2, 3])]]));
    expect(await index.update([known], { deadline: 1, now: () => 0, signal })).toBe(0);
    expect(await index.nearest('b', [known], 5, signal)).toEqual([]);
  });
});
