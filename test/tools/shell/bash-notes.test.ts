import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness;
let result: object;
let printed: string;
let requests: unknown[];
beforeAll(async () => {
  tools = await openTools({ 'src/a.txt': 'a\n' });
  Object.assign(tools.context.commands, {
    sandboxed: true,
    run: async ({ onOutput, ...request }: { onOutput: (chunk: Buffer) => void }) => {
      requests.push(request);
      onOutput(Buffer.from(printed));
      return { exitCode: 0, signal: null, timedOut: false, durationMs: 5, ...result };
    },
  });
});
beforeEach(() => {
  result = {};
  printed = '';
  requests = [];
});
afterAll(() => tools.close());
const say = (command: string, more: object = {}) => tools.say('bash', { command, ...more });

test('a command runs with merged errors, in its folder, within its time limit', async () => {
  const { root, context } = tools;
  await say('ls', { cwd: 'src', timeout_ms: 5 });
  await say('ls', { timeout_ms: 1_800_001 });
  await say('ls');
  const { signal } = context;
  await say('make');
  const reading = { command: 'exec 2>&1; ls', signal, readOnlyWorkspace: true };
  expect(requests).toEqual([
    { ...reading, cwd: `${root}/src`, timeoutMs: 5 },
    { ...reading, cwd: root, timeoutMs: 1_800_000 },
    { ...reading, cwd: root, timeoutMs: 120_000 },
    { ...reading, command: 'exec 2>&1; make', readOnlyWorkspace: false, cwd: root, timeoutMs: 120_000 },
  ]);
});

test('its output is displayed without the last line end', async () => {
  const displayed = async (text: string) => {
    printed = text;
    return say('ls');
  };
  expect([
    await displayed('a\n'),
    await displayed('a\n\n'),
    await displayed('\n'),
    await displayed(''),
  ]).toEqual(['a', 'a\n', '(no output)', '(no output)']);
});

describe('commits', () => {
  const note =
    'Note: commits exist only inside this run and are gone at its end. Only the changed files are kept: do not report a commit.';

  test.for([
    ...[
      'git commit',
      'git  push',
      'git -C x commit',
      'git -c a=b commit',
      'git --no-pager push',
      'x; git commit -m y',
    ],
    ...['git GIT_X=1 commit', 'git -c a=b -C x push origin'],
  ])('are detected in %s', async (command) => {
    expect(await say(command)).toBe(note);
  });

  test.for([
    'git log',
    'git commit-tree x',
    'git push-x',
    'xgit commit',
    'git log commit',
    'git x commit',
    'commit',
  ])('are not detected in %s', async (command) => {
    expect(await say(command)).toBe('(no output)');
  });
});

describe('temporary folders', () => {
  const note =
    'Note: /tmp and the home folder are new for each command. Keep what is still needed in the workspace.';

  test.for([
    ...[
      'echo x >/tmp/a',
      'echo x >  "/tmp/a"',
      "echo x >> '/tmp/a'",
      'x > ~/a',
      'x > $HOME/a',
      'x > "$HOME"',
    ],
    ...[
      'mv a /tmp/b',
      'cp a ~/b',
      'x | tee /tmp/a',
      'mkdir -p "$HOME/x"',
      'tar xf a -C /tmp/',
      'touch a /tmp/b',
    ],
  ])('are mentioned after %s', async (command) => {
    expect(await say(command)).toBe(note);
  });

  test.for([
    'cat /tmp/a',
    'cp a; ls /tmp/a',
    'cp a | x /tmp/a',
    'echo > tmp/a',
    'x > /tmpa',
    'x > $HOMES',
    'xcp a /tmp/b',
    'cp a\nls /tmp/b',
  ])('are not mentioned after %s', async (command) => {
    expect(await say(command)).toBe('(no output)');
  });

  test('are not mentioned after a failure or without a sandbox', async () => {
    result = { exitCode: 1 };
    expect(await say('echo x >/tmp/a')).toBe('[exit code 1]');
    result = {};
    Object.assign(tools.context.commands, { sandboxed: false });
    expect(await say('echo x >/tmp/a')).toBe('(no output)');
    Object.assign(tools.context.commands, { sandboxed: true });
  });
});

test('remaining processes are reported, with a tool to run them if there is one', async () => {
  const note = 'Note: processes that a command leaves running end with it.';
  result = { endedMore: true };
  expect(await say('ls')).toBe(`${note} run_in_background keeps it running.`);
  const { describeCall } = tools.context;
  Object.assign(tools.context, { describeCall: async () => null });
  expect([await say('ls'), await say('sleep 9', { run_in_background: true })]).toEqual([
    note,
    'unavailable: This run has no shell_session, so nothing could read the output of a command in the background, or end it. Call bash without run_in_background and with the timeout_ms that it needs; put a server and its client into one command.',
  ]);
  Object.assign(tools.context, { describeCall });
});

test('a command over the time limit is reported with a remedy', async () => {
  result = { timedOut: true, exitCode: null, signal: 'SIGKILL' };
  const late = async (timeout_ms: number, command = 'ls') =>
    (await say(command, { timeout_ms })).replace('timeout: The command was stopped after ', '');
  const network = ' There is no network here: what would have to be downloaded never comes.';
  expect([
    await late(999),
    await late(1_000),
    await late(1_799_999),
    await late(1_800_000),
    await late(1_000, 'npm ci'),
  ]).toEqual([
    '999 ms. timeout_ms counts milliseconds: give a larger one (at most 1800000), or run less. It had printed nothing.',
    '1000 ms. Give a larger timeout_ms (at most 1800000), or run less. It had printed nothing.',
    '1799999 ms. Give a larger timeout_ms (at most 1800000), or run less. It had printed nothing.',
    '1800000 ms. Run less, or in smaller parts. It had printed nothing.',
    `1000 ms.${network} Give a larger timeout_ms (at most 1800000), or run less. It had printed nothing.`,
  ]);
  printed = 'half\n';
  expect(await late(1_000)).toBe(
    '1000 ms. Give a larger timeout_ms (at most 1800000), or run less. Its output until then:\nhalf\n',
  );
});

test('the report has the exit state and the duration', async () => {
  printed = 'abc';
  result = { exitCode: 2 };
  expect(await tools.call('bash', { command: 'x' })).toEqual({
    content: 'abc\n[exit code 2]',
    data: { exit_code: 2, signal: null, duration_ms: 5, output_bytes: 3 },
  });
});

test('a patch given as a command gets the advice to use apply_patch', async () => {
  expect([await say(' \n*** Begin Patch\n*** End Patch'), await say('x *** Begin Patch')]).toEqual([
    'invalid_input: This is a patch, not a command. Call apply_patch with it.',
    '(no output)',
  ]);
});
