import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { PublishedDiagnostics } from '../../../src/extensions/language/published-diagnostics.ts';

const start = { line: 0, character: 0 };
const range = { start, end: start };

test('only the beginning of each text of a diagnostic is stored', () => {
  const long = 'x'.repeat(100_000);
  const related = (uri: string): JsonObject => ({ location: { uri, range }, message: long });
  const published = new PublishedDiagnostics();
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
    leftOut: 0,
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

/** What is kept of files: their messages, and how many were left out. */
function stored({ of }: PublishedDiagnostics, names: readonly string[]) {
  return names.map((name) => {
    const reply = of(`file:///${name}`);
    return reply === null ? null : [reply.at, reply.diagnostics.map(({ message }) => message), reply.leftOut];
  });
}

function tell({ take }: PublishedDiagnostics, name: string, messages: readonly string[], related = 0): void {
  const place = { location: { uri: 'file:///b', range }, message: 'see' };
  const diagnostics = messages.map((message) => ({
    ...{ range, message },
    relatedInformation: Array.from({ length: related }, () => place),
  }));
  take({ uri: `file:///${name}`, version: 3, diagnostics });
}

test('diagnostics of a file over a thousand are counted', () => {
  const published = new PublishedDiagnostics();
  tell(
    published,
    'a',
    Array.from({ length: 1_003 }, () => 'm'),
  );
  expect(stored(published, ['a'])).toEqual([[1, Array.from({ length: 1_000 }, () => 'm'), 3]]);
});

test('the oldest diagnostics are replaced by those of other files and count as omitted until they come again', () => {
  const published = new PublishedDiagnostics({ count: 5, bytes: 1_000 });
  tell(published, 'a', ['1', '2']);
  tell(published, 'b', ['3', '4']);
  // What it points to counts, too.
  tell(published, 'c', ['5'], 1);
  const first = stored(published, ['a', 'b', 'c']);
  const wasDropped = ['a', 'b', 'c'].map((name) => published.wasDropped(`file:///${name}`, 0));
  tell(published, 'a', ['6']);
  published.forget('file:///c');
  tell(published, 'd', ['7', '8', '9']);
  expect({ first, wasDropped, later: stored(published, ['a', 'b', 'c', 'd']) }).toEqual({
    first: [
      [1, [], 2],
      [2, ['3', '4'], 0],
      [3, ['5'], 0],
    ],
    wasDropped: [true, false, false],
    later: [[4, ['6'], 0], [2, [], 2], null, [5, ['7', '8', '9'], 0]],
  });
});

test('the total bytes of all texts and addresses are limited, also for a single file', () => {
  const published = new PublishedDiagnostics({ count: 100, bytes: 100 });
  tell(published, 'a', ['x'.repeat(50)]);
  tell(published, 'b', ['x'.repeat(40), 'ünï'.repeat(12), 'y'.repeat(90)]);
  const both = stored(published, ['a', 'b']);
  for (let count = 0; count < 20; count += 1) tell(published, `c${count}`, []);
  const names = ['a', 'b', ...Array.from({ length: 20 }, (_, index) => `c${index}`)];
  expect({ both, known: stored(published, names).filter((one) => one !== null).length }).toEqual({
    both: [
      [1, [], 1],
      [2, ['x'.repeat(40)], 2],
    ],
    // So many addresses of eleven bytes have room.
    known: 9,
  });
});

test('of files over the limit, the least recently reported ones are dropped', () => {
  const published = new PublishedDiagnostics();
  for (let count = 0; count < 5_003; count += 1) tell(published, `${count}`, ['m']);
  const known = Array.from({ length: 5_003 }, (_, index) => published.of(`file:///${index}`) !== null);
  expect([known.indexOf(true), known.filter((one) => one).length]).toEqual([3, 5_000]);
});

test('of files known only by name, the oldest are dropped and requested again', () => {
  const published = new PublishedDiagnostics({ count: 2, bytes: 1_000_000 });
  const names = Array.from({ length: 5_003 }, (_, index) => `${index}`);
  for (const name of names) tell(published, name, ['m']);
  const wasDropped = (name: string, since: number) => published.wasDropped(`file:///${name}`, since);
  expect({
    known: names.filter((name) => published.of(`file:///${name}`) !== null).length,
    oldest: stored(published, ['2', '3']),
    newest: stored(published, ['5000', '5001', '5002']),
    // The third was the last that was forgotten: what was sent after it was told of is not among them.
    again: [
      wasDropped('0', 0),
      wasDropped('2', 2),
      wasDropped('silent', 3),
      wasDropped('3', 0),
      wasDropped('5002', 0),
    ],
  }).toEqual({
    known: 5_000,
    oldest: [null, [4, [], 1]],
    newest: [
      [5_001, [], 1],
      [5_002, ['m'], 0],
      [5_003, ['m'], 0],
    ],
    again: [true, true, false, true, false],
  });
});
