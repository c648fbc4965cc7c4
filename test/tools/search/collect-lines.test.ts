import { describe, expect, test } from 'vitest';
import { type CollectedLines, collectLines, joinLines } from '../../../src/tools/search/collect-lines.ts';
import type { FoundLine } from '../../../src/tools/search/found-line.ts';
import type { TextQuery } from '../../../src/tools/search/text-query.ts';

const query = (more: Partial<TextQuery> = {}): TextQuery => ({
  pattern: 'x',
  regex: false,
  caseSensitive: true,
  wordMatch: false,
  glob: undefined,
  maxMatches: 2,
  context: 0,
  ...more,
});
/** `a:3` is a match, `a-3` a line around one, `a+3` a further line of a match. */
const line = (text: string): FoundLine => {
  const [, path = '', sign = '', number = ''] = /^(.*)([-:+])(\d+)$/.exec(text) ?? [];
  const found = { path, line: Number(number), text: text, match: sign !== '-' };
  return sign === '+' ? { ...found, continued: true } : found;
};
const short = ({ path, line: number, match, continued }: FoundLine): string =>
  `${path}${match ? (continued === true ? '+' : ':') : '-'}${number}`;

function collected(texts: readonly string[], more: Partial<TextQuery> = {}): CollectedLines {
  const lines = collectLines(query(more), () => true);
  for (const text of texts) lines.add([line(text)]);
  return lines.result();
}

test('lines are sorted by path and number', () => {
  expect(collected(['b:2', 'a:10', 'b:1', 'a:9']).lines.map(short)).toEqual(['a:9', 'a:10', 'b:1', 'b:2']);
});

describe('the stored matches of one file are limited to the requested number', () => {
  test.each([
    [['a:1', 'a:2', 'a:3', 'a:4', 'b:1'], {}, ['a:1', 'a:2', 'b:1'], ['a']],
    [['a:1', 'a:2'], {}, ['a:1', 'a:2'], []],
    [['a:1', 'a:2', 'a:3', 'b:1', 'b:2', 'b:3'], {}, ['a:1', 'a:2', 'b:1', 'b:2'], ['a', 'b']],
    // Lines around the last match that is kept stay, and a match among them is one of those.
    [['a:1', 'a-2', 'a:3', 'a-4'], { maxMatches: 1, context: 1 }, ['a:1', 'a-2'], ['a']],
    [['a:1', 'a:2', 'a:3', 'a-4'], { maxMatches: 1, context: 1 }, ['a:1', 'a-2'], ['a']],
    [['a:1', 'a:2', 'a:3', 'a-4'], { maxMatches: 1, context: 2 }, ['a:1', 'a-2', 'a-3'], ['a']],
    [['a-1', 'a:2', 'a-3', 'a-6', 'a:7'], { maxMatches: 1, context: 1 }, ['a-1', 'a:2', 'a-3'], ['a']],
    [['a-1', 'a:2', 'a-5', 'a:6'], { context: 1 }, ['a-1', 'a:2', 'a-5', 'a:6'], []],
    // The further lines of a match belong to it.
    [['a:1', 'a+2', 'a+3', 'a:4', 'a+5'], { maxMatches: 1 }, ['a:1', 'a+2', 'a+3'], ['a']],
    [['a:1', 'a+2', 'a-3', 'a:9'], { maxMatches: 1, context: 1 }, ['a:1', 'a+2', 'a-3'], ['a']],
    [['a:1', 'a+2', 'a:3', 'a+4'], { maxMatches: 2 }, ['a:1', 'a+2', 'a:3', 'a+4'], []],
    [['a-1', 'a:2', 'a:3'], { maxMatches: 1 }, ['a-1', 'a:2'], ['a']],
    [['a:1'], { maxMatches: 1 }, ['a:1'], []],
    [['a:1'], { maxMatches: 0 }, [], ['a']],
    // The counts of one file are none of the next.
    [['a:8', 'b-2', 'b-3', 'b:9'], { maxMatches: 0, context: 1 }, [], ['a', 'b']],
    [['a:8', 'b:9', 'b:2'], { maxMatches: 1 }, ['a:8', 'b:2'], ['b']],
  ])('%j', (texts, more, lines, capped) => {
    const result = collected(texts, more);
    expect([result.lines.map(short), result.capped]).toEqual([lines, capped]);
  });
});

