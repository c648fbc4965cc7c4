import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import {
  budgetAfter,
  type Diagnostic,
  fitBudget,
  readDiagnostics,
  totalBudget,
} from '../../../src/extensions/language/diagnostic.ts';

const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } };
const plain = { range, severity: 'error', message: 'm', code: null, source: null, related: [] };
const read = (...items: Json[]) => readDiagnostics(items).diagnostics;

describe('a diagnostic', () => {
  test.each([
    [{}, {}],
    [{ severity: 1 }, { severity: 'error' }],
    [{ severity: 2 }, { severity: 'warning' }],
    [{ severity: 3 }, { severity: 'info' }],
    [{ severity: 4 }, { severity: 'hint' }],
    [{ severity: 5 }, { severity: 'error' }],
    [{ severity: 'x' }, { severity: 'error' }],
    [{ message: { kind: 'markdown', value: 'v' } }, { message: 'v' }],
    [{ code: 'E1' }, { code: 'E1' }],
    [{ code: 2304 }, { code: '2304' }],
    [{ code: { value: 1 } }, { code: null }],
    [{ source: 'ts' }, { source: 'ts' }],
    [{ source: 3 }, { source: null }],
    [{ message: 'x'.repeat(2001) }, { message: 'x'.repeat(2000) }],
    [
      { code: 'x'.repeat(201), source: 'y'.repeat(201) },
      { code: 'x'.repeat(200), source: 'y'.repeat(200) },
    ],
  ])('%j', (given, stored) => {
    expect(read({ range, message: 'm', ...given } as Json)).toEqual([{ ...plain, ...stored }]);
  });

  test.each([
    [null],
    ['x'],
    [{ message: 'm' }],
    [{ range }],
    [{ range, message: 3 }],
    [{ range, message: {} }],
  ])('is invalid: %j', (given) => {
    expect(read(given as Json)).toEqual([]);
  });

  test('has at most ten related locations', () => {
    const to = (uri: string, message: Json = 'r') => ({ location: { uri, range }, message });
    const related = (list: Json) => read({ range, message: 'm', relatedInformation: list })[0]?.related;
    const one = { location: { uri: 'file:///a', range }, message: 'r' };
    expect([
      related([to('file:///a'), to('file:///b', 3), null, { message: 'no place' }]),
      related('none'),
      related(new Array<Json>(11).fill(to('file:///a')))?.length,
      related([to('u'.repeat(4096))])?.length,
      related([to('u'.repeat(4097))])?.length,
      related([to('file:///a', 'x'.repeat(201))])?.[0]?.message.length,
    ]).toEqual([[one], [], 10, 1, 0, 200]);
  });

  test('is stored with 999 others of its file', () => {
    const many = (count: number) => {
      const { diagnostics, leftOut } = readDiagnostics(new Array<Json>(count).fill({ range, message: 'm' }));
      return [diagnostics.length, leftOut];
    };
    expect([many(999), many(1000), many(1003), readDiagnostics(undefined), readDiagnostics({})]).toEqual([
      [999, 0],
      [1000, 0],
      [1000, 3],
      { diagnostics: [], leftOut: 0 },
      { diagnostics: [], leftOut: 0 },
    ]);
  });
});

describe('the budget for diagnostics', () => {
  const one = { ...plain, severity: 'error' as const, message: 'ä' };
  const pointing = {
    ...one,
    ...{ code: 'cc', source: 'sss' },
    related: [{ location: { uri: 'uuuu', range }, message: 'mmmmm' }],
  };
  const storedPart = { diagnostics: [one, pointing, one], leftOut: 4 };

  test.each([
    [{ count: 4, bytes: 20 }, 3, 4, { count: 4, bytes: 20 }],
    [{ count: 3, bytes: 20 }, 2, 5, { count: 3, bytes: 18 }],
    [{ count: 4, bytes: 19 }, 2, 5, { count: 3, bytes: 18 }],
    [{ count: 2, bytes: 20 }, 1, 6, { count: 1, bytes: 2 }],
    [{ count: 4, bytes: 17 }, 1, 6, { count: 1, bytes: 2 }],
    [{ count: 0, bytes: 20 }, 0, 7, { count: 0, bytes: 0 }],
  ])('%j permits %d', (room, count, leftOut, size) => {
    expect(fitBudget(room, storedPart)).toEqual({
      fitted: { diagnostics: storedPart.diagnostics.slice(0, count), leftOut },
      size,
    });
  });

  test('is 20,000 for all files, in 16 MiB, minus the used part', () => {
    expect(totalBudget).toEqual({ count: 20_000, bytes: 16_777_216 });
    expect(budgetAfter({ count: 5, bytes: 9 }, { count: 2, bytes: 4 })).toEqual({ count: 3, bytes: 5 });
  });
});

const place = { message: 'é', location: { uri: 'file:///a' } };
const diagnostic = (change: object = {}) =>
  ({ message: 'ab', code: null, source: null, related: [], ...change }) as unknown as Diagnostic;

test('each diagnostic, related location and text uses a part of the budget', () => {
  const diagnostics = [diagnostic(), diagnostic({ code: 'c', source: 'de', related: [place, place] })];
  const all = { diagnostics, leftOut: 3 };
  const size = { count: 4, bytes: 2 + 2 + 1 + 2 + 2 * (2 + 9) };
  const first = {
    fitted: { diagnostics: diagnostics.slice(0, 1), leftOut: 4 },
    size: { count: 1, bytes: 2 },
  };
  expect([
    fitBudget(size, all),
    fitBudget({ ...size, count: 3 }, all),
    fitBudget({ ...size, bytes: size.bytes - 1 }, all),
    fitBudget({ count: 0, bytes: 9 }, all),
    budgetAfter({ count: 5, bytes: 9 }, { count: 1, bytes: 2 }),
  ]).toEqual([
    { fitted: all, size },
    first,
    first,
    { fitted: { diagnostics: [], leftOut: 5 }, size: { count: 0, bytes: 0 } },
    { count: 4, bytes: 7 },
  ]);
});
