import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import { openPlugin } from '../../../src/extensions/plugin/open-plugin.ts';
import { createRedactor } from '../../../src/redaction/redact.ts';
import type { CommandRunner } from '../../../src/sandbox/command-runner.ts';
import { createCommandRunner } from '../../../src/sandbox/create-command-runner.ts';
import { type ExternalTools, loadExternalTools } from '../../../src/tools/registry/load-external-tools.ts';
import { read } from '../../../src/tools/search/read.ts';
import { processesWith } from '../../sandbox/runner-fixture.ts';
import { openTools, type ToolHarness } from '../../tools/tool-harness.ts';

const program = path.join(import.meta.dirname, 'scripted-plugin.mjs');
const secret = 'tok-4711-of-the-plugin';

let harness: ToolHarness;
let runner: CommandRunner;
const opened: ExternalTools[] = [];
beforeAll(async () => {
  harness = await openTools({ 'a.ts': 'one\n' });
  runner = await createCommandRunner({
    mode: 'off',
    workspace: { root: harness.root, agentGitDirectory: async () => null },
    spillFolder: harness.root,
    environment: process.env,
  });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});
afterAll(async () => {
  await runner.close();
  await harness.close();
});

const tool = (name: string, more: object = {}) => ({ name, description: `Does ${name}.`, ...more });

/** A plug-in that does what a script says, in a run; `said` is what the operator is told. */
async function open(script: object, change: { readOnly?: boolean; seconds?: number } = {}) {
  const reply: string[] = [];
  const { readOnly = false, seconds = 60 } = change;
  const hide = createRedactor([secret]);
  const source = openPlugin({
    name: 'db',
    readOnly,
    hide,
    timeoutSeconds: seconds,
    warn: (message) => reply.push(message),
    close: async () => undefined,
    place: async () => ({
      argv: [process.execPath, program, JSON.stringify(script)],
      ...{ folder: harness.root, workspaceRoot: harness.root, runner, readOnly, hide },
      variables: { DB_TOKEN: secret },
      timeoutMs: seconds * 1_000,
      gracePeriods: { answer: 300, end: 100, signal: 200 },
    }),
  });
  const tools = loadExternalTools([source], {
    builtin: async () => [read],
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    report: (problem) => reply.push(problem),
  });
  opened.push(tools);
  await tools.loaded;
  const names = () => tools.current().map(({ name }) => name);
  const call = async (name: string, args: Json = {}, signal = harness.context.signal) => {
    const found = tools.current().find((one) => one.name === `plugin__db__${name}`);
    if (found === undefined) return `no tool ${name} among ${names().join(', ')}`;
    try {
      const { content } = await found.execute(
        found.input.parse(args),
        { ...harness.context, signal },
        undefined,
      );
      return content;
    } catch (error) {
      return error instanceof Error ? error.message : error;
    }
  };
  return { stderr: reply, names, call, tools };
}

