import { expect, test } from 'vitest';
import { renderPeers } from '../../bench/results.ts';
import { median, missedRows, renderTable } from '../../bench/table.ts';

test('the median is the middle value, and of an even count the upper one', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 3, Number.NaN]);
});

test('a row has the multiple of the floor, and whether that is too much', () => {
  const table = renderTable([
    { what: 'start', unit: 'ms', floor: 50, ours: 80, budget: { kind: 'ratio', most: 1.8 } },
    { what: 'a turn', unit: 'ms', floor: 4, ours: 10, budget: { kind: 'ratio', most: 2 } },
    { what: 'first request', unit: 'bytes', floor: 400, ours: 9000, budget: { kind: 'most', most: 8192 } },
    { what: 'memory', unit: 'MiB', floor: 60, ours: 70, budget: null },
  ]);
  expect(table.split('\n')).toEqual([
    '|               |     floor |       anode |   ratio |      budget |      |',
    '| ------------- | --------: | ----------: | ------: | ----------: | ---: |',
    '| start         |     50 ms |       80 ms |  1.60 × |       1.8 × |      |',
    '| a turn        |    4.0 ms |     10.0 ms |  2.50 × |         2 × | over |',
    '| first request | 400 bytes | 9,000 bytes | 22.50 × | 8,192 bytes | over |',
    '| memory        |    60 MiB |      70 MiB |  1.17 × |             |      |',
  ]);
});

test('misses a budget only by more than 15 %', () => {
  const row = { what: 'start', unit: 'ms', floor: 100, ours: 0, budget: { kind: 'ratio', most: 2 } } as const;
  const most = { ...row, budget: { kind: 'most', most: 100 } } as const;
  const rows = [
    { ...row, ours: 230 },
    { ...row, ours: 231 },
    { ...most, ours: 115 },
    { ...most, ours: 116 },
    { ...row, ours: 900, budget: null },
  ];
  expect(missedRows(rows).map(({ ours }) => ours)).toEqual([231, 116]);
});

test('renders the figures of programs side by side', () => {
  const figures = { name: 'floor', first: 50, walls: [59, 103, 287], gap: 3.7, firstBytes: 400 };
  expect(
    renderPeers([{ ...figures, bytes: 1_654_000, freshBytes: 72_000 }])
      .split('\n')
      .at(-1),
  ).toBe(
    '| floor |         50 ms |   59 ms |   103 ms |   287 ms |       3.7 ms |          0 KB |         1,654 KB |            72 KB |              18 K |',
  );
});