test("a path is checked once: by the caller's filter, then for credentials", () => {
  const requested: string[] = [];
  const lines = collectLines(query(), (path) => {
    requested.push(path);
    return path !== 'left/out';
  });
  expect(lines.add(['left/out:1', '.netrc:1', 'b/id_rsa:1', '.netrc:2', 'a:1', 'a:2'].map(line))).toBe(true);
  expect(requested).toEqual(['left/out', '.netrc', 'b/id_rsa', 'a']);
  expect(lines.result()).toEqual({
    lines: ['a:1', 'a:2'].map(line),
    capped: [],
    hasLongLine: false,
    excluded: ['.netrc', 'b/id_rsa'],
    problems: [],
    overflowed: false,
  });
});

test('a line over the limit is reported, also if others follow it', () => {
  const lines = collectLines(query(), () => true);
  expect([lines.add(null), lines.add([line('a:1')])]).toEqual([true, true]);
  expect(lines.result()).toMatchObject({ hasLongLine: true, lines: [line('a:1')] });
});

test('eight MiB of one search root are stored, and any excess is reported', () => {
  const lines = collectLines(query({ maxMatches: 99 }), () => true);
  // Each line counts with its path, its text and eight more.
  const big = (number: number, more = 0): FoundLine => ({
    path: 'a',
    line: number,
    text: 'x'.repeat(1024 * 1024 - 9 + more),
    match: true,
  });
  for (let number = 1; number <= 8; number += 1) expect(lines.add([big(number)])).toBe(true);
  expect(lines.result().overflowed).toBe(false);
  expect([lines.add([big(9)]), lines.add([big(10)]), lines.add([])]).toEqual([true, false, true]);
  const { overflowed, lines: held } = lines.result();
  expect([overflowed, held.length]).toEqual([true, 9]);
});

describe('the answers of several search roots', () => {
  const place = (more: Partial<CollectedLines>): CollectedLines => ({
    lines: [],
    capped: [],
    hasLongLine: false,
    excluded: [],
    problems: [],
    overflowed: false,
    ...more,
  });

  test('are joined in their order', () => {
    const one = place({ lines: [line('b:1')], capped: ['b'], excluded: ['.netrc'], problems: ['p'] });
    const other = place({
      lines: [line('a:1')],
      capped: ['a'],
      hasLongLine: true,
      excluded: ['w'],
      problems: ['q'],
    });
    expect(joinLines([one, other], false)).toEqual({
      lines: [line('b:1'), line('a:1')],
      dropped: 0,
      unfinished: null,
      hasLongLine: true,
      capped: ['b', 'a'],
      excluded: ['.netrc', 'w'],
      problems: ['p', 'q'],
    });
  });

  test.each([
    [false, false, null],
    [true, false, 'size'],
    [false, true, 'time'],
    [true, true, 'time'],
  ])('are incomplete: overflowed %j, out of time %j', (overflowed, timedOut, unfinished) => {
    expect(joinLines([place({}), place({ overflowed })], timedOut)).toMatchObject({
      unfinished,
      hasLongLine: false,
    });
  });

  test('are cut to 256 KiB, and only matches count as omitted', () => {
    const filling = (bytes: number, more: Partial<FoundLine> = {}): FoundLine => ({
      path: 'ä',
      line: 1,
      text: 'ö'.repeat((bytes - 10) / 2),
      match: true,
      ...more,
    });
    const whole = place({ lines: [filling(128 * 1024), filling(128 * 1024)] });
    expect(joinLines([whole], false)).toMatchObject({ dropped: 0, lines: { length: 2 } });
    const more = place({
      lines: [filling(12), filling(12, { match: false }), filling(12, { continued: true }), filling(12)],
    });
    expect(joinLines([whole, more], false)).toMatchObject({ dropped: 2, lines: { length: 2 } });
  });
});