describe('a plug-in', () => {
  test('has tools with their own levels, limits and schemas, and returns results', async () => {
    const {
      tools,
      call,
      stderr: output,
    } = await open(
      {
        tools: [
          tool('Echo it', { args: { table: ['string', 'Which table'] }, permission: 'auto_read' }),
          tool('write', {
            inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
          }),
          tool('asks'),
        ],
        calls: { 'Echo it': 'echo', write: 'echo', asks: 'asks' },
      },
      { readOnly: true },
    );
    const [echo, write] = tools.current();
    expect([
      tools.current().map(({ name, level, readOnly, exposure }) => ({ name, level, readOnly, exposure })),
      echo?.schema,
      echo?.targets({ table: 'users' }),
      await call('echo_it', { table: 'users' }),
      write?.input.safeParse({ n: 'three' }).success,
      await call('asks'),
      output,
    ]).toEqual([
      [
        { name: 'plugin__db__echo_it', level: 'auto_read', readOnly: true, exposure: 'deferred' },
        { name: 'plugin__db__write', level: 'confirm_execute', readOnly: false, exposure: 'deferred' },
        { name: 'plugin__db__asks', level: 'confirm_execute', readOnly: false, exposure: 'deferred' },
      ],
      { type: 'object', properties: { table: { type: 'string', description: 'Which table' } } },
      { what: 'db Echo it {"table":"users"}' },
      '{"table":"users"}',
      false,
      [{ type: 'text', text: 'red' }],
      ['The plug-in db says: the index is old.'],
    ]);
  });

  test('reveals none of its variables, not even in part where a message is cut', async () => {
    const { call, stderr: printed } = await open({ tools: [tool('logs')], calls: { logs: 'logs' } });
    await call('logs', { message: `${'x'.repeat(490)}${secret}` });
    expect(printed.map((one) => one.replace(/x{20,}/, 'x…'))).toEqual(['The plug-in db says: x…[redacted].']);
  });

  test('is not trusted to only read unless the sandbox enforces it', async () => {
    const { tools } = await open({ tools: [tool('looks', { permission: 'auto_read' })], calls: {} });
    expect(tools.current().map(({ level, readOnly }) => ({ level, readOnly }))).toEqual([
      { level: 'confirm_execute', readOnly: false },
    ]);
  });

  test("has its changes in the checkout recorded as its tool's work, if it may change files", async () => {
    const script = { tools: [tool('writes')], calls: { writes: 'writes' } };
    const { call } = await open(script);
    await harness.context.workspace.baseline('');
    const before = harness.entries.length;
    await call('writes');
    expect(
      harness.entries
        .slice(before)
        .map((entry) => (entry.type === 'change' ? [entry.change.tool, entry.change.path] : entry)),
    ).toEqual([['plugin__db__writes', 'made.txt']]);
  });

  test('may print garbage, repeat or invent ids, and split characters', async () => {
    const { call, stderr: said } = await open({
      start: ['garbage'],
      tools: ['wrongId', 'twice', 'halfCharacter', 'fails'].map((name) => tool(name)),
      calls: { wrongId: 'wrongId', twice: 'twice', halfCharacter: 'halfCharacter', fails: 'fails' },
    });
    expect([
      await call('wrongid'),
      await call('twice'),
      await call('halfcharacter'),
      await call('fails'),
      said,
    ]).toEqual([
      'right',
      'first',
      '€ and a half: \ufffd',
      'plugin__db__fails: no such table: users',
      [
        'The plug-in db prints text that is no message: "starting up ..."; standard output is for messages only, standard error for other text.',
        'The plug-in db prints text that is no message: "{\\"half\\":"; standard output is for messages only, standard error for other text.',
        'The plug-in db prints text that is no message: "[]"; standard output is for messages only, standard error for other text.',
        'The plug-in db answers an unknown request, or one twice (id 999).',
        'The plug-in db answers an unknown request, or one twice (id null).',
        'The plug-in db answers an unknown request, or one twice (id 4).',
      ],
    ]);
  });

  test('has invalid tools left out with the reason, and the others accepted', async () => {
    const { names, stderr: said } = await open({
      tools: [
        tool('good'),
        tool('bad schema', { inputSchema: { type: 'objekt' } }),
        tool('deep', { inputSchema: { type: 'object', properties: { a: { type: 'strin' } } } }),
        { name: 'mute' },
        tool('good'),
        tool('Good'),
        'text',
        tool('read'),
        tool('../read'),
        tool('\u001b[2J'),
      ],
      calls: {},
    });
    expect([names(), said]).toEqual([
      ['plugin__db__good', 'plugin__db__read', 'plugin__db__2j'],
      [
        'The plug-in db has a tool "bad schema" that has a schema that is of type "objekt", and arguments are an object; it is left out.',
        'The plug-in db has a tool "deep" that has a schema that has the type "strin", which JSON Schema does not know; it is left out.',
        expect.stringMatching(/^The plug-in db has a tool "mute" that is declared wrongly at description: /),
        'The plug-in db has two tools plugin__db__good; the second is left out.',
        expect.stringMatching(/^The plug-in db has a tool 7 that is declared wrongly: /),
        'The plug-in db has two tools plugin__db__read; the second is left out.',
      ],
    ]);
  });

  test('may change its tools between two calls, announced or not', async () => {
    const later = { tools: [tool('one')], later: [tool('two')] };
    const reports = await open({ ...later, calls: { one: 'changes', two: 'echo' } });
    const forgets = await open({ ...later, calls: { one: 'forgets', two: 'echo' } });
    const replyText = [await reports.call('one'), await forgets.call('one')];
    await expect
      .poll(() => [reports.names(), forgets.names()])
      .toEqual([['plugin__db__two'], ['plugin__db__two']]);
    expect([...replyText, await reports.call('two', { a: 1 })]).toEqual([
      'changed',
      'plugin__db__one: the plug-in db there is no such tool any more. Find its current tools with tool_search.',
      '{"a":1}',
    ]);
  });
});

