import { expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { montyPythonRepl } from '../../../src/extensions/python/monty-python-repl.ts';
import type { PythonSessions } from '../../../src/extensions/python/python-session.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';

/** Gives the result of a call with this output, value or error, and what the interpreter was asked. */
async function call(result: object, input: object = { code: '1' }, name?: string) {
  const asked: unknown[] = [];
  const sessions = {
    run: async (...args: unknown[]) => {
      asked.push(args.slice(0, 3));
      return { printed: '', value: null, error: null, ...result };
    },
  } as unknown as PythonSessions;
  const tool = montyPythonRepl(sessions);
  const context = { state: { name }, signal: new AbortController().signal } as unknown as ToolContext;
  const said = await tool.execute(tool.input.parse(input), context, undefined).catch((error: ToolError) => {
    if (error instanceof ToolError) return `${error.kind}: ${error.message}`;
    throw error;
  });
  return { asked, said };
}

test('a call returns the printed text and the last value', async () => {
  expect([
    await call({ printed: 'a\n\n', value: '2' }),
    await call({ printed: '', value: '\u001b[1m2' }, { code: 'x', reset: true }, 'child'),
    await call({ printed: 'a\n' }),
    await call({}),
  ]).toEqual([
    { asked: [['1', 'main', false]], said: { content: 'a\n\n2', data: { printed: 'a\n', value: '2' } } },
    { asked: [['x', 'child', true]], said: { content: '2', data: { printed: '', value: '2' } } },
    { asked: [['1', 'main', false]], said: { content: 'a', data: { printed: 'a', value: null } } },
    { asked: [['1', 'main', false]], said: { content: '(no output)', data: { printed: '', value: null } } },
  ]);
});

test('a failure includes the text printed before it', async () => {
  expect([(await call({ error: 'bad' })).said, (await call({ printed: 'a\n', error: 'bad' })).said]).toEqual([
    'failed: bad',
    'failed: bad\nWhat it had printed:\na',
  ]);
});

test('the tool describes itself and its code argument', () => {
  const tool = montyPythonRepl({} as PythonSessions);
  const what = (code: string) => tool.targets(tool.input.parse({ code }));
  expect([
    { level: tool.level, reads: tool.readOnly, exposure: tool.exposure, other: tool.argumentAliases },
    tool.description,
    ['', 'a'.repeat(100_000), 'a'.repeat(100_001)].map((code) => tool.input.safeParse({ code }).success),
    what('a'.repeat(200)),
    what('a'.repeat(201)),
  ]).toEqual([
    {
      ...{ level: 'auto_read', reads: true, exposure: 'deferred' },
      other: { command: 'code', script: 'code', source: 'code' },
    },
    expect.stringMatching(/the last expression is shown, \d+ s and \d+ MiB a call\.$/),
    [false, true, false],
    { what: 'a'.repeat(200) },
    { what: `${'a'.repeat(199)}…` },
  ]);
});
