import { expect, test } from 'vitest';
import type { SavedSession } from '../../../src/contract/session.ts';
import { askAboutHead } from '../../../src/webhooks/answers/ask-about-head.ts';
import { approvedRequest, resolveRequest } from '../../../src/webhooks/answers/resolve-request.ts';
import type { EventRequest } from '../../../src/webhooks/authorize/authorize-event.ts';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { savedSession } from '../decide-fixture.ts';
import { askedFor, eventRequest, headSha } from '../event-request.ts';
import { memoryStore } from '../memory-store.ts';

const hash = '0123456789abcdef';
const question = { question: 'Which?', options: [], allow_freeform: true, required: true, questions: [] };
const asks = (run_id: string): SavedSession => savedSession({ run_id, question: { call_id: 'c', question } });

async function meant(
  trigger: Partial<Trigger>,
  judged: Partial<EventRequest> = {},
  kept: Readonly<Record<string, unknown>> = {},
  settings: object = { host: 'action', isStored: true },
) {
  const store = memoryStore();
  for (const [key, value] of Object.entries(kept)) store.values.set(key, JSON.stringify(value));
  const given = eventRequest(askedFor(trigger), judged);
  const found = await resolveRequest(given, { store, settings, log: () => {} } as never);
  return found.kind === 'refused'
    ? found.reason
    : { ...found, request: { trigger: found.request.trigger, config: found.request.config } };
}
const result = (trigger: Trigger, session: SavedSession | null = null) => ({
  ...{ kind: 'resolved', request: { trigger, config: { limits: {} } }, session, effort: null, model: null },
});

test('flags override the configuration, and a forbidden one is refused', async () => {
  const flags = { model: 'a/b', effort: 'low', turns: 3 } as const;
  const config = { models: { allow: ['a/b'] } };
  expect(await meant({ flags }, { config })).toEqual({
    kind: 'resolved',
    request: { trigger: askedFor({ flags }), config: { ...config, limits: { maxTurns: 3 } } },
    session: null,
    effort: 2,
    model: 'a/b',
  });
  expect(await meant({ flags })).toBe(
    'The configuration does not allow choosing a model here (`models.allow`).',
  );
});

test('an answer or a decision continues the waiting session, and a task or a retry starts anew', async () => {
  const waiting = asks('run_0');
  for (const kind of ['answer', 'approve', 'deny'] as const)
    expect(await meant({ kind }, { waiting })).toEqual(result(askedFor({ kind }), waiting));
  for (const kind of ['task', 'review', 'ask'] as const)
    expect(await meant({ kind }, { waiting })).toEqual(result(askedFor({ kind })));
  const request = { version: 1, run_id: 'r', kind: 'review', text: 'all', location: null };
  expect(await meant({ kind: 'retry' }, { waiting }, { 'request/5': request })).toEqual(
    result(askedFor({ kind: 'review', text: 'all' })),
  );
  expect(await meant({ kind: 'retry' })).toBe('Nothing was asked for on this thread that I still know of.');
});

test('continue resumes the stopped run', async () => {
  const stopped = savedSession({ run_id: 'run_9', stopped: 'by a limit' });
  expect(await meant({ kind: 'continue' }, { waiting: asks('run_0') }, { 'stopped/5': stopped })).toEqual(
    result(askedFor({ kind: 'continue' }), stopped),
  );
  expect(await meant({ kind: 'continue' })).toBe('No stopped run on this thread can continue.');
});

test('a workflow without stored state names the input that it takes', async () => {
  const settings = { host: 'action', isStored: false };
  const takes = 'This workflow stores nothing between its jobs: that takes the input `state_secret`.';
  expect([
    await meant({ kind: 'retry' }, {}, {}, settings),
    await meant({ kind: 'continue' }, {}, {}, settings),
    await meant({ kind: 'continue' }, {}, {}, { host: 'app', isStored: false }),
  ]).toEqual([
    `Nothing was asked for on this thread that I still know of. ${takes}`,
    `No stopped run on this thread can continue. ${takes}`,
    'No stopped run on this thread can continue.',
  ]);
});

