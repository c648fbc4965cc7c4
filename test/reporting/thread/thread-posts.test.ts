import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/contract/outcome.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { publishDescription, withOwnPart } from '../../../src/reporting/thread/publish-description.ts';
import { chooseTriage, publishTriage } from '../../../src/reporting/thread/publish-triage.ts';
import { reactDone, removeEyes, tryRemoveEyes } from '../../../src/reporting/thread/reactions.ts';
import { sampleOutcome, samplePlan } from '../samples.ts';
import { apiError, own, place, type World, world } from './thread-world.ts';

const offered = { labels: ['bug', 'ui', 'docs', 'a', 'b', 'c'], candidates: [3, 4] };
const triage = (plan: Partial<RunPlan> = {}) => samplePlan({ verb: 'triage', triage: offered, ...plan });

test('accepts only labels and duplicates that plan and configuration allow', () => {
  const chosen = (labels: readonly string[], settings: object = {}, plan = triage()) =>
    chooseTriage({ labels: [...labels], duplicates: [3, 9] }, plan, { triage: settings });
  expect([
    chosen(['bug', 'none']),
    chosen(offered.labels),
    chosen(offered.labels, { maxLabels: 2, labels: ['ui', 'docs', 'a'] }),
    chosen(['bug'], {}, samplePlan()),
  ]).toEqual([
    { labels: ['bug'], duplicates: [3] },
    { labels: ['bug', 'ui', 'docs', 'a', 'b'], duplicates: [3] },
    { labels: ['ui', 'docs'], duplicates: [3] },
    { labels: [], duplicates: [] },
  ]);
});

test('adds labels that the repository has and the thread lacks', async () => {
  const proposed = { triage: { labels: ['bug', 'ui', 'docs'], duplicates: [4] } };
  const publish = async (given: World, plan = triage(), outcome: Partial<Outcome> = proposed) => {
    const { asked, ports } = world(given);
    return [await publishTriage(sampleOutcome(outcome), plan, ports as never), asked];
  };
  const thread = { ...place, issue_number: 7 };
  expect([
    await publish({ known: ['bug', 'ui'], labels: ['BUG', {}] }),
    await publish({ known: ['bug', 'ui'], labels: [{ name: 'bug' }, 'UI'] }),
    await publish({}),
  ]).toEqual([
    [
      { labels: ['bug', 'ui'], duplicates: [4] },
      [
        ['get', thread],
        ['labels', { ...thread, labels: ['ui'] }],
      ],
    ],
    [{ labels: ['bug', 'ui'], duplicates: [4] }, [['get', thread]]],
    [{ labels: [], duplicates: [4] }, []],
  ]);
  for (const [plan, outcome] of [
    [triage({ verb: 'task' }), proposed],
    [triage({ thread: null }), proposed],
    [triage(), {}],
  ] as const)
    expect(await publish({ known: ['bug'] }, plan, outcome)).toEqual([null, []]);
});

const [begin, end] = ['<!-- anode:description v1 -->', '<!-- anode:description-end v1 -->'];
const describes = samplePlan({ verb: 'describe' });
const description = { title: 'New title', body: ' What it does ' };

test('writes the description into its own part, and the title if configured', async () => {
  const write = async (
    given: object,
    settings: object = {},
    change: Partial<Outcome> = { description },
    plan = describes,
  ) => {
    const { asked, ports } = world({ pull: given });
    const config = { describe: settings };
    const done = await publishDescription(sampleOutcome(change), plan, { ...ports, config } as never);
    return [done, asked.map(([, query]) => query)];
  };
  const part = `${begin}\nWhat it does\n${end}`;
  const at = { ...place, pull_number: 7 };
  const untitled = { description: { body: 'What it does' } };
  expect([
    await write({}),
    await write({}, { place: 'above' }),
    await write({ body: null }),
    await write({ body: `A\n\n${part}\n\nB` }),
    await write({}, { title: true }),
    await write({}, { title: false }),
    await write({}, { title: true }, untitled),
    await write({ body: part }, { title: true }),
    await write({ body: part, title: 'New title' }, { title: true }),
  ]).toEqual([
    [true, [{ ...at, body: `Said\n\n${part}` }]],
    [true, [{ ...at, body: `${part}\n\nSaid` }]],
    [true, [{ ...at, body: part }]],
    [true, []],
    [true, [{ ...at, body: `Said\n\n${part}`, title: 'New title' }]],
    [true, [{ ...at, body: `Said\n\n${part}` }]],
    [true, [{ ...at, body: `Said\n\n${part}` }]],
    [true, [{ ...at, body: part, title: 'New title' }]],
    [true, []],
  ]);
  const none = [null, []];
  expect([
    await write({}, {}, {}),
    await write({}, {}, { description }, samplePlan({ verb: 'task' })),
    await write({}, {}, { description }, samplePlan({ verb: 'describe', thread: null })),
  ]).toEqual([none, none, none]);
  const long = await write({}, { title: true }, { description: { title: 't'.repeat(300), body: 'b' } });
  expect(long).toMatchObject([true, [{ title: 't'.repeat(256) }]]);
});

