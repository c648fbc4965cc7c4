import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import { createCommandRunner } from '../../../src/sandbox/create-command-runner.ts';
import { createSessions } from '../../../src/tools/shell/sessions/sessions.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';
import { processesWith, sleepers } from '../../sandbox/runner-fixture.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness;
beforeEach(async () => {
  tools = await openTools({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' }, { git: true });
});
afterEach(() => tools.close());

/** The result of a step of a session; an error counts as its kind and message. */
const step = (action: string, input: { readonly [key: string]: Json } = {}) =>
  tools.say('shell_session', { action, ...input });

/** Python's prompts only: its banner names the version. */
const python = { command: 'python3 -q -i', yield_ms: 20_000 };
const to1 = { session_id: 'session_1', yield_ms: 20_000 };

describe('a session', () => {
  test('keeps a REPL running and displays its output, not the input', async () => {
    expect(await tools.call('shell_session', { action: 'open', ...python })).toEqual({
      content: '>>> \n[session_1 is running]',
      data: {
        session_id: 'session_1',
        status: 'running',
        exit_code: null,
        signal: null,
        terminal: true,
        output_bytes: 4,
        output_file: `${tools.context.spillFolder}/session_1.txt`,
      },
    });
    expect(await step('write', { ...to1, input: 'x = 20 + 1' })).toBe('>>> \n[session_1 is running]');
    expect(await step('write', { ...to1, input: 'x * 2' })).toBe('42\n>>> \n[session_1 is running]');
    expect(await step('write', { ...to1, input: 'for i in range(2):\n  print(i)\n' })).toBe(
      '... ... 0\n1\n>>> \n[session_1 is running]',
    );
    expect(await step('write', { ...to1, input: 'exit(3)' })).toBe('[session_1 has ended: exit code 3]');
    expect(await step('write', { ...to1, input: '1' })).toBe(
      'unavailable: session_1 has ended: exit code 3: nobody reads input any more. poll shows its last output.',
    );
    expect(readFileSync(`${tools.context.spillFolder}/session_1.txt`, 'utf8')).toBe(
      '>>> >>> 42\r\n>>> ... ... 0\r\n1\r\n>>> ',
    );
  });

  test('gives its programs a terminal of 120 columns and 40 lines', async () => {
    const command =
      'test -t 0 && test -t 1 && test -t 2 && stty size; echo $TERM; read -s -p "Password: " x; echo; echo "got $x"';
    expect(await step('open', { command, yield_ms: 20_000 })).toBe(
      '40 120\ndumb\nPassword: \n[session_1 is running]\n[Its input is evaluated as shell commands. Open a REPL such as python3 -i as a session of its own.]',
    );
    expect(await step('write', { ...to1, input: 'secret' })).toBe(
      '\ngot secret\n[session_1 has ended: exit code 0]',
    );
  });

  test('accepts Ctrl-C and Ctrl-D', async () => {
    await step('open', {
      command: `trap 'printf "interrupted? "' INT; printf "ready? "; read line; cat; echo end`,
      yield_ms: 20_000,
    });
    const key = (input: string) => step('write', { ...to1, input, enter: false });
    expect(await key('\u0003')).toBe('interrupted? \n[session_1 is running]');
    expect(await step('write', { ...to1, input: 'ab', yield_ms: 1 })).toBe('[session_1 is running]');
    expect(await key('\u0004')).toBe('end\n[session_1 has ended: exit code 0]');
  });

  test('sends a line in parts, with one newline at its end', async () => {
    await step('open', {
      command: 'printf "? "; while read -r line; do printf "<$line>"; [ "$line" = c ] || printf "? "; done',
      yield_ms: 20_000,
    });
    expect(await step('write', { session_id: 1, input: 'a ', enter: false, yield_ms: 0 })).toBe(
      '[session_1 is running]',
    );
    expect(await step('write', { ...to1, input: 'b\n' })).toBe('<a b>? \n[session_1 is running]');
    expect(await step('write', { ...to1, input: 'c\nd' })).toBe('<c><d>? \n[session_1 is running]');
  });

  test('runs in the given folder, which must be inside the workspace', async () => {
    expect(await step('open', { command: ['cat', 'b.txt'], workdir: 'sub', yield_ms: 20_000 })).toBe(
      'two\n[session_1 has ended: exit code 0]',
    );
    expect(await step('open', { command: 'pwd', cwd: '..' })).toMatch(/^outside_workspace: /);
    expect(await step('open', { command: 'pwd', cwd: 'a.txt' })).toMatch(
      /^invalid_input: cwd: a.txt is a file/,
    );
  });

  test('waits no longer than requested, and poll returns later output', async () => {
    const command = 'until [ -e go ]; do sleep 0.02; done; echo said; exec sleep 60';
    expect(await step('open', { command, yield_ms: 0 })).toMatch(/^\[session_1 is running\]/);
    const session = tools.context.sessions.find('session_1');
    tools.write('go', '');
    await expect.poll(() => session.output.bytes).toBe(6);
    expect(await step('list')).toBe(`session_1 is running, 6 bytes not read yet: ${command}`);
    expect(await step('poll', { ...to1, yield_ms: 1_000 })).toBe('said\n[session_1 is running]');
    expect(await step('poll', { session_id: 'session_1', yield_ms: 1 })).toBe('[session_1 is running]');
  });

  test('leaves no process after a kill', async () => {
    const time = `${500 + Math.random()}${process.pid}`;
    const command = `(setsid sleep ${time} &); nohup sleep ${time} & env -i setsid sleep ${time} & trap '' TERM; printf "up? "; sleep ${time}`;
    await step('open', { command, yield_ms: 20_000 });
    await expect.poll(() => sleepers(time).length).toBeGreaterThanOrEqual(4);
    expect(await step('kill', to1)).toMatch(/\[session_1 has ended: exit code 137 \(SIGKILL\)\]$/);
    expect(processesWith(time)).toEqual([]);
    expect(await step('list')).toMatch(
      /^session_1 has ended: exit code 137 \(SIGKILL\), 0 bytes not read yet: /,
    );
  });

  test("records its program's changes in the change ledger", async () => {
    await tools.context.workspace.baseline();
    await step('open', {
      command:
        'echo new > c.txt; read -r x; rm a.txt; git add -A; git -c user.name=x -c user.email=x commit -qm x; exit',
      yield_ms: 1,
    });
    await expect.poll(() => tools.tree()['c.txt']).toBe('new\n');
    await step('write', { ...to1, input: '' });
    const changes = tools.entries.flatMap((entry) =>
      entry.type === 'change' ? [[entry.change.path, entry.change.kind, entry.change.tool]] : [],
    );
    expect(changes.sort()).toEqual([
      ['a.txt', 'delete', 'shell_session'],
      ['c.txt', 'add', 'shell_session'],
    ]);
  });

  test('ends at an abort, with its reason', async () => {
    const controller = new AbortController();
    const aborted = await openTools({}, { signal: controller.signal });
    const reason = new Error('enough');
    const opening = aborted.call('shell_session', { action: 'open', command: 'sleep 60', yield_ms: 30_000 });
    controller.abort(reason);
    await expect(opening).rejects.toBe(reason);
    expect(await aborted.context.sessions.close()).toBe('call_1');
    await aborted.close();
  });

  test.each([
    [
      { action: 'poll', session_id: 'session_7' },
      'not_found: There is no session session_7, nor any other. Open one with {"action": "open", "command": …}.',
    ],
    [{ action: 'poll' }, 'invalid_input: session_id: needed to poll.'],
    [{ action: 'open' }, 'invalid_input: command: needed to open.'],
    [{ action: 'list' }, 'No session was opened.'],
  ])('%j is answered with a message', async (input, words) => {
    expect(await tools.say('shell_session', input)).toBe(words);
  });

  test('is refused if eight are running', async () => {
    const open = () => step('open', { command: 'cat', yield_ms: 0 });
    await Promise.all(Array.from({ length: 8 }, open));
    expect(await open()).toMatch(/^unavailable: 8 sessions are running, and no more can be: session_1, /);
    await step('kill', to1);
    expect(await open()).toMatch(/^\[session_9 is running\]/);
  });
});

test('without a terminal, a session runs on pipes and says so', async () => {
  const bin = `${tools.context.spillFolder}/bin`;
  mkdirSync(bin);
  for (const name of ['bash', 'cat']) {
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), `${bin}/${name}`);
  }
  const commands = await createCommandRunner({
    mode: 'off',
    workspace: tools.context.workspace,
    spillFolder: tools.context.spillFolder,
    environment: { PATH: bin },
  });
  const { root, spillFolder, signal } = { ...tools.context, root: tools.root };
  const session = await createSessions({ root, commands, spillFolder }).open({
    command: 'test -t 0 || printf "no terminal? " >&2; cat',
    folder: '',
    callId: 'call_1',
    signal,
  });
  await session.waitForOutput(20_000, signal);
  const first = session.take();
  const since = session.output.total;
  session.write({ text: 'said: ', enter: false });
  await session.waitForOutput(20_000, signal, since);
  expect([session.terminal, first, session.take()]).toEqual([false, 'no terminal? ', 'said: ']);
  await commands.close();
});

