import { expect, test } from 'vitest';
import { askAboutHead } from '../../../src/webhooks/answers/ask-about-head.ts';
import type { EventRequest } from '../../../src/webhooks/authorize/authorize-event.ts';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { createPendingRequest } from '../../../src/webhooks/records/pending-request.ts';
import { askedFor, eventRequest, headSha } from '../event-request.ts';

const ask = (
  change: Partial<Trigger> = {},
  more: Partial<EventRequest> = {},
  host: 'app' | 'action' = 'app',
) => askAboutHead(eventRequest(askedFor(change), more), 'The head was pushed.', { host } as never);

/** The words between the hash and the end. */
function named(change: Partial<Trigger>): string | undefined {
  const reply = ask(change);
  return reply.kind === 'pending' ? /Run (.*) \(or say/.exec(reply.box)?.[1] : undefined;
}

test('the App stores the request and offers a box and a command with its hash', () => {
  const held = createPendingRequest(askedFor(), headSha, null);
  expect(ask()).toEqual({
    kind: 'pending',
    body: 'The head was pushed. Or tick a box: its request then runs on exactly this head.',
    box: `- [ ] Run \`task fix it\`, [as ada asked](https://github.test/acme/shop/pull/5#issuecomment-9) (or say \`/bot continue ${held?.hash}\`)`,
    pending: held,
  });
});

test('a stored answer names the run that waits for it', () => {
  const reply = ask({ kind: 'answer' }, { waiting: { run_id: 'run_1' } as never });
  expect(reply.kind === 'pending' && reply.pending.answers).toBe('run_1');
});

test.each<[change: Partial<Trigger>, words: string]>([
  [{ kind: 'review', text: '', incremental: true }, '`review -i`, [as'],
  [{ kind: 'review', text: '', incremental: false }, '`review`, [as'],
  [{ text: 'run `ls`\n\n  now' }, "`task run 'ls' now`, [as"],
  [{ text: 'x'.repeat(75) }, `\`task ${'x'.repeat(75)}\`, [as`],
  [{ text: 'x'.repeat(76) }, `\`task ${'x'.repeat(75)}…\`, [as`],
  [{ text: `${'x'.repeat(74)}😀` }, `\`task ${'x'.repeat(74)}\ufffd…\`, [as`],
  [{ comment: { id: 8, kind: 'review_comment' } }, 'pull/5#discussion_r8)'],
  [{ comment: null }, '`task fix it`, as ada asked'],
])('the offer for %j contains %j', (change, words) => {
  expect(named(change)).toContain(words);
});

test('a workflow, an issue and an approval get a request for a new comment', () => {
  const { facts: place } = eventRequest(askedFor());
  const comment = { kind: 'comment', body: 'The head was pushed.' };
  expect([
    ask({}, {}, 'action'),
    ask({}, { facts: { ...place, pull: null } }),
    ask({ kind: 'approve' }),
  ]).toEqual([comment, comment, comment]);
});
