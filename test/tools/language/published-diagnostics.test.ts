import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { publishedDiagnostics } from '../../../src/tools/language/published-diagnostics.ts';

const start = { line: 0, character: 0 };
const range = { start, end: start };

test('of what a server says of a file only the beginning of each text is kept', () => {
  const long = 'x'.repeat(100_000);
  const related = (uri: string): JsonObject => ({ location: { uri, range }, message: long });
  const published = publishedDiagnostics();
  published.take({
    uri: 'file:///a.toy',
    diagnostics: [
      { range, message: 'short', code: 7, source: 'toy' },
      {
        ...{ range, severity: 2, message: { kind: 'markdown', value: long }, code: long, source: long },
        relatedInformation: [related('file:///b.toy'), related(`file:///${long}`)],
      },
    ],
  });
  expect(published.of('file:///a.toy')).toEqual({
    version: null,
    at: 1,
    diagnostics: [
      { range, severity: 'error', message: 'short', code: '7', source: 'toy', related: [] },
      {
        ...{ range, severity: 'warning', message: 'x'.repeat(2_000) },
        ...{ code: 'x'.repeat(200), source: 'x'.repeat(200) },
        related: [{ location: { uri: 'file:///b.toy', range }, message: 'x'.repeat(200) }],
      },
    ],
  });
});
