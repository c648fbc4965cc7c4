import { afterEach, expect, test } from 'vitest';
import { type Family, runRunTree } from './run-tree-fixture.ts';

let family: Family | undefined;
afterEach(() => family?.tools.close());

test('a run that only announced an action does not end without an answer', async () => {
  family = await runRunTree({
    main: [
      { text: 'Let me look first.', calls: [['todo_read', {}]] },
      { calls: [['workspace_finish', {}]] },
      { text: 'Both tests pass.', calls: [['workspace_finish', { reason: 'done' }]] },
    ],
  });
  expect([family.result.conclusion, family.result.answer, family.result.turns]).toEqual([
    'success',
    'Both tests pass.',
    3,
  ]);
});

test('a resumed run has its earlier committed message and may end with it', async () => {
  family = await runRunTree(
    { main: [{ calls: [['workspace_finish', {}]] }] },
    { before: { committed: { path: 'output/main.md', text: 'So far' } }, foreground: true },
  );
  expect([family.result.conclusion, family.result.answer, family.result.turns]).toEqual([
    'success',
    'So far',
    1,
  ]);
  expect(family.entries.filter(({ type }) => type === 'answer.committed')).toEqual([
    { type: 'answer.committed', mode: 'replace', path: 'output/main.md', text: 'So far' },
  ]);
});
