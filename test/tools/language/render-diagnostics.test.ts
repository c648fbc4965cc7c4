import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/tools/language/diagnostic.ts';
import type { CheckedFile } from '../../../src/tools/language/read-diagnostics.ts';
import { renderDiagnostics } from '../../../src/tools/language/render-diagnostics.ts';

const start = { line: 0, character: 0 };
const warning: Diagnostic = {
  ...{ range: { start, end: start }, severity: 'warning', message: 'odd', code: null, source: null },
  related: [],
};
const checked = (path: string, leftOut: number, ...diagnostics: Diagnostic[]): CheckedFile => ({
  ...{ path, server: 'toy', state: 'fresh', diagnostics, leftOut },
});
const cut = checked('a.ts', 3, warning);

test.for([
  [
    'of what is kept alone',
    'error',
    [cut],
    [
      'No error diagnostics among those that are kept of a.ts.',
      '[too many to keep: 3 more of any severity in a.ts]',
    ],
  ],
  [
    'of whole files by their names',
    'error',
    [cut, checked('b.ts', 0)],
    [
      'No error diagnostics in b.ts.',
      'No error diagnostics among those that are kept of a.ts.',
      '[too many to keep: 3 more of any severity in a.ts; ask for fewer files at once]',
    ],
  ],
  [
    'not of a file of which nothing is kept',
    'error',
    [checked('a.ts', 3)],
    ['[too many to keep: 3 more of any severity in a.ts]'],
  ],
  ['of a whole file', 'any', [checked('a.ts', 0)], ['No diagnostics in a.ts.']],
  [
    'of several',
    'error',
    [checked('a.ts', 0), checked('b.ts', 0, warning)],
    ['No error diagnostics in 2 files.'],
  ],
] as const)('that there is nothing is said %s', ([, severity, files, lines]) => {
  expect(renderDiagnostics(files, { root: '/w', severity, limit: 10 }).content).toBe(lines.join('\n'));
});
