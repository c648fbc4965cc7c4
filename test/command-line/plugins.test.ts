import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { available, processesWith } from '../sandbox/runner-fixture.ts';
import { allTextOf, call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

const scripted = readFileSync(
  path.join(import.meta.dirname, '../extensions/plugin/scripted-plugin.mjs'),
  'utf8',
);

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

test.skipIf(!available)(
  'a run uses the plug-ins of its base, survives a plug-in that dies, and ends all',
  async () => {
    const mark = `mark-of-${process.pid}`;
    const tool = (name: string) => ({ name, description: `Does ${name}.` });
    const script = {
      ...{ mark, tools: ['writes', 'exit', 'changes'].map(tool), later: [tool('echo')] },
      last: ['late.txt', '.github/workflows/late.yml'],
      calls: { writes: 'writes', exit: 'exit', changes: 'changes', echo: 'echo' },
    };
    const folder = await local.checkout({
      '.github/anode.yml': JSON.stringify({
        plugins: {
          db: { command: ['node', 'ci/plugin.mjs', JSON.stringify(script)] },
          broken: { command: ['node', 'ci/missing.mjs'] },
        },
      }),
      'ci/plugin.mjs': scripted,
    });
    const turns = [
      [call('tool_search', { query: 'does writes' })],
      [call('use_tool', { name: 'plugin__db__writes', args: {} })],
      [call('plugin__db__exit', {})],
      [call('plugin__db__changes', {})],
      [call('plugin__db__echo', { a: 1 })],
    ];
    const results: string[] = [];
    local.learn('use the plug-in', (turn, request) => {
      if (turn > 1) results.push(lastResults(request));
      const calls = turns[turn - 1];
      return calls === undefined ? { text: 'Done.' } : { calls };
    });
    const { stdout, stderr } = await local.anode(folder, [
      ...['run', '--prompt', 'use the plug-in', '--preset', 'unrestricted', '--config', '.github/anode.yml'],
      ...['--sandbox', 'required', '--output', 'json'],
    ]);
    // A slow machine describes them only in the request after the search, which waits for them.
    const [, second] = local.requestsFor('use the plug-in');
    const report = JSON.parse(stdout);
    expect({
      told: second === undefined ? [] : allTextOf(second).match(/^plugin__.*$/gm),
      found: results[0]?.includes('plugin__db__writes'),
      said: results.slice(1).map((text) => text.split('\n')[0]),
      changed: report.changes.map(({ path: file }: { path: string }) => file),
      refused: report.refusals.map(({ what }: { what: string }) => what),
      problems: stderr.split('\n').filter((line) => line.includes('plug-in')),
      left: processesWith(mark),
    }).toEqual({
      told: [
        'plugin__db__writes: Does writes.',
        'plugin__db__exit: Does exit.',
        'plugin__db__changes: Does changes.',
      ],
      found: true,
      said: [
        'made',
        'plugin__db__exit: the plug-in db ended with exit code 3. The next call starts it again. The last it had printed to standard error:',
        'changed',
        '{"a":1}',
      ],
      // It writes when it is asked to end, too: that is seen, and judged as any change.
      changed: ['late.txt', 'made.txt'],
      refused: ['.github/workflows/late.yml'],
      problems: [
        '! The plug-in broken could not be loaded, so its tools are missing: it cannot be run: the trusted commit has no file ci/missing.mjs of up to 262144 bytes; commit it there.',
        '! The plug-in db ended with exit code 3 (it had printed: no database here).',
        '! The plug-in db had ended and was started again.',
      ],
      left: [],
    });
  },
);
