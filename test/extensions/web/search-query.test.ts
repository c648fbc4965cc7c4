import { expect, test } from 'vitest';
import { firstDay, hostOfDomain, isOf, readRecency } from '../../../src/extensions/web/search-query.ts';

test.for([
  ['', null],
  [' Any ', null],
  ['anytime', null],
  ['all', null],
  ['none', null],
  ['Week', 'week'],
  ['past month', 'month'],
  ['last_year', 'year'],
  ['last-day', 'day'],
  ['last', null],
  ['week past', undefined],
  ['the past week', undefined],
  ['24h', 'day'],
  ['25h', 'week'],
  ['1 day', 'day'],
  ['7d', 'week'],
  ['8d', 'month'],
  ['1w', 'week'],
  ['2 weeks', 'month'],
  ['1m', 'month'],
  ['31d', 'month'],
  ['2months', 'year'],
  ['1y', 'year'],
  ['366d', 'year'],
  ['367d', null],
  ['2y', null],
  ['0d', undefined],
  ['99999h', null],
  ['100000h', undefined],
  ['7', undefined],
  ['d', undefined],
  ['x7d', undefined],
  ['7d!', undefined],
  ['7s', undefined],
] as const)('%j as a time means %j', ([word, window]) => {
  expect(readRecency(word)).toBe(window);
});

test('each window has its first day', () => {
  const now = Date.UTC(2024, 0, 8, 12);
  expect((['day', 'week', 'month', 'year'] as const).map((window) => firstDay(window, now))).toEqual([
    ...['2024-01-07', '2024-01-01', '2023-12-09', '2023-01-08'],
  ]);
});

test.for([
  ['go.dev', 'go.dev'],
  [' GO.dev ', 'go.dev'],
  ['www.go.dev', 'go.dev'],
  ['www.www.dev', 'www.dev'],
  ['*.go.dev', 'go.dev'],
  ['https://go.dev/blog', 'go.dev'],
  ['HTTP://go.dev:8080/', 'go.dev'],
  ['go.dev/blog', 'go.dev'],
  ['pkg.a-b.go.dev', 'pkg.a-b.go.dev'],
  ['go', null],
  ['go.dev.', null],
  ['.go.dev', null],
  ['a_b.dev', null],
  ['a b', null],
  ['', null],
  ['[::1]', null],
  ['ftp://go.dev', null],
] as const)('%j as a domain is the host %j', ([domain, host]) => {
  expect(hostOfDomain(domain)).toBe(host);
});

test('a URL belongs to its host and those above it', () => {
  const all = ['https://go.dev/x', 'https://pkg.go.dev/', 'https://ago.dev/', 'https://go.dev.x/', 'no'];
  expect(all.filter((url) => isOf(url, 'go.dev'))).toEqual(['https://go.dev/x', 'https://pkg.go.dev/']);
});
