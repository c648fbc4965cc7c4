import { cp } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { EntryContext } from '../src/pipeline/context/broker-context.ts';
import { handleEvent } from '../src/pipeline/worker.ts';
import { createFileStateStore } from '../src/state/file-state-store.ts';
import {
  attempt,
  entryContext,
  folder,
  github,
  model,
  newestComment,
  startWorkerEdges,
} from './support/worker-fixture.ts';
import { allTextOf, call } from './uses/support/conversation.ts';

const todos = [
  { content: 'Draft', status: 'completed' },
  { content: 'Paint', status: 'pending' },
];

startWorkerEdges(({ messages }) => {
  const turn = messages.filter(({ role }) => role === 'assistant').length + 1;
  if (turn === 1)
    return {
      calls: [
        call('todo_write', { todos }),
        call('create_file', { path: 'draft.txt', content: 'half\n' }),
        call('use_tool', {
          name: 'workspace.write_file',
          args: { path: 'scratch/note.txt', content: 'mine' },
        }),
      ],
    };
  if (turn === 2) return { calls: [call('ask_user', { question: 'Which colour?' })] };
  if (turn === 3)
    return { calls: [call('use_tool', { name: 'workspace.read_file', args: { path: 'scratch/note.txt' } })] };
  return { calls: [call('create_file', { path: `more-${turn}.txt`, content: 'more\n' })] };
});

/** A machine of its own: nothing but the state that is carried to it is known there. */
const machine = (name: string): EntryContext => {
  const at = (part: string) => path.join(folder, name, part);
  return entryContext({
    canAsk: true,
    state: createFileStateStore({ folder: at('state'), secret: 'secret', onRejected: () => {} }),
    runsFolder: at('runs'),
    checkoutsFolder: at('checkouts'),
    mirrorsFolder: at('mirrors'),
    setupFolder: at('set-up'),
  });
};

test('a run resumes on another machine with its files, list, cost and turns', async () => {
  const shop = await github.createRepository('acme/carried', {
    files: { 'a.txt': 'a\n', '.github/anode.yml': 'limits: { maxTurns: 5 }\n' },
  });
  shop.setPermission('ada', 'write');
  await shop.openIssue({ title: 'Paint', author: 'ada' });
  shop.comment(1, { author: 'ada', body: '@anode paint' });
  const asked = await handleEvent(newestComment('one'), attempt(1), machine('here'));
  await cp(path.join(folder, 'here/state'), path.join(folder, 'there/state'), { recursive: true });
  shop.comment(1, { author: 'ada', body: '/anode answer blue' });
  const gone = await handleEvent(newestComment('two'), attempt(1), machine('there'));
  if (asked.kind !== 'run' || gone.kind !== 'run') throw new Error('no run');
  expect([
    asked.outcome.conclusion,
    asked.outcome.turns,
    gone.outcome.conclusion,
    gone.outcome.turns,
  ]).toEqual(['waiting', 2, 'limit', 5]);
  expect(gone.outcome.todos).toMatchObject(todos);
  expect(gone.outcome.changes.files.map(({ path: name }) => name)).toEqual([
    'draft.txt',
    'more-4.txt',
    'more-5.txt',
  ]);
  expect(gone.outcome.usage.output).toBeGreaterThan(asked.outcome.usage.output);
  const seen = model.requests.slice(-1).map(allTextOf).join('\n');
  expect(seen).toContain('The user answered: blue');
  expect(seen).toMatch(/\bmine\b/);
  expect(gone.outcome.session_id).toBe(asked.outcome.session_id);
});
