import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { taskReturn } from '../../../src/tools/children/task-return.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

test('a child returns its result, which is stored in its own files and ends the child', async () => {
  tools = await openTools({});
  const { context, say, finished } = tools;
  await say('workspace.write_file', { path: 'output/a.md', content: 'x' });
  const task: { result?: unknown } = {};
  const child = { ...context, state: { ...context.state, name: 'child_3', task: task as never } };
  const give = (input: JsonObject) => taskReturn.execute(taskReturn.input.parse(input), child, undefined);
  const artifact = { kind: 'markdown', role: 'draft' };
  const result = {
    ...{ summary: 'Done.', status: 'completed', confidence: 'high' },
    artifacts: [{ path: 'output/a.md', ...artifact }],
  };
  expect(
    await give({ summary: 'Done.', confidence: 'high', artifacts: [{ ...artifact, path: './output/a.md' }] }),
  ).toEqual({ content: 'Returned. It is kept in summaries/child_3/.', data: result });
  expect([task.result, finished]).toEqual([result, ['Done.']]);
  const read = (path: string) => say('workspace.read_file', { path: `summaries/child_3/${path}` });
  expect([await read('summary.md'), (await read('result.json')).replaceAll(/^\d+\t/gm, '')]).toEqual([
    '1\tDone.',
    JSON.stringify(result, null, 2),
  ]);
  expect(await give({ summary: 'Again.', status: 'failed' })).toEqual({
    content: 'Returned. It is kept in summaries/child_3/.',
    data: { summary: 'Again.', status: 'failed' },
  });
  for (const path of ['output/b.md', 'output'])
    await expect(give({ summary: 's', artifacts: [{ ...artifact, path }] })).rejects.toThrow(
      `${path} is no file of this run's own. Write it with workspace_write_file, or leave it out; name files of the repository in the summary.`,
    );
  expect(finished).toEqual(['Done.', 'Again.']);
});

test('a run that is no child cannot return a result', async () => {
  tools = await openTools({});
  expect(await tools.say('task.return', { summary: 's' })).toBe(
    'unavailable: No one delegated this run. Give your result as your answer.',
  );
});
