import { expect, test } from 'vitest';
import { createMetricReader } from '../../../src/tools/experiment/read-metrics.ts';

function read(primary: string, ...pieces: string[]) {
  const reader = createMetricReader(primary);
  for (const piece of pieces) reader.push(Buffer.from(piece));
  return reader.finish();
}

test('lines METRIC report metrics, the last of a name counts, and the others are secondary', () => {
  expect(
    read(
      'p95_ms',
      'p95_ms=1\nMETRIC p95_ms=3\nMETRIC hits: 0.5\r\n  METRIC p95_ms = 2.5ms\nMETRIC a=1e',
      '3',
    ),
  ).toEqual({ value: 2.5, others: { hits: 0.5, a: 1000 } });
  expect(read('x', '\u001b[32mMETRIC x=-7 %\u001b[0m')).toEqual({ value: -7, others: {} });
});

test.each([
  ['p95_ms=12', 12],
  ['p95_ms: 12.5 ms (n=3)', 12.5],
  ['{"runs": 4, "p95_ms": 12.5, "p99_ms": 20}', 12.5],
  ['BenchmarkExa-8   100   11.2 ns/op   12.5 p95_ms   3 allocs', 12.5],
  ['| p95_ms | 12.5 |', 12.5],
  ['p95_ms -> .5', 0.5],
  ['1. p95_ms 12', 12],
  ['3 "p95_ms" : "12"', 12],
  ['`p95_ms` 9', 9],
  ['p95_ms=8 then p95_ms=9', 9],
  ['my_p95_ms=12', null],
  ['p95_ms_total=12', null],
  ['p95_ms=NaN', null],
  ['p95_ms=1.2.3', null],
  ['p95_ms=12abc4', null],
  ['p95_ms', null],
  ['METRIC p95_ms=none', null],
])('without such a line the number after a name counts: %s', (line, value) => {
  expect(read('p95_ms', line)).toEqual({ value, others: {} });
});

test('the stored part of the output is limited, whatever its lines', () => {
  const many = Array.from({ length: 200 }, (_, index) => `METRIC m${index}=${index}\n`).join('');
  const long = `${'a'.repeat(5_000)} x=1\n`;
  const { value, others } = read('x', long, many, 'x'.repeat(100_000), '\nMETRIC x=4\n', long);
  expect([value, Object.keys(others).length]).toEqual([4, 50]);
});

test('a hostile output is parsed in linear time', () => {
  const lines = [
    'x '.repeat(2_000),
    '1 '.repeat(2_000),
    `x${' '.repeat(4_000)}y`,
    `${'1'.repeat(4_000)}x`,
  ].join('\n');
  const reader = createMetricReader('x');
  for (let round = 0; round < 50; round += 1) reader.push(Buffer.from(`${lines}\n`));
  expect(reader.finish()).toEqual({ value: null, others: {} });
});
