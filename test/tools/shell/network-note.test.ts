import { expect, test } from 'vitest';
import { networkNote, waitedForNetwork } from '../../../src/tools/shell/network-note.ts';

const none = 'Note: commands have no network.';
const own = 'Note: each command has a network of its own.';

test.each([
  ['npx vitest run', 'FAIL a.test.ts\nexpected 1 to be 2', true, ''],
  [
    'npx cowsay hi',
    'npm error code EAI_AGAIN\nnpm error getaddrinfo EAI_AGAIN registry.npmjs.org',
    true,
    none,
  ],
  ['npm install || true', 'npm error code ENOTFOUND', false, none],
  ['npx tap 2>&1 | tail -5; ls', 'npm error code ENOTCACHED', false, none],
  ['curl https://example.com/a', 'curl: (6) Could not resolve host: example.com', true, none],
  ['curl -s https://example.com/a | head -3', '', false, none],
  ['curl -fsS "https://example.com" || echo none', 'none', false, none],
  ['timeout 5 wget -q example.com/a.tgz', '', true, none],
  ['u=https://example.com; curl -s "$u"', '', true, ''],
  ['git fetch', 'fatal: unable to access: Could not resolve host: github.com', true, none],
  ['npm test', 'resolves ENOTFOUND to an error', false, ''],
  ['npm test', 'Error: getaddrinfo ENOTFOUND api.example.com', true, none],
  ['curl -s http://localhost:3000/', '', true, own],
  ['node client.js http://127.0.0.1:3000', 'Error: connect ECONNREFUSED 127.0.0.1:3000', true, own],
  ['npm test -- --host localhost', '1 failed', true, ''],
  ['node serve.js & sleep 1; curl -s localhost:3000', 'hello', false, ''],
  ['curl --version', 'curl 8', false, ''],
  ['grep -rn "curl https://example.com" docs', '', true, ''],
])('%s with the output %j, failed: %s', (command, output, failed, note) => {
  const told = networkNote(command, output, failed);
  expect(told.slice(0, note === '' ? undefined : note.length)).toBe(note);
});

test('a command without an end waited for the network where it fetches and printed nothing else', () => {
  expect([
    waitedForNetwork('npm ci', ''),
    waitedForNetwork('npx vitest', 'RUN v5\n 3 tests passed'),
    waitedForNetwork('pip install x', 'WARNING: Temporary failure in name resolution'),
    waitedForNetwork('npm test', ''),
  ]).toEqual([true, false, true, false]);
});