describe('a command in the background', () => {
  test('is a session that continues', async () => {
    const output = await tools.say('bash', {
      command: 'echo "ready?"; read -r x; echo "$x"',
      run_in_background: 'true',
    });
    expect(output).toBe(
      'ready?\n[session_1 is running]\n[See its output with shell_session {"action":"poll","session_id":"session_1"}; end it with the action kill. It ends with this run.]',
    );
    expect(await step('write', { ...to1, input: 'done' })).toBe('done\n[session_1 has ended: exit code 0]');
  });

  test('is found by use_tool if its reading tool is deferred', async () => {
    const describeCall: ToolContext['describeCall'] = async (name, args) =>
      `use_tool ${JSON.stringify({ name, args })}`;
    Object.assign(tools.context, { describeCall });
    expect(await tools.say('bash', { command: 'read -r x', run_in_background: true })).toContain(
      'See its output with use_tool {"name":"shell_session","args":{"action":"poll","session_id":"session_1"}};',
    );
  });

  test('is refused, and not suggested, in a run that could not read or end it', async () => {
    Object.assign(tools.context, { describeCall: async () => null });
    expect([
      await tools.say('bash', { command: 'echo x > made.txt', run_in_background: true }),
      await tools.say('bash', { command: 'sleep 60 &' }),
      Object.keys(tools.tree()),
    ]).toEqual([
      'unavailable: This run has no shell_session, so nothing could read the output of a command in the background, or end it. Call bash without run_in_background and with the timeout_ms that it needs; put a server and its client into one command.',
      'Note: processes that a command leaves running end with it.',
      expect.not.arrayContaining(['made.txt']),
    ]);
  });

  test('reports that it has its own network in the sandbox', async () => {
    Object.assign(tools.context.commands, { sandboxed: true });
    const network =
      /Each command has its own network: only programs of the same command reach a server in it\.\]$/;
    expect(await tools.say('bash', { command: 'read -r x', run_in_background: true })).toMatch(network);
    expect(await step('open', { command: 'sh' })).toContain('[It has its own network: only programs');
  });

  test('is not waited for if requested', async () => {
    const command = 'read -r x & wait; cat a.txt; printf "on? "; read -r y; echo "$y" &';
    expect(await tools.say('bash', { command, run_in_background: true })).toMatch(
      /^one\non\? \n\[session_1 is running\]/,
    );
    expect(await step('write', { ...to1, input: 'yes' })).toBe('yes\n[session_1 has ended: exit code 0]');
  });

  test('is reported if it fails immediately', async () => {
    expect(await tools.say('bash', { command: 'echo no; exit 4', run_in_background: true })).toBe(
      'no\n[session_1 has ended: exit code 4]',
    );
  });
});

