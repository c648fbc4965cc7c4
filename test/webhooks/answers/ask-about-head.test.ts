import { expect, test } from 'vitest';
import { askAboutHead } from '../../../src/webhooks/answers/ask-about-head.ts';
import type { Judged } from '../../../src/webhooks/authorize/judge-event.ts';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { holdRequest } from '../../../src/webhooks/records/held-request.ts';
import { askedFor, headSha, judgedAs } from '../judged.ts';

const ask = (change: Partial<Trigger> = {}, more: Partial<Judged> = {}, host: 'app' | 'action' = 'app') =>
  askAboutHead(judgedAs(askedFor(change), more), 'The head was pushed.', { host } as never);

/** The words between the hash and the end. */
function named(change: Partial<Trigger>): string | undefined {
  const reply = ask(change);
  return reply.kind === 'held' ? /`: (.*), then runs/.exec(reply.body)?.[1] : undefined;
}

test('the App holds the request, and asks by a box and a command with its hash', () => {
  const held = holdRequest(askedFor(), headSha, null);
  expect(ask()).toEqual({
    kind: 'held',
    body: `The head was pushed. Or tick this box, or say \`/bot continue ${held?.held.hash}\`: \`task fix it\`, [as ada asked](https://github.test/acme/shop/pull/5#issuecomment-9), then runs on exactly this head.`,
    box: held?.box,
    held: held?.held,
  });
});

test('an answer is held for the run that waits', () => {
  const reply = ask({ kind: 'answer' }, { waiting: { run_id: 'run_1' } as never });
  expect(reply.kind === 'held' && reply.held.answers).toBe('run_1');
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
])('a request with %j is named by %j', (change, words) => {
  expect(named(change)).toContain(words);
});

test('elsewhere, and for what has its own way of asking, a new comment is asked for', () => {
  const { place } = judgedAs(askedFor());
  const comment = { kind: 'comment', body: 'The head was pushed.' };
  expect([
    ask({}, {}, 'action'),
    ask({}, { place: { ...place, pull: null } }),
    ask({ kind: 'approve' }),
  ]).toEqual([comment, comment, comment]);
});
