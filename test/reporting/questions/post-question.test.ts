import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/contract/outcome.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import type { Question } from '../../../src/contract/run-results.ts';
import { proposalHash } from '../../../src/contract/thread-records.ts';
import { postPlan } from '../../../src/reporting/questions/post-plan.ts';
import {
  postQuestion,
  type QuestionForm,
  questionForm,
} from '../../../src/reporting/questions/post-question.ts';
import { headSha, sampleOutcome, samplePlan, waitingSession } from '../samples.ts';
import { own, place, type World, world } from '../thread/thread-world.ts';

test('posts and stores a plan with its hash, cut to length', async () => {
  const plans = samplePlan({ verb: 'plan' });
  const post = async (plan: RunPlan, outcome: Partial<Outcome>, config: object = {}) => {
    const { asked, ports, store } = world();
    const done = await postPlan(sampleOutcome(outcome), plan, { ...ports, config } as never);
    const [key] = await store.list('proposal/');
    return { done, asked, key, kept: key === undefined ? null : JSON.parse((await store.get(key)) ?? '') };
  };
  const hash = proposalHash('One.', headSha, { repository: plans.repository, number: 7 });
  const { done, asked, key, kept } = await post(
    plans,
    { answer: ' One.\u200b ' },
    { triggers: { mention: 'bot' } },
  );
  expect([key, kept]).toEqual([
    `proposal/7/${hash}`,
    { version: 1, run_id: 'run_1', hash, text: 'One.', head_sha: headSha },
  ]);
  const body = [
    `<!-- anode:plan v1 run=run_1 -->\n**The plan**, on commit \`${headSha.slice(0, 12)}\``,
    'One.',
    '---',
    `Carry it out: \`/bot approve ${hash}\``,
    `<sub>As a comment of its own, by a person with write permission to this repository. The plan is carried out as it was posted, whatever this comment is edited to say: once, on that commit. It lapses when the branch moves. For another one: \`/bot plan [what to change]\`; to drop it: \`/bot deny ${hash}\`.</sub>`,
  ].join('\n\n');
  expect([done?.url, asked]).toEqual([
    'https://c/5',
    [['comment', { ...place, issue_number: 7, body, request: { retries: 0 } }]],
  ]);
  const long = await post(plans, { answer: 'x'.repeat(30_001) });
  expect(long.kept?.text).toBe(`${'x'.repeat(30_000 - '\n\n[cut]'.length)}\n\n[cut]`);
  expect(String(Reflect.get(long.asked[0]?.[1] ?? {}, 'body'))).toContain('`/anode approve ');
  for (const [plan, outcome] of [
    [plans, { answer: ' ' }],
    [plans, { conclusion: 'limit' as const }],
    [samplePlan({ verb: 'task' }), {}],
    [samplePlan({ verb: 'plan', thread: null }), {}],
  ] as const)
    expect((await post(plan, outcome)).done).toBeNull();
});

test('says how to execute a plan if no approval can be stored', async () => {
  const post = async (change: Partial<RunPlan>) => {
    const { asked, ports, store } = world();
    const plan = samplePlan({ verb: 'plan', ...change });
    await postPlan(sampleOutcome({ answer: 'One.' }), plan, { ...ports, config: {}, canAsk: false } as never);
    const body = String(Reflect.get(asked[0]?.[1] ?? {}, 'body'));
    return [
      /Carry it out: (.*)/.exec(body)?.[1],
      body.includes('/anode approve '),
      await store.list('proposal/'),
    ];
  };
  expect([await post({}), await post({ thread: { kind: 'issue', number: 7, title: 'T' } })]).toEqual([
    ['`/anode task carry out the plan above`', false, []],
    ['`/anode implement the plan above`', false, []],
  ]);
});

const question: Question = {
  ...{ question: 'Which?', options: [], allow_freeform: true, required: false, questions: [] },
};
const session = { ...waitingSession(samplePlan(), question), saved_at: '2026-01-01T00:00:00.000Z' };

test('sets a deadline and a reminder if the App may go on without an answer', () => {
  const form = (
    asked: Partial<Question>,
    settings: object = {},
    more: object = {},
    plan: Partial<RunPlan> = {},
  ) => {
    const given = { config: { question: settings }, session, ...more } as never;
    const { deadline, reminder } = questionForm({ ...question, ...asked }, samplePlan(plan), given);
    return [deadline?.slice(5, 13) ?? null, reminder?.slice(5, 13) ?? null];
  };
  const other = { ...question, required: true };
  expect([
    form({}),
    form({}, { deadlineHours: 9 }),
    form({}, { deadlineHours: 0 }),
    form({}, { remind: false }),
    form({ required: true }),
    form({ required: true, default: 'a' }),
    form({ questions: [other] }),
    form({}, {}, { session: null }),
    form({}, {}, {}, { source: { kind: 'action', delivery_id: null } as never }),
  ]).toEqual([
    ['01-04T00', '01-03T00'],
    ['01-01T09', '01-01T06'],
    [null, null],
    ['01-04T00', null],
    [null, '01-03T00'],
    ['01-04T00', '01-03T00'],
    [null, '01-03T00'],
    [null, null],
    [null, null],
  ]);
  const words = (config: object) =>
    questionForm(question, samplePlan(), { config, session: null } as never).text;
  expect([words({}), words({ triggers: { mention: 'bot' }, question: { answerers: ['eve'] } })]).toEqual([
    expect.stringContaining('`/anode answer …`'),
    expect.stringMatching(/`\/bot answer …`.*`eve`/),
  ]);
});

