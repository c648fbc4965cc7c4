import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTools, type ToolHarness } from './tool-harness.ts';

let tools: ToolHarness;
beforeAll(async () => {
  tools = await openTools(
    { 'a.txt': 'a\n' },
    { choices: { labels: ['Bug', 'good first issue'], candidates: [4, 9] } },
  );
});
afterAll(() => tools.close());

test('set_labels takes labels that the repository has, whatever their case, and threads that were found alike', async () => {
  expect(await tools.say('set_labels', { labels: 'bug', duplicate_of: ['9'] })).toBe(
    'Recorded. It is done when the run ends.',
  );
  expect(tools.entries).toEqual([{ type: 'triage', triage: { labels: ['Bug'], duplicates: [9] } }]);
  expect([
    await tools.say('set_labels', { labels: ['bug', 'urgent'] }),
    await tools.say('set_labels', { duplicate_of: [5] }),
  ]).toEqual([
    'invalid_input: Not labels of this repository: urgent. There are: Bug, good first issue.',
    'invalid_input: Not among the threads that were found alike: 5. Name only those.',
  ]);
  expect(tools.entries).toHaveLength(1);
});

test('describe_pull_request records title and body', async () => {
  await tools.say('describe_pull_request', { body: 'What changes.' });
  expect(tools.entries.at(-1)).toEqual({ type: 'description', description: { body: 'What changes.' } });
});

test('set_labels has nothing to choose from in a run that is no triage', async () => {
  const other = await openTools({});
  expect(await other.say('set_labels', { labels: ['bug'] })).toMatch(/^unavailable: /);
  await other.close();
});
