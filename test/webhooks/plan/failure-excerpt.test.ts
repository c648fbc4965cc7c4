import { expect, test } from 'vitest';
import { failureExcerpt, tellingLines } from '../../../src/webhooks/plan/failure-excerpt.ts';

const esc = '\u001b';
/** A log as GitHub writes it, with times. */
const log = (lines: readonly string[]) =>
  `\uFEFF${lines.map((line, index) => `2026-01-02T03:04:${String(index % 60).padStart(2, '0')}.1234567Z ${line}`).join('\n')}\n`;
const step = (script: string, ...output: readonly string[]) => [
  `##[group]Run ${script.split('\n')[0]}`,
  ...script.split('\n').map((line) => `${esc}[36;1m${line}${esc}[0m`),
  'shell: /usr/bin/bash -e {0}',
  'env:',
  '  CI: true',
  '##[endgroup]',
  ...output,
];
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

test('only the failed step and its script remain, without colours and times', () => {
  const text = log([
    '##[group]Run actions/checkout@v5',
    'with:',
    '  fetch-depth: 1',
    '##[endgroup]',
    'error: this one is another step',
    ...step('npm ci', 'added 3 packages'),
    ...step(
      'npm test\nnpm run lint',
      `${esc}[31mnot ok 1 - adds${esc}[0m`,
      '##[error]Process completed with exit code 1.',
    ),
    'Post job cleanup.',
    'warning: nothing',
  ]);
  expect(failureExcerpt(text)).toEqual({
    text: '$ npm test\nnpm run lint\nnot ok 1 - adds\n##[error]Process completed with exit code 1.',
    scripts: ['npm test\nnpm run lint'],
  });
});

test('a long output has the lines around its first error, and its end', () => {
  const output = [
    ...numbered(300),
    'Error: it broke',
    ...numbered(300),
    '##[error]Process completed with exit code 1.',
  ];
  const { text } = failureExcerpt(log(step('npm test', ...output)));
  const lines = text.split('\n');
  expect([lines[1], lines[2], lines[12], lines[62], lines.length, lines.at(-1)]).toEqual([
    ...['(290 lines left out)', 'line 290', 'Error: it broke', '(192 lines left out)', 123],
    '##[error]Process completed with exit code 1.',
  ]);
});

test('a log without steps gives its last lines, and a step without an error no script', () => {
  expect(failureExcerpt(log(numbered(200)))).toEqual({
    text: numbered(200).slice(-120).join('\n'),
    scripts: [],
  });
  expect(failureExcerpt(log(step('npm test', 'fine'))).scripts).toEqual([]);
  expect(failureExcerpt('')).toEqual({ text: '', scripts: [] });
});

test('a failed action has no script, and a very long line is cut', () => {
  const text = log([
    '##[group]Run acme/act@v1',
    'with:',
    '##[endgroup]',
    'x'.repeat(9_000),
    '##[error]No token',
  ]);
  expect(failureExcerpt(text)).toEqual({ text: `${'x'.repeat(500)}\n##[error]No token`, scripts: [] });
});

test('the telling lines name an error, or else are the last ones', () => {
  expect(tellingLines('fine\nTypeError: x\n2 failed\nfine')).toEqual(['TypeError: x', '2 failed']);
  expect(tellingLines(numbered(9).join('\n'))).toEqual(numbered(9).slice(-5));
});
