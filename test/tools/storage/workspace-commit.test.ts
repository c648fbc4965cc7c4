import { afterEach, expect, test } from 'vitest';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

async function open(options: Parameters<typeof openTools>[1] = {}): Promise<ToolHarness> {
  tools = await openTools({}, options);
  return tools;
}

test('a committed file becomes the message, a second one is appended, and the run ends with both', async () => {
  const { say, entries, finished } = await open();
  await say('workspace.write_file', { path: 'output/main.md', content: '# Result\n' });
  await say('workspace.write_file', { path: 'scratch/more.md', content: 'More.\n' });
  expect(await say('workspace_commit', {})).toBe(
    'output/main.md is now the message of this run (9 characters). It is posted when the run ends.',
  );
  expect(await say('workspace.commit', { path: 'scratch/more.md', mode: 'append', reason: 'details' })).toBe(
    'scratch/more.md is added to the message of this run (15 characters). It is posted when the run ends.',
  );
  expect(await say('workspace.finish', { reason: 'done' })).toBe('The run ends after this turn.');
  expect(finished).toEqual(['# Result\nMore.\n']);
  expect(entries).toEqual([
    { type: 'answer.committed', path: 'output/main.md', mode: 'replace', text: '# Result\n' },
    {
      type: 'answer.committed',
      path: 'scratch/more.md',
      mode: 'append',
      text: 'More.\n',
      reason: 'details',
    },
  ]);
});

test('a run with waiting people cannot end before a commit; a background run can', async () => {
  const { say, finished } = await open();
  expect(await say('workspace.finish', {})).toMatch(/^not_ready: A user waits for a message on the thread/);
  expect(finished).toEqual([]);
  await tools?.close();
  const background = await open({ foreground: false });
  await background.say('workspace.finish', { reason: 'nothing to do' });
  expect(background.finished).toEqual(['nothing to do']);
});

test('a background run ends with a reason, its text or its published message, but not with nothing', async () => {
  const end = async (words: string, input: { reason?: string }) => {
    const conversation = {
      ...{ size: () => ({ window: 1, used: 1, full: null, recent: 1, older: 0 }), left: () => [] },
      ...{ compact: () => undefined, msLeft: () => null, recentText: () => words },
    };
    const { say, finished } = await open({ foreground: false, conversation });
    const reply = await say('workspace.finish', input);
    await tools?.close();
    return finished.length === 0 ? reply : finished[0];
  };
  const nothing =
    'not_ready: This run has no answer yet: there is no text since the last results, and nothing was published. Give the answer as reason, or write it beside this call, then finish.';
  // null: the last words of the model.
  expect([
    await end('', {}),
    await end('', { reason: ' ' }),
    await end('', { reason: 'Fixed' }),
    await end('All three bugs are fixed.', {}),
    await end('All three bugs are fixed.', { reason: 'done' }),
  ]).toEqual([nothing, nothing, 'Fixed', null, null]);
});

test('an invalid message is refused with an error and not recorded', async () => {
  const { say, entries } = await open();
  await say('workspace.write_file', { path: 'output/blank.md', content: ' \n' });
  await say('workspace.write_file', { path: 'output/half.md', content: 'x'.repeat(30_001) });
  const output = [
    await say('workspace.commit', {}),
    await say('workspace.commit', { path: 'output/blank.md' }),
    await say('workspace.commit', { path: 'src/a.ts' }),
    await say('workspace.commit', { path: 'output' }),
    await say('workspace.commit', { path: 'output/half.md', mode: 'append' }),
    await say('workspace.commit', { path: 'output/half.md', mode: 'append' }),
  ];
  expect(output.map((text) => text.split(':')[0])).toEqual([
    'not_found',
    'invalid_input',
    'outside_workspace',
    'is_directory',
    'output/half.md is now the message of this run (30001 characters). It is posted when the run ends.',
    'too_large',
  ]);
  expect(entries.map(({ type }) => type)).toEqual(['answer.committed']);
});

test('a child run has no message and can neither commit nor finish', async () => {
  const { say, finished } = await open({ inChild: true });
  await say('workspace.write_file', { path: 'output/main.md', content: 'x' });
  expect([await say('workspace.commit', {}), await say('workspace.finish', {})]).toEqual([
    'unavailable: A child run posts no message: its parent does. Give your result back as your answer.',
    'unavailable: A child run ends with its result: give it back as your answer, without a call.',
  ]);
  expect(finished).toEqual([]);
});
