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

test('set_labels accepts labels of the repository in any case, and similar threads that were found', async () => {
  expect(await tools.say('set_labels', { labels: 'bug', duplicate_of: ['#9'] })).toBe(
    'Recorded. It is done when the run ends.',
  );
  expect(tools.entries).toEqual([{ type: 'triage', triage: { labels: ['Bug'], duplicates: [9] } }]);
});

test('set_labels names all unknown labels at once and stores the rest', async () => {
  const before = tools.entries.length;
  expect([
    await tools.say('set_labels', { labels: ['bug', 'urgent'], duplicate_of: [5, '4'] }),
    await tools.say('set_labels', { duplicate_of: [5] }),
  ]).toEqual([
    'invalid_input: Not labels of this repository: urgent. There are: Bug, good first issue. Not among the threads that were found alike: 5. There are: 4, 9. Recorded of it: Bug, #4. State all of it again, corrected.',
    'invalid_input: Not among the threads that were found alike: 5. There are: 4, 9. State all of it again, corrected.',
  ]);
  expect(tools.entries.slice(before)).toEqual([
    { type: 'triage', triage: { labels: ['Bug'], duplicates: [4] } },
  ]);
});

test('describe_pull_request records title and body', async () => {
  await tools.say('describe_pull_request', { body: 'What changes.' });
  expect(tools.entries.at(-1)).toEqual({ type: 'description', description: { body: 'What changes.' } });
  const titled = { title: 'Stream proxies', body: 'What changes.' };
  expect(await tools.say('describe_pull_request', titled)).toContain('the title only if the configuration');
  expect(tools.entries.at(-1)).toEqual({ type: 'description', description: titled });
});

test('set_labels is not available outside triage', async () => {
  const other = await openTools({});
  expect(await other.say('set_labels', { labels: ['bug'] })).toMatch(/^unavailable: /);
  await other.close();
});