describe('the script that the gate evaluates', () => {
  const evaluated = async (input: string, more: { readonly [key: string]: Json } = {}) =>
    (await tools.prepare('shell_session', { action: 'write', session_id: 'session_1', input, ...more }))
      .targets;

  test('for a shell is all its input and its start command', async () => {
    await step('open', { command: 'bash --norc', cwd: 'sub', yield_ms: 0 });
    await step('write', { ...to1, input: 'cd ..', yield_ms: 0 });
    await step('write', { ...to1, input: 'rm -rf', enter: false, yield_ms: 0 });
    expect(await evaluated(' /')).toEqual({
      what: 'session_1 (bash --norc) ←  /',
      commands: ['cd sub\nbash --norc\ncd ..\nrm -rf /\n'],
    });
    expect(await evaluated('\u0003', { enter: false })).toEqual({
      what: 'session_1 (bash --norc) ← Ctrl-C',
      commands: ['cd sub\nbash --norc\ncd ..\nrm -rf'],
    });
    await step('write', { ...to1, input: '\u0003', yield_ms: 0 });
    // A program can have Ctrl-C do nothing, and the line goes on.
    expect((await evaluated('ls')).commands).toEqual(['cd sub\nbash --norc\ncd ..\nls\n', 'rm -rfls']);
    await step('write', { ...to1, input: 'ls', yield_ms: 0 });
    expect((await evaluated('ls')).commands).toEqual(['cd sub\nbash --norc\ncd ..\nls\nls\n']);
  });

  test('for a shell also includes each line alone if one cannot be parsed with the rest', async () => {
    await step('open', { command: 'bash --norc', yield_ms: 0 });
    const input = "read x\necho '\nrm -f a.txt\n'\n";
    expect((await evaluated(input)).commands).toEqual([
      `bash --norc\n${input}\n`,
      'read x',
      "echo '",
      'rm -f a.txt',
      "'",
    ]);
  });

  test('for a known interpreter is its command, whatever the input', async () => {
    await step('open', { ...python, cwd: 'sub' });
    expect(await evaluated('it\'s no "shell\t')).toEqual({
      what: 'session_1 (python3 -q -i) ← it\'s no "shell\t',
      commands: ['python3 -q -i'],
    });
  });

  test.each([
    ['an earlier command', '!!', /^invalid_input: input: a shell gets no `!`/],
    ['a change of an earlier command', '^ls^rm -rf^', /^invalid_input: input: a shell gets no `!`/],
    ['a completion', 'rm \t', /^invalid_input: input: a shell gets no control characters/],
    [
      'a key that moves the cursor',
      'ls \u0001rm ',
      /^invalid_input: input: a shell gets no control characters/,
    ],
    ['an arrow key', '\u001b[A', /^invalid_input: input: a shell gets no control characters/],
    ["a here-document's first line", "cat <<'EOF'", /^invalid_input: input: a shell gets no here-document/],
    ['a line that goes on', 'echo \\', /^invalid_input: input: a shell gets no here-document/],
    ['a long line', 'x'.repeat(4_001), /^invalid_input: input: a line on a terminal has at most 4000 bytes/],
    ['much text', 'x\n'.repeat(9_000), /^invalid_input: input: at most 16384 bytes at once/],
  ])('is refused as input to a shell: %s', async (_, input, words) => {
    await step('open', { command: 'bash', yield_ms: 0 });
    expect(await step('write', { session_id: 'session_1', input })).toMatch(words);
  });

  test('for opening a session is its command, as for bash', async () => {
    const { targets } = await tools.prepare('shell_session', {
      action: 'open',
      command: 'npm start',
      cwd: 'sub',
    });
    expect(targets).toEqual({
      what: 'npm start',
      commands: ['npm start'],
      paths: [{ path: 'sub', access: 'read' }],
    });
  });
});
