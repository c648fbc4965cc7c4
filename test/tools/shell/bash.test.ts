import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { networkNote, waitedForNetwork } from '../../../src/tools/shell/bash.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness;
beforeEach(async () => {
  tools = await openTools({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' }, { git: true });
});
afterEach(() => tools.close());

test('bash returns output and errors in their order', async () => {
  expect(await tools.call('bash', { command: 'echo out; echo err >&2; echo out again' })).toEqual({
    content: 'out\nerr\nout again',
    data: { exit_code: 0, signal: null, duration_ms: expect.any(Number), output_bytes: 18 },
  });
});

test.each([
  [{ command: 'echo no >&2; exit 3' }, 'no\n[exit code 3]'],
  [{ command: 'true' }, '(no output)'],
  [
    { command: '*** Begin Patch\n*** End Patch' },
    'invalid_input: This is a patch, not a command. Call apply_patch with it.',
  ],
  [{ command: 'false' }, '[exit code 1]'],
  [{ command: 'kill -TERM $$' }, '[exit code 143 (SIGTERM)]'],
  [{ command: 'exit 143' }, '[exit code 143 (SIGTERM)]'],
  [{ command: 'kill -HUP $$' }, '[exit code 129]'],
  [{ command: 'exit 129' }, '[exit code 129]'],
  [{ command: 'cat b.txt', cwd: 'sub' }, 'two'],
  [{ command: ['bash', '-lc', 'cat a.txt | tr o 0'] }, '0ne'],
  [{ command: ['printf', '%s|', "it's", 'a b'] }, "it's|a b|"],
  [{ command: ['cat a.txt'] }, 'one'],
  [{ command: '["sh", "-c", "cat a.txt"]' }, 'one'],
  [{ command: '["not JSON"' }, 'bash: line 1: [not JSON: command not found\n[exit code 127]'],
  [
    { command: 'cat', cwd: 'a.txt' },
    "invalid_input: cwd: a.txt is a file, not a directory. Leave cwd out to run in the workspace's root.",
  ],
  [
    { command: 'cat', cwd: 'nowhere' },
    "not_found: cwd: nowhere is not there. Leave cwd out to run in the workspace's root.",
  ],
])('bash answers %j', async (input, words) => {
  expect(await tools.say('bash', input)).toBe(words);
});

test('shell_command is bash with its own argument names', async () => {
  expect(
    await tools.say('shell_command', { command: ['bash', '-lc', 'pwd'], workdir: 'sub', timeout: 9000 }),
  ).toBe(`${tools.root}/sub`);
});

test('bash does not run outside the workspace', async () => {
  await expect(tools.call('bash', { command: 'pwd', cwd: '..' })).rejects.toMatchObject({
    kind: 'outside_workspace',
  });
});

test('a command over the time limit is stopped and its output stored', async () => {
  expect(await tools.say('bash', { command: 'echo started; sleep 60', timeout_ms: 300 })).toBe(
    'timeout: The command was stopped after 300 ms. timeout_ms counts milliseconds: give a larger one (at most 1800000), or run less. Its output until then:\nstarted\n',
  );
});

test('the changes of a command are in the change ledger', async () => {
  const changed: unknown[] = [];
  const { changes } = tools.context.workspace;
  await changes.observe({ tool: 'test', callId: 'before' });
  const observe = changes.observe.bind(changes);
  Object.assign(changes, {
    observe: async (by: { tool: string; callId: string }) => {
      const seen = await observe(by);
      changed.push(...seen.map(({ path, kind, tool, call_id }) => ({ path, kind, tool, call_id })));
      return seen;
    },
  });
  await tools.call('bash', { command: 'echo new > c.txt; rm a.txt' });
  expect(changed).toEqual([
    { path: 'a.txt', kind: 'delete', tool: 'bash', call_id: 'call_1' },
    { path: 'c.txt', kind: 'add', tool: 'bash', call_id: 'call_1' },
  ]);
});

test('output over 16 KiB is displayed with its first and last lines, and stored in a file', async () => {
  const output = await tools.call('bash', { command: 'seq 1 200000' });
  const spill = output.spill ?? '';
  const whole = readFileSync(spill, 'utf8');
  expect(whole.split('\n').length - 1).toBe(200_000);
  const lines = String(output.content).split('\n');
  const at = lines.findIndex((line) => line.startsWith('[…'));
  const [head, tail] = [lines.slice(0, at), lines.slice(at + 1)];
  const [from, to] = [head.length + 1, 200_000 - tail.length];
  expect(head).toEqual(head.map((_, index) => `${index + 1}`));
  expect(tail).toEqual(tail.map((_, index) => `${to + 1 + index}`));
  const size = (some: string[]) => Buffer.byteLength(some.join('\n')) + 1;
  expect([size(head) > 4_000, size(head) <= 4_096]).toEqual([true, true]);
  expect([size(tail) > 12_000, size(tail) <= 12_288]).toEqual([true, true]);
  const left = whole.length - size(head) - size(tail);
  expect(lines[at]).toBe(
    `[… left out: line ${from} to line ${to} of 200000, ${left} bytes; the whole output is in ${spill}: use read or grep on it …]`,
  );
  expect(await tools.say('read', { path: spill, start_line: 150_000, end_line: 150_000 })).toMatch(
    /^150000\t150000\b/,
  );
  expect(await tools.say('grep', { path: spill, pattern: '150000' })).toBe(`${spill}:150000:150000`);
});

test('a line longer than the preview is cut in the middle, with a notice', async () => {
  const output = await tools.call('bash', { command: `printf '%050000d' 0` });
  expect(output.content).toBe(
    [
      `${'0'.repeat(2_000)} … [2096 more characters]`,
      `[… left out: the middle of line 1 to the middle of line 1 of 1, 33616 bytes; the whole output is in ${output.spill}: use \`cut -c\` or \`head -c\` on it, as read shows only the beginning of so long a line …]`,
      `${'0'.repeat(2_000)} … [10288 more characters]`,
    ].join('\n'),
  );
});

test('output of 16 KiB is displayed unchanged', async () => {
  const output = await tools.call('bash', { command: `printf '%016384d' 0` });
  expect([output.content, output.spill]).toEqual(['0'.repeat(16_384), undefined]);
});

test.each([
  ['git commit -qm x --allow-empty', true],
  ['git -C . -c user.name=x commit --dry-run', true],
  ['true && git push 2>&1 | tail -0', true],
  ['git log --format=%s', false],
  ['git commit-tree --help > /dev/null 2>&1', false],
])('%s gets a notice about commits: %s', async (command, reported) => {
  const note =
    'Note: commits exist only inside this run and are gone at its end. Only the changed files are kept: do not report a commit.';
  expect((await tools.say('bash', { command })).endsWith(note)).toBe(reported);
});

test.each([
  ['sleep 60 &', true],
  ['true && sleep 60 & ', true],
  ['sleep 60 & sleep 60 & echo started', true],
  ['(setsid sleep 60 &); echo "done"', true],
  ['true & wait', false],
  ['sleep 60 & kill $!; wait', false],
  ['echo "a &"', false],
])('%s gets a notice about remaining processes: %s', async (command, reports) => {
  const note =
    'Note: processes that a command leaves running end with it. run_in_background keeps it running.';
  expect((await tools.say('bash', { command })).endsWith(note)).toBe(reports);
});

test('in a sandbox, remaining processes are derived from the command text', async () => {
  const ended = { exitCode: 0, signal: null, timedOut: false, durationMs: 5 };
  Object.assign(tools.context.commands, { sandboxed: true, run: async () => ended });
  const note =
    'Note: processes that a command leaves running end with it. run_in_background keeps it running.';
  const commands = ['sleep 60 & echo started', 'sleep 60 & kill $!'];
  const reply = [];
  for (const command of commands) reply.push(await tools.say('bash', { command }));
  expect(reply).toEqual([note, '(no output)']);
});

test.each([
  ['npm install left-pad', true],
  ['npx cowsay', true],
  ['cd sub && pip install x', true],
  ['git pull', true],
  ['npm test && git add x', false],
  ['yarn test', false],
  ['node fetch.js install', false],
])('a time-out of %s reports the missing network: %s', async (command, reportedTexts) => {
  const stopped = { exitCode: null, signal: 'SIGKILL', timedOut: true, durationMs: 5 };
  Object.assign(tools.context.commands, { sandboxed: true, run: async () => stopped });
  expect(await tools.say('bash', { command, timeout_ms: 5000 })).toBe(
    reportedTexts
      ? 'timeout: The command was stopped after 5000 ms. There is no network here: what would have to be downloaded never comes. Give a larger timeout_ms (at most 1800000), or run less. It had printed nothing.'
      : 'timeout: The command was stopped after 5000 ms. Give a larger timeout_ms (at most 1800000), or run less. It had printed nothing.',
  );
});

test('an abort ends the command with its reason', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const aborted = await openTools({}, { signal: controller.signal });
  const running = aborted.call('bash', { command: 'touch started; sleep 60' });
  controller.abort(reason);
  await expect(running).rejects.toBe(reason);
  await aborted.close();
});

test.each([
  ['bash', { command: 'echo a\0b' }, 'The command holds a NUL character'],
  ['bash', { command: `: ${'x'.repeat(200_000)}` }, 'The command is too long for the system'],
  ['shell_session', { action: 'open', command: 'cat \0' }, 'The command holds a NUL character'],
])('a command that cannot start is refused with a message: %s', async (tool, input, words) => {
  expect(await tools.say(tool, input)).toMatch(`invalid_input: ${words}`);
});

test.each([
  [
    'vim a.txt',
    'vim needs a terminal and keys, and would never end; nothing was run. Use read, edit_file and create_file, or sed.',
  ],
  [
    'cd sub && /usr/bin/nano x',
    'nano needs a terminal and keys, and would never end; nothing was run. Use read, edit_file and create_file, or sed.',
  ],
  ['top', 'top needs a terminal and keys, and would never end; nothing was run. Use `top -b -n 1` or `ps`.'],
  [
    'watch -n 1 ls',
    'watch needs a terminal and keys, and would never end; nothing was run. Run what it would repeat once, or in a loop that ends.',
  ],
])('a program for a full-screen terminal is refused immediately: %s', async (command, words) => {
  expect(await tools.say('bash', { command })).toBe(`invalid_input: ${words}`);
});

test.each([
  'echo vim',
  'vim() { echo own; }; : vim',
  'top -bn1 >/dev/null; true',
  'vim -es +q; true',
  'nvim --headless +q; true',
])('a similar command runs: %s', async (command) => {
  expect(await tools.say('bash', { command })).not.toContain('needs a terminal and keys');
});

test.each([
  ['echo x > /tmp/kept', true],
  ['cd src && cp a.txt ~/a.txt', true],
  ['mkdir -p "$HOME/.cache/tool"', true],
  ['ls /tmp', false],
  ['cp a b; ls /tmp/', false],
])('%s gets a notice that its folder ends with it: %s', async (command, told) => {
  const ended = { exitCode: 0, signal: null, timedOut: false, durationMs: 5 };
  Object.assign(tools.context.commands, { sandboxed: true, run: async () => ended });
  const note =
    'Note: /tmp and the home folder are new for each command. Keep what is still needed in the workspace.';
  expect((await tools.say('bash', { command })).endsWith(note)).toBe(told);
});

test('a command that cannot reach its own machine gets a notice about its network', async () => {
  const failed = { exitCode: 7, signal: null, timedOut: false, durationMs: 5 };
  Object.assign(tools.context.commands, { sandboxed: true, run: async () => failed });
  expect(await tools.say('bash', { command: 'curl -s http://127.0.0.1:4567/' })).toBe(
    '[exit code 7]\nNote: each command has its own network. Start the server and its client in one command.',
  );
  expect(await tools.say('bash', { command: 'false' })).toBe('[exit code 7]');
});

const none =
  'Note: commands have no network. What has to be downloaded comes by `setup` in the configuration, before a run.';
const own = 'Note: each command has its own network. Start the server and its client in one command.';

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

describe('a server missing on this machine', () => {
  test.for(['localhost', '127.0.0.1', '0.0.0.0', '[::1]', '[::]'])('is recognised in %s', (host) => {
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
  ])('is not recognised in %s', (host) => {
    expect(networkNote(`node a.js ${host}`, 'connection refused', false)).toBe('');
  });

  test.for([
    ...['ECONNREFUSED', 'Connection refused', 'Failed to connect', "couldn't connect", 'couldn’t connect'],
    'could not connect',
  ])('is reported for %s', (words) => {
    expect(networkNote('node a.js localhost', `so: ${words}!`, false)).toBe(own);
  });

  test.for(['could connect', 'refused', 'failed to connec'])('is not reported for %s', (words) => {
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
])('%j reports an unreachable network', (words) => {
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
])('%j does not report one', (words) => {
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
])('%j does not wait for the network', (command) => {
  expect(waitedForNetwork(command, '')).toBe(false);
});
