import { expect, it } from 'vitest';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { chatSnapshot } from '../../../src/webhooks/plan/chat-snapshot.ts';
import type { ThreadEntry } from '../../../src/webhooks/plan/thread-context.ts';

const at = '2026-01-02T03:00:00Z';
const trigger: Trigger = {
  kind: 'task',
  automated: false,
  event: 'issue_comment.created',
  repository: { owner: 'acme', name: 'shop' },
  thread: { kind: 'issue', number: 7 },
  actor: { login: 'ada', id: 1, type: 'User' },
  text: 'fix itHIDDEN',
  note: null,
  comment: { id: 99, kind: 'issue_comment' },
  location: null,
  at,
  head_sha: null,
  installation_id: null,
};
function entry(body: string, minute: number, more: Partial<ThreadEntry> = {}): ThreadEntry {
  const time = `2026-01-02T02:${String(minute).padStart(2, '0')}:00Z`;
  return {
    ...{ kind: 'comment', id: minute, author: 'rex', body, location: null },
    ...{ created_at: time, updated_at: time },
    ...more,
  };
}
const thread = (entries: readonly ThreadEntry[]) => ({ title: 'T', author: 'ada', body: 'B', entries });
const options = {
  ownLogins: ['other[bot]', 'anode-ci[bot]'],
  sanitise: (text: string) => text.replaceAll('HIDDEN', ''),
};

it('has the description, the comments in order and the request as in its event, with their roles', () => {
  const entries = [
    entry('found', 5, { kind: 'review_comment', location: 'a.ts:3', author: 'Anode-CI[bot]', bot: true }),
    entry('firstHIDDEN', 1),
    entry('build failed', 3, { author: 'ci[bot]', bot: true }),
    entry('the request as it reads by now', 0, { id: 99, created_at: at, updated_at: at }),
  ];
  const said = { kind: 'comment' as const, role: 'user' as const };
  expect(chatSnapshot(thread(entries), trigger, options)).toEqual([
    { index: 0, role: 'user', author: 'ada', kind: 'description', at: '', text: '# T\n\nB' },
    { ...said, index: 1, author: 'rex', at: '2026-01-02T02:01:00Z', text: 'first' },
    {
      ...said,
      index: 2,
      role: 'system',
      author: 'ci[bot]',
      at: '2026-01-02T02:03:00Z',
      text: 'build failed',
    },
    {
      ...{ index: 3, role: 'assistant', author: 'Anode-CI[bot]', kind: 'review_comment' },
      ...{ at: '2026-01-02T02:05:00Z', place: 'a.ts:3', text: 'found' },
    },
    { ...said, index: 4, author: 'ada', at, text: 'fix it' },
  ]);
});

it('has the newest messages of a long thread, with their original numbers', () => {
  const entries = Array.from({ length: 9 }, (_, index) => entry('x'.repeat(65_000), index + 1));
  const chat = chatSnapshot(thread(entries), { ...trigger, comment: null }, options);
  expect(chat.map(({ index, text }) => [index, text.length])).toEqual([
    [0, 6],
    ...[4, 5, 6, 7, 8, 9].map((index) => [index, 65_000]),
  ]);
});