test('replaces our earlier part, and cuts it to the limit', () => {
  const part = (text: string) => `${begin}\n${text}\n${end}`;
  expect([
    withOwnPart(`A\r\n${part('old')}B`, 'new', 'above'),
    withOwnPart(`A ${begin} B`, 'new', 'below'),
    withOwnPart(' A \n', 'new', 'below'),
    withOwnPart('\n A ', 'new', 'above'),
  ]).toEqual([
    `A\n${part('new')}B`,
    `A ${begin} B\n\n${part('new')}`,
    ` A\n\n${part('new')}`,
    `${part('new')}\n\nA `,
  ]);
  const budget = 65_536 - 'A'.length - begin.length - end.length - 10;
  const whole = withOwnPart('A', 'x'.repeat(budget - 100), 'below');
  const cut = withOwnPart('A', 'x'.repeat(budget - 99), 'below');
  expect([whole.includes('[cut]'), cut]).toEqual([
    false,
    `A\n\n${part(`${'x'.repeat(budget - 200 - '\n\n[cut]'.length)}\n\n[cut]`)}`,
  ]);
  expect(withOwnPart('A'.repeat(65_600), 'new', 'below').startsWith('A'.repeat(65_600))).toBe(true);
});

const reviewComment = { trigger_comment: { id: 98, kind: 'review_comment' } } as const;

test('adds a thumb to the requesting comment, and removes 👀', async () => {
  const eyes = [
    { id: 1, user: null },
    { id: 2, user: { login: 'eve' } },
    { id: 3, user: { login: own } },
  ];
  const run = async (plan: Partial<RunPlan>, given: World = {}) => {
    const { asked, ports } = world({ reactions: eyes, ...given });
    await reactDone(samplePlan(plan), ports as never);
    await removeEyes(samplePlan(plan), ports as never);
    return asked;
  };
  const wanted = { content: 'eyes', per_page: 100 };
  const [first, second] = [
    { ...place, comment_id: 99 },
    { ...place, comment_id: 98 },
  ];
  expect([
    await run({}),
    await run(reviewComment),
    await run({ trigger_comment: null }),
    await run({}, { reactions: [] }),
  ]).toEqual([
    [
      ['on issue', { ...first, content: '+1' }],
      ['issue', { ...first, ...wanted }],
      ['off issue', { ...first, reaction_id: 3 }],
    ],
    [
      ['on review', { ...second, content: '+1' }],
      ['review', { ...second, ...wanted }],
      ['off review', { ...second, reaction_id: 3 }],
    ],
    [],
    [
      ['on issue', { ...first, content: '+1' }],
      ['issue', { ...first, ...wanted }],
    ],
  ]);
});

test('logs a refused reaction, and throws a defect', async () => {
  const run = async (fails: Error) => {
    const { logged, ports } = world({ fails, reactions: [{ id: 3, user: { login: own } }] });
    await reactDone(samplePlan(), ports as never);
    await tryRemoveEyes(samplePlan(), ports as never);
    return logged;
  };
  const told = { run: 'run_1', status: 403 };
  expect(await run(apiError(403))).toEqual([
    [told, 'No reaction was given.'],
    [told, 'The reaction could not be taken away.'],
  ]);
  await expect(run(new Error('ours'))).rejects.toThrow('ours');
  const { ports } = world({ fails: new Error('ours'), reactions: [{ id: 3, user: { login: own } }] });
  await expect(tryRemoveEyes(samplePlan(), ports as never)).rejects.toThrow('ours');
});
