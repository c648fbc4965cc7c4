import { describe, expect, test } from 'vitest';
import { networkNote, waitedForNetwork } from '../../../src/tools/shell/network-note.ts';

const none =
  'Note: commands have no network. What has to be downloaded comes by `setup` in the configuration, before a run.';
const own = 'Note: each command has a network of its own. Start the server and what asks it in one command.';

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
  ['wget -q example.com/a.tgz', '', false, ''],
  ['u=https://example.com; curl -s "$u"', '', true, ''],
  ['git fetch', 'fatal: unable to access: Could not resolve host: github.com', true, none],
  ['npm test', 'resolves ENOTFOUND to an error', false, ''],
  ['npm test', 'Error: getaddrinfo ENOTFOUND api.example.com', true, none],
  ['curl -s http://localhost:3000/', '', true, own],
  ['curl -s http://localhost:3000/', 'Connection refused', false, own],
  ['curl -s http://localhost:3000/', 'hello', false, ''],
  ['/usr/bin/curl -s 0.0.0.0:80 https://example.com', '', false, none],
  ['wget localhost:3000 example.com/a', '', true, own],
  ['node client.js http://127.0.0.1:3000', 'Error: connect ECONNREFUSED 127.0.0.1:3000', true, own],
  ['node client.js http://127.0.0.1:3000', 'Error: connect ECONNREFUSED 127.0.0.1:3000', false, own],
  ['node client.js', 'Error: connect ECONNREFUSED 127.0.0.1:3000', true, ''],
  ['curl https://example.com; node client.js localhost', 'connection refused', true, none],
  ['npm test -- --host localhost', '1 failed', true, ''],
  ['node serve.js & sleep 1; curl -s localhost:3000', 'hello', false, ''],
  ['curl --version', 'curl 8', false, ''],
  ['curl --data a.b', '', true, none],
  ['curl -s words', '', true, ''],
  ['grep -rn "curl https://example.com" docs', '', true, ''],
])('%s with the output %j, failed: %s', (command, output, failed, note) => {
  expect(networkNote(command, output, failed)).toBe(note);
});

describe('a server on this machine that is not there', () => {
  test.for(['localhost', '127.0.0.1', '0.0.0.0', '[::1]', '[::]'])('is asked as %s', (host) => {
    expect(networkNote(`node a.js ${host}:80`, 'connection refused', false)).toBe(own);
  });

  test.for([
    'mylocalhost',
    '127a0.0.1',
    '127.0a0.1',
    '127.0.0a1',
    '10.0.0.0',
    '0a0.0.0',
    '::1',
    '[::2]',
  ])('is not asked as %s', (host) => {
    expect(networkNote(`node a.js ${host}`, 'connection refused', false)).toBe('');
  });

  test.for([
    ...['ECONNREFUSED', 'Connection refused', 'Failed to connect', "couldn't connect", 'couldn’t connect'],
    'could not connect',
  ])('is told of by %s', (words) => {
    expect(networkNote('node a.js localhost', `so: ${words}!`, false)).toBe(own);
  });

  test.for(['could connect', 'refused', 'failed to connec'])('is not told of by %s', (words) => {
    expect(networkNote('node a.js localhost', words, false)).toBe('');
  });
});

test.for([
  ...["Couldn't resolve host", 'could not resolve host', 'Could not resolve proxy: x'],
  ...['Temporary failure in name resolution', 'Temporary failure resolving x', 'Name or service not known'],
  ...['unable to resolve host address', 'failed to lookup address information'],
  ...['Failed to establish a new connection', 'Network is unreachable', 'dial tcp: lookup x'],
  ...[
    'no such host',
    'No matching distribution found',
    'EAI_AGAIN',
    '(ENOTFOUND)',
    'ENETUNREACH',
    'ENOTCACHED',
  ],
])('%j says that nothing could be reached', (words) => {
  expect([networkNote('make', `so: ${words}`, true), networkNote('make', `so: ${words}`, false)]).toEqual([
    none,
    '',
  ]);
});

test.for([
  'could resolve host',
  'resolve host',
  'ENOTFOUNDS',
  'XENOTFOUND',
  'temporary failure',
  'no such file',
])('%j does not say so', (words) => {
  expect(networkNote('make', words, true)).toBe('');
});

const managers = ['npm', 'pnpm', 'yarn', 'bun'];
const others = 'pip,pip3,uv pip,pipx,poetry,gem,bundle,composer,cargo,go,apt,apt-get,apk,brew'.split(',');

test.for([
  ...managers.map((one) => `${one} i`),
  ...['i', 'ci', 'install', 'add', 'exec', 'create', 'dlx', 'update', 'upgrade'].map((one) => `npm ${one}`),
  ...others.map((one) => `${one} install x`),
  ...['install', 'add', 'download', 'require', 'update', 'get', 'fetch', 'mod', 'sync'].map(
    (one) => `go ${one}`,
  ),
  ...['clone', 'fetch', 'pull', 'push'].map((one) => `git ${one}`),
  ...['npx', 'pnpx', 'bunx', 'uvx', 'curl', 'wget'].map((one) => `${one} x`),
  ...[
    'npm -s --x=1 ci',
    'pip  -q  install x',
    'cd a;npm ci',
    'true&&npm ci',
    'x|npx y',
    '(npx y)',
    'a\tnpm ci',
  ],
])('%j may wait for the network', (command) => {
  expect([
    waitedForNetwork(command, ' \n'),
    waitedForNetwork(command, 'no such host'),
    waitedForNetwork(command, '3 done'),
  ]).toEqual([true, true, false]);
});

test.for([
  ...[
    'npm test',
    'npm cis',
    'npm ci-x',
    'xnpm ci',
    'x.npx y',
    'npxy',
    'npm x ci',
    'git status',
    'git fetched',
  ],
  ...['pip4 install', 'go build', 'cargo test', 'uv run', 'apts install', 'my-curl x', 'curl-config'],
])('%j does not', (command) => {
  expect(waitedForNetwork(command, '')).toBe(false);
});
