import { expect, test } from 'vitest';
import { signValue } from '../../src/state/sign-value.ts';
import { readThreadArchive, signThreadArchive, type ThreadArchive } from '../../src/state/thread-archive.ts';

const archive: ThreadArchive = {
  version: 1,
  kind: 'thread-state',
  repository: 11,
  thread: 7,
  workflow_run: 100,
  sequence: 3,
  entries: [
    ['review/7', '{}'],
    ['told/ü', 'x'],
  ],
};
const place = { repository: 11, thread: 7, workflow_run: 100 };

test('a signed archive is read at its place only', () => {
  const text = signThreadArchive(archive, 'secret');
  expect([
    readThreadArchive(text, place, 'secret'),
    readThreadArchive(text, { ...place, repository: 12 }, 'secret'),
    readThreadArchive(text, { ...place, thread: 8 }, 'secret'),
    readThreadArchive(text, { ...place, workflow_run: 101 }, 'secret'),
  ]).toEqual([archive, null, null, null]);
});

test('an archive is not read without a valid signature of its body', () => {
  const { body, signature } = JSON.parse(signThreadArchive(archive, 'secret')) as Record<string, string>;
  const read = (envelope: unknown, secret = 'secret') =>
    readThreadArchive(JSON.stringify(envelope), place, secret);
  expect([
    read({ body, signature }),
    read({ body, signature }, 'other'),
    read({ body: body?.replace('"sequence":3', '"sequence":4'), signature }),
    read({ body, signature: '' }),
    read({ body }),
    read({ body, signature: signValue('secret', 'another/kind', body ?? '') }),
    read({ body, signature, more: 1 }),
    readThreadArchive('{', place, 'secret'),
  ]).toEqual([archive, null, null, null, null, null, null, null]);
});

test('a signed body of another form is not read', () => {
  const signed = (value: unknown) => {
    const body = typeof value === 'string' ? value : JSON.stringify(value);
    const signature = signValue('secret', 'artifact/thread-state', body);
    return readThreadArchive(JSON.stringify({ body, signature }), place, 'secret');
  };
  expect([
    signed(archive),
    signed({ ...archive, version: 2 }),
    signed({ ...archive, sequence: 0 }),
    signed({ ...archive, more: true }),
    signed({ ...archive, entries: Array.from({ length: 5_001 }, (_, at) => [`review/${at}`, '']) }),
    signed('no JSON'),
  ]).toEqual([archive, null, null, null, null, null]);
});