test('continue with a hash starts the stored request for its confirmer', async () => {
  const held = (request: object, more: object = {}) => ({
    [`held/5/${hash}`]: {
      ...{ version: 1, hash, head: headSha },
      request: { location: null, ...request },
      ...more,
    },
  });
  const yes = { kind: 'continue', text: hash } as const;
  expect(await meant(yes, { waiting: asks('run_0') }, held({ kind: 'fix', text: 'all' }))).toEqual(
    result(askedFor({ kind: 'fix', text: 'all' })),
  );
  const answer = held({ kind: 'answer', text: 'blue' }, { answers: 'run_2' });
  const sessions = [asks('run_1'), asks('run_2')];
  expect(await meant(yes, { waiting: sessions[0] ?? null, sessions }, answer)).toEqual(
    result(askedFor({ kind: 'answer', text: 'blue' }), sessions[1]),
  );
  const none = 'No question on this thread is waiting for an answer.';
  expect(await meant(yes, { waiting: sessions[0] ?? null, sessions: sessions.slice(0, 1) }, answer)).toBe(
    none,
  );
  expect(await meant(yes, { sessions: [savedSession({ run_id: 'run_2' })] }, answer)).toBe(none);
  expect(await meant(yes)).toBe(`Nothing with the hash \`${hash}\` waits on this thread to be run.`);
  const without = { ...eventRequest(askedFor()).facts, pull: null };
  expect(await meant(yes, { facts: without }, held({ kind: 'fix', text: 'all' }))).toBe(
    `The head is gone now and not ${'b'.repeat(12)}, which this was about. Ask again in a new comment.`,
  );
});

test('an approved plan becomes a task on a pull request and an implementation on an issue', () => {
  const proposal = { version: 1, run_id: 'run_1', hash, text: 'P', head_sha: headSha } as const;
  const work = (thread: Trigger['thread']) =>
    approvedRequest(eventRequest(askedFor({ kind: 'approve', text: hash, thread })), proposal);
  const expected = (kind: Trigger['kind'], thread: Trigger['thread']) => ({
    ...{ kind: 'resolved', request: eventRequest(askedFor({ kind, text: '', thread })) },
    ...{ session: null, effort: null, model: null, proposal },
  });
  const [pull, issue] = [
    { kind: 'pull_request', number: 5 },
    { kind: 'issue', number: 6 },
  ] as const;
  expect([work(pull), work(issue)]).toEqual([expected('task', pull), expected('implement', issue)]);
});

test('on a moved head the App stores the request, and a workflow asks for a new comment', () => {
  const ask = (
    trigger: Partial<Trigger>,
    judged: Partial<EventRequest> = {},
    host: 'app' | 'action' = 'app',
  ) => askAboutHead(eventRequest(askedFor(trigger), judged), 'It moved.', { host });
  const asked = ask({ kind: 'answer', text: 'blue' }, { waiting: asks('run_7') });
  const named = asked.kind === 'pending' ? asked.pending.hash : '';
  expect(named).toMatch(/^[0-9a-f]{16}$/);
  expect(asked).toEqual({
    kind: 'pending',
    body: 'It moved. Or tick a box: its request then runs on exactly this head.',
    box: `- [ ] Run \`answer blue\`, [as ada asked](https://github.test/acme/shop/pull/5#issuecomment-9) (or say \`/bot continue ${named}\`)`,
    pending: {
      ...{ version: 1, hash: named, head: headSha, answers: 'run_7' },
      request: { kind: 'answer', text: 'blue', location: null },
    },
  });
  const words = (trigger: Partial<Trigger>, judged: Partial<EventRequest> = {}) => {
    const told = ask(trigger, judged);
    return told.kind === 'pending' ? /Run (.*) \(or say/.exec(told.box)?.[1] : told.kind;
  };
  const { facts: place } = eventRequest(askedFor());
  const clone_url = 'https://code.github.test/acme/shop.github.git';
  const elsewhere = { ...place, repository: { ...place.repository, clone_url } };
  expect([
    words({ kind: 'review', text: '', incremental: true, comment: null }),
    words({ text: 'a'.repeat(75), comment: null }),
    words({ text: 'a'.repeat(76), comment: null }),
    words({}, { facts: elsewhere }),
    words({ text: `a \n \`b\` ${'x'.repeat(100)}`, comment: { id: 8, kind: 'review_comment' } }),
  ]).toEqual([
    '`review -i`, as ada asked',
    `\`task ${'a'.repeat(75)}\`, as ada asked`,
    `\`task ${'a'.repeat(75)}…\`, as ada asked`,
    '`task fix it`, [as ada asked](https://code.github.test/acme/shop.github/pull/5#issuecomment-9)',
    `\`task a 'b' ${'x'.repeat(69)}…\`, [as ada asked](https://github.test/acme/shop/pull/5#discussion_r8)`,
  ]);
  const plain = { kind: 'comment', body: 'It moved.' };
  const without = { ...eventRequest(askedFor()).facts, pull: null };
  expect([ask({}, {}, 'action'), ask({}, { facts: without }), ask({ kind: 'approve', text: hash })]).toEqual([
    plain,
    plain,
    plain,
  ]);
});