describe('a plug-in that fails', () => {
  test('during a call is restarted once, and then its tools fail with a message', async () => {
    const { call, stderr: said } = await open({
      tools: [tool('exit'), tool('count')],
      calls: { exit: 'exit', count: 'count' },
    });
    const ended = 'plugin__db__exit: the plug-in db ended with exit code 3.';
    const last = ' The last it had printed to standard error:\nno database here';
    const over =
      ' It is not started again in this run, so its tools cannot be called any more: do without them.';
    expect([
      await call('count'),
      await call('exit'),
      await call('count'),
      await call('exit'),
      await call('count'),
      said,
    ]).toEqual([
      'call 1 of process',
      `${ended} The next call starts it again.${last}`,
      'call 1 of process',
      `${ended}${over}${last}`,
      `plugin__db__count: the plug-in db ended with exit code 3.${over}${last}`,
      [
        'The plug-in db ended with exit code 3 (it had printed: no database here).',
        'The plug-in db had ended and was started again.',
      ],
    ]);
  });

  test('with a result of 50 MB, deep nesting, or a hidden id does not fail the run', async () => {
    const { call } = await open({
      tools: [tool('huge'), tool('deep'), tool('unnamed'), tool('count')],
      calls: { huge: 'huge', deep: 'deep', unnamed: 'hugeUnnamed', count: 'count' },
    });
    expect([
      await call('huge'),
      await call('deep'),
      await call('count'),
      await call('unnamed'),
      await call('count'),
    ]).toEqual([
      'plugin__db__huge: the plug-in db sent a message of more than 8388608 bytes. Ask it for less, or for something else.',
      'plugin__db__deep: the plug-in db sent a message that is nested more than 100 deep. Ask it for less, or for something else.',
      'call 3 of process',
      'plugin__db__unnamed: the plug-in db sent a message of more than 8388608 bytes, so it was ended. The next call starts it again.',
      'call 1 of process',
    ]);
  });

  test('with a flood is ended, during a call and at its start', async () => {
    const { call } = await open({
      tools: [tool('flood'), tool('count')],
      calls: { flood: 'flood', count: 'count' },
    });
    const atStart = await open({ start: ['flood'], tools: [], calls: {} });
    expect([await call('flood'), await call('count'), atStart.stderr.at(-1)]).toEqual([
      'plugin__db__flood: the plug-in db sent more than 20000 messages without an answer, so it was ended. The next call starts it again.',
      'call 1 of process',
      'The plug-in db could not be loaded, so its tools are missing: it sent more than 20000 messages without an answer, so it was ended.',
    ]);
  });

  test('to answer in time is asked to stop, and restarted only if it answers nothing else', async () => {
    const { call, stderr: said } = await open({
      tools: [
        tool('progress', { timeout_seconds: 2 }),
        tool('hang', { timeout_seconds: 0.1 }),
        tool('count', { timeout_seconds: 60 }),
      ],
      calls: { progress: 'progress', hang: 'hang', count: 'count' },
    });
    const advice = ' It was told to leave off. Ask for less at a time, or do it otherwise.';
    expect([
      await call('progress'),
      await call('count'),
      await call('hang'),
      await call('count'),
      said,
    ]).toEqual([
      `plugin__db__progress: the plug-in db did not answer within 2 s (the last it said of its progress: half of it).${advice}`,
      'call 2 of process',
      `plugin__db__hang: the plug-in db did not answer within 0.1 s.${advice}`,
      'call 1 of process',
      ['The plug-in db had ended and was started again.'],
    ]);
  });

  test('to start, or to list its tools, is reported with the reason', async () => {
    const said = await Promise.all(
      [
        { start: ['exit'] },
        { initialize: 'silence', seconds: 0.5 },
        { initialize: { error: { code: 1, message: `no such token ${secret}` } } },
        { list: { result: ['a'] } },
      ].map(async ({ seconds = 60, ...script }) => {
        const { stderr } = await open({ tools: [], calls: {}, ...script }, { seconds });
        return stderr;
      }),
    );
    const missing = 'The plug-in db could not be loaded, so its tools are missing: it';
    expect(said).toEqual([
      [`${missing} ended with exit code 3 (it had printed: no database here).`],
      [`${missing} did not answer within 0.5 s.`],
      [`${missing} no such token [redacted].`],
      ['The plug-in db lists no tools: {tools: [...]} was to be its answer.'],
    ]);
  });

  test('to end gets a message, then a signal, and is then killed; a call is notified of an abort', async () => {
    const mark = `mark-${process.pid}`;
    const { call, tools } = await open({ mark, deaf: true, tools: [tool('slow')], calls: { slow: 'slow' } });
    const abort = new AbortController();
    const called = call('slow', {}, abort.signal);
    abort.abort(new Error('the run was cancelled'));
    expect([await called, processesWith(mark).length]).toEqual(['the run was cancelled', 1]);
    await tools.close();
    expect(processesWith(mark)).toEqual([]);
  });
});