const asks: QuestionForm = {
  text: 'Which?\n- [ ] a',
  boxes: [{ line: 1, means: { question: 0, option: 'a' } }],
  ...{ deadline: '2026-01-04T00:00:00.000Z', reminder: '2026-01-03T00:00:00.000Z' },
};

async function ask(
  given: World & {
    form?: QuestionForm;
    plan?: Partial<RunPlan>;
    session?: object | null;
    kept?: Record<string, string>;
  } = {},
) {
  const { asked, ports, store } = world(given);
  for (const [key, value] of Object.entries(given.kept ?? {})) await store.set(key, value);
  const all = { ...ports, session: given.session === undefined ? session : given.session };
  const done = await postQuestion('question', given.form ?? asks, samplePlan(given.plan), all as never);
  return { done, asked, store, keys: await store.list('') };
}
const body = '<!-- anode:question v1 run=run_1 -->\nWhich?\n- [ ] a';
const stands = {
  id: 4,
  html_url: 'https://c/4',
  body,
  created_at: '2026-01-02T00:00:00Z',
  user: { login: own },
};

test('stores a question with session, boxes, timers and time', async () => {
  const { done, asked, store, keys } = await ask();
  const posted = { id: 5, url: 'https://c/5', body, created_at: '2026-01-03T00:00:00Z' };
  expect([done, asked]).toEqual([
    posted,
    [['comment', { ...place, issue_number: 7, body, request: { retries: 0 } }]],
  ]);
  expect(keys.filter((key) => !key.startsWith('making/'))).toEqual([
    'alarm/2026-01-03T00:00:00.000Z/reminder/run_1',
    'alarm/2026-01-04T00:00:00.000Z/deadline/run_1',
    'asked/run_1',
    'boxes/run_1',
    'waiting/7/run_1',
  ]);
  const read = async (key: string) => JSON.parse((await store.get(key)) ?? 'null');
  expect([
    await read('waiting/7/run_1'),
    await store.get('asked/run_1'),
    await read('boxes/run_1'),
    await read('alarm/2026-01-04T00:00:00.000Z/deadline/run_1'),
  ]).toEqual([
    session,
    '2026-01-03T00:00:00Z',
    {
      ...{ version: 1, comment_id: 5, url: 'https://c/5', text: body },
      boxes: [{ line: 2, means: { question: 0, option: 'a' } }],
    },
    {
      ...{
        version: 1,
        kind: 'deadline',
        due: '2026-01-04T00:00:00.000Z',
        run_id: 'run_1',
        installation_id: 1,
      },
      ...{ repository: { owner: 'acme', name: 'shop' }, thread: { kind: 'pull_request', number: 7 } },
      requester: { login: 'ada', id: 42, type: 'User' },
    },
  ]);
  const plain = await ask({ form: { text: 'Which?', boxes: [], deadline: null } });
  expect(plain.keys.filter((key) => /^(alarm|boxes)/.test(key))).toEqual(['boxes/run_1']);
});

test('does not save an existing question again, nor post one without a thread or session', async () => {
  const asked = await ask({ comments: [stands], kept: { 'asked/run_1': 'then' } });
  expect([asked.done?.id, asked.asked, asked.keys.includes('waiting/7/run_1')]).toEqual([4, [], false]);
  // The one before died before it kept what it had posted.
  const died = await ask({ comments: [stands], kept: { 'waiting/7/run_1': 'kept' } });
  expect([died.done?.id, await died.store.get('asked/run_1'), died.keys.includes('boxes/run_1')]).toEqual([
    ...[4, '2026-01-02T00:00:00Z', true],
  ]);
  expect(await died.store.get('waiting/7/run_1')).toBe('kept');
  const forged = await ask({ comments: [stands] });
  expect(forged.done?.id).toBe(5);
  const none = async (given: Parameters<typeof ask>[0]) => {
    const { done, keys } = await ask(given);
    return [done, keys.filter((key) => key.startsWith('waiting/'))];
  };
  expect([await none({ plan: { thread: null } }), await none({ session: null })]).toEqual([
    [null, []],
    [null, []],
  ]);
  expect((await ask({ session: null, comments: [stands], kept: { 'asked/run_1': 'then' } })).done?.id).toBe(
    4,
  );
});

test('stores the five newest sessions of a thread', async () => {
  const kept = Object.fromEntries(['0a', '0b', '0c', '0d', '0e'].map((run) => [`waiting/7/${run}`, 'kept']));
  const { keys } = await ask({ kept: { ...kept, 'waiting/8/0a': 'kept' } });
  expect(keys.filter((key) => key.startsWith('waiting/'))).toEqual(
    [...['0b', '0c', '0d', '0e', 'run_1'].map((run) => `7/${run}`), '8/0a'].map((at) => `waiting/${at}`),
  );
});
