import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTools, type ToolHarness } from './tool-harness.ts';

let tools: ToolHarness;
beforeEach(async () => {
  tools = await openTools({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' }, { git: true });
});
afterEach(() => tools.close());

test('bash gives output and errors in the order they came', async () => {
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
  [{ command: 'kill -TERM $$' }, '[ended by SIGTERM]'],
  [{ command: 'cat b.txt', cwd: 'sub' }, 'two'],
  [{ command: ['bash', '-lc', 'cat a.txt | tr o 0'] }, '0ne'],
  [{ command: ['printf', '%s|', "it's", 'a b'] }, "it's|a b|"],
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

test('shell_command is bash with its own names of arguments', async () => {
  expect(
    await tools.say('shell_command', { command: ['bash', '-lc', 'pwd'], workdir: 'sub', timeout: 9000 }),
  ).toBe(`${tools.root}/sub`);
});

test('bash does not run outside the workspace', async () => {
  await expect(tools.call('bash', { command: 'pwd', cwd: '..' })).rejects.toMatchObject({
    kind: 'outside_workspace',
  });
});

test('a command that takes too long is stopped and its output kept', async () => {
  expect(await tools.say('bash', { command: 'echo started; sleep 60', timeout_ms: 300 })).toBe(
    'timeout: The command was stopped after 300 ms. Give a larger timeout_ms, or run less. Its output until then:\nstarted\n',
  );
});

test('what a command changed is in the change ledger', async () => {
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

test('output beyond 1 MiB lies whole in a file, its beginning and end in the answer', async () => {
  const output = await tools.call('bash', { command: 'seq 1 300000' });
  const text = String(output.content);
  const spill = output.spill ?? '';
  const whole = readFileSync(spill, 'utf8');
  expect(whole.split('\n').length - 1).toBe(300_000);
  const gap = /\n\[… (\d+) bytes left out; the whole output is in (.*) …]\n/.exec(text);
  expect([gap?.[2], text.startsWith('1\n2\n'), text.endsWith('\n300000')]).toEqual([spill, true, true]);
  expect(text.length - (gap?.[0].length ?? 0) + Number(gap?.[1]) + 1).toBe(whole.length);
  expect(await tools.say('read', { path: spill, start_line: 150_000, end_line: 150_000 })).toMatch(
    /^150000\t150000\n/,
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
