import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/contract/outcome.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { conclusionText, renderHead, requestLine } from '../../../src/reporting/html/render-head.ts';
import { sampleOutcome, samplePlan } from '../samples.ts';
import { context, seen, story } from './page-parts.ts';

test('gives each conclusion a word and a colour', () => {
  const end = (outcome: Partial<Outcome>) =>
    Object.values(
      conclusionText({ outcome: sampleOutcome(outcome), plan: samplePlan(), published: null }),
    ).join(' / ');
  expect([
    end({}),
    end({ conclusion: 'failure' }),
    end({ conclusion: 'limit' }),
    end({ conclusion: 'waiting' }),
    end({ conclusion: 'waiting', pending_approval: {} as never }),
    end({ conclusion: 'cancelled' }),
  ]).toEqual([
    ...['Answered, nothing changed / good', 'Failed / bad', 'Stopped at a limit / warning'],
    ...['Waiting for an answer / warning', 'Waiting for approval / warning', 'Cancelled / plain'],
  ]);
});

test('uses the request as heading, or the thread’s title for our own prompts', () => {
  const asked = (plan: Partial<RunPlan> | null, started: object | null = null, length = 99) =>
    requestLine(
      context({}, { plan: plan === null ? null : samplePlan(plan), story: { ...story, started } }),
      length,
    );
  const verbs = ['review', 'plan', 'describe', 'improve', 'implement', 'triage', 'fix', 'ask'] as const;
  expect(verbs.map((verb) => asked({ verb }))).toEqual([
    ...['Review: Add dates', 'Plan: Add dates', 'Description: Add dates', 'Improvements: Add dates'],
    ...['Implementation: Add dates', 'Triage: Add dates', 'fix the failing test', 'fix the failing test'],
  ]);
  expect([
    asked({ verb: 'review', thread: null }),
    asked({}, { prompt: 'Say\nso' }),
    asked({}, { prompt: 'Yes', before: {} }),
    asked({}, { prompt: ' ', before: {} }),
    asked(null),
    asked({ prompt: 'x'.repeat(20) }, null, 10),
  ]).toEqual(['fix the failing test', 'Say so', 'Goes on: Yes', 'A run', 'A run', `${'x'.repeat(9)}…`]);
});

const published = {
  ...{ commit: { sha: '0123456789', url: 'https://github.com/c', branch: 'dates' }, issues: [] },
  ...{ pull_request: { number: 8, url: 'https://github.com/p' }, downgrades: [], failures: [], patch: '' },
  review: { id: 1, url: 'https://github.com/r', comments: 2 },
  question: { id: 1, url: 'https://github.com/q' },
  approval: { id: 1, url: 'https://github.com/a' },
  comment: { id: 1, url: 'https://github.com/m' },
};

test('displays requester, place, cost and links to the published results', () => {
  const head = (outcome: Partial<Outcome>, more: object = {}) =>
    seen(renderHead(context(outcome, more)))?.replace(/^.*run report\|/, '');
  const facts =
    '|Model|anthropic/claude|Profile|craft|Preset|careful|Time|1 min 5 s|Cost|$0.25|Tokens|1,234|30 from the cache|Turns|3|Tool calls|5|';
  const issues = Array.from({ length: 21 }, (_, index) => ({
    number: index + 1,
    url: `https://github.com/i/${index}`,
  }));
  expect([
    head({}),
    head({}, { plan: null }),
    head({}, { published, runUrl: 'https://ci.test/1' }),
    head({}, { published: { ...published, issues } })?.match(/\|Issue #\d+/g)?.length,
    head({ conclusion: 'limit', stop: { kind: 'turn_limit', message: 'Too many' } })?.includes('|Too many|'),
    head({ conclusion: 'waiting', stop: { kind: 'turn_limit', message: 'Too many' } })?.includes('Too many'),
  ]).toEqual([
    `Answered, nothing changed|fix the failing test|Asked by|ada|on|acme/shop#7|Add dates${facts}`,
    `Done|A run|On this machine, by the operator${facts}`,
    `Answered, nothing changed|fix the failing test|Asked by|ada|on|acme/shop#7|Add dates${facts}Pull request #8|Commit|0123456|on|dates|Review with 2 comments|The question|The request for approval|The comment on the thread|The workflow’s run (|https://ci.test/1|)|`,
    20,
    true,
    false,
  ]);
  const from = (thread: RunPlan['thread']) =>
    /href="([^"]*)"/.exec(renderHead(context({}, { plan: samplePlan({ thread }) })).html)?.[1];
  expect([
    from({ kind: 'issue', number: 3, title: 'T' }),
    from({ kind: 'pull_request', number: 3, title: 'T' }),
    from(null),
  ]).toEqual([
    'https://github.com/acme/shop/issues/3',
    'https://github.com/acme/shop/pull/3',
    'https://github.com/acme/shop',
  ]);
});

test('displays limit, verb and sandbox only if they add information', () => {
  const fact = (
    name: string,
    started: object | null,
    plan: Partial<RunPlan> = {},
    outcome: Partial<Outcome> = {},
  ) =>
    new RegExp(`\\|${name}\\|(.*?)\\|(?:Model|Profile|Preset|Time|Cost|Tokens|Turns|Tool calls|$)`).exec(
      seen(
        renderHead(
          context(outcome, {
            story: { ...story, started, startedAt: '2026-01-02T03:04:05Z' },
            plan: samplePlan(plan),
          }),
        ),
      ) ?? '',
    )?.[1];
  const on = (sandbox: string, more: object = {}) => ({ prompt: 'p', max_turns: null, sandbox, ...more });
  expect([
    fact('Turns', on('on', { max_turns: 40 })),
    fact('Turns', on('on', { max_turns: 40, before: { turns: 2 } })),
    fact('Turns', on('on')),
    fact('Preset', on('on')),
    fact('Preset', on('off')),
    fact('Preset', on('bubblewrap')),
    fact('Preset', null),
    fact('Profile', null, { verb: 'fix' }),
    fact('Profile', null, { verb: 'review' }, { profile: 'review' }),
    fact('Profile', null, { verb: 'task' }),
  ]).toEqual([
    ...[
      '3|of 40',
      '3|of 42, 2 in earlier runs',
      '3',
      'careful|sandboxed',
      'careful|no sandbox',
      'careful|bubblewrap',
      'careful',
    ],
    ...['craft|fix', 'review', 'craft'],
  ]);
  const cached = { input: 1, output: 1, cache_read: 0, cache_write: 0 };
  expect(fact('Tokens', null, {}, { usage: cached })).toBe('2');
  const when = (startedAt: string) =>
    seen(renderHead(context({}, { story: { ...story, startedAt } })))?.match(/dates \| ?· \|(.*?)\|/)?.[1] ??
    seen(renderHead(context({}, { story: { ...story, startedAt } })))?.match(/·\|([^|]*)\|/)?.[1];
  expect([when('2026-01-02T03:04:05Z'), when('soon')]).toEqual(['2 January 2026, 03:04 UTC', 'soon']);
});

test('displays the session’s earlier and later runs, with question and answer', () => {
  const chain = (part: object, prompt: string | null = 'Use ISO') =>
    seen(
      renderHead(
        context(
          {},
          {
            chain: { request: null, earlier: null, later: null, ...part },
            story: { ...story, started: prompt === null ? null : { prompt } },
          },
        ),
      ),
    )?.match(/\|acme\/shop#7\|Add dates\|(.*)\|Model\|/)?.[1];
  const earlier = { run_id: 'run_0', question: 'Which?' };
  expect([
    chain({}),
    chain({ earlier }),
    chain({ earlier: { ...earlier, question: null } }),
    chain({ earlier }, null),
    chain({ later: { run_id: 'run_2', text: 'Go on' } }),
    chain({ earlier, later: { run_id: 'run_2', text: 'Go on' } }),
  ]).toEqual([
    undefined,
    'Goes on from|run_0|.|Question: Which?|Answer: Use ISO',
    'Goes on from|run_0|.|It was told: Use ISO',
    'Goes on from|run_0|.|Question: Which?|Answer:',
    'run_2|went on from this run, and was told: Go on',
    'Goes on from|run_0|.|Question: Which?|Answer: Use ISO|run_2|went on from this run, and was told: Go on',
  ]);
});

test('displays an answered run as answered', () => {
  const word = (outcome: Partial<Outcome>, later: object | null) =>
    /<p class="pill (\w+)">(.*?)<\/p>/
      .exec(renderHead(context(outcome, { chain: { request: null, earlier: null, later } })).html)
      ?.slice(1);
  const later = { run_id: 'r', text: 'w' };
  expect([
    word({ conclusion: 'waiting' }, later),
    word({ conclusion: 'waiting' }, null),
    word({}, later),
  ]).toEqual([
    ['plain', 'Answered'],
    ['warning', 'Waiting for an answer'],
    ['good', 'Answered, nothing changed'],
  ]);
});

test('displays the whole request if it is longer than the heading', () => {
  const whole = (prompt: string, more: object = {}) =>
    /<div class="plain md">(.*?)<\/div>/s.exec(
      renderHead(context({}, { story: { ...story, started: { prompt } }, ...more })).html,
    )?.[1] ?? null;
  expect([
    whole('Say so'),
    whole('Say  so '),
    whole('Say\nso'),
    whole(' \n'),
    whole('x'.repeat(220)),
    whole('x'.repeat(221))?.length,
    whole('x'.repeat(30_000))?.length,
    whole('x'.repeat(30_001))?.includes('left out here'),
    whole('Say so', { plan: samplePlan({ verb: 'review' }) }),
    whole('Yes', { chain: { request: 'Say\nthis', earlier: null, later: null } }),
  ]).toEqual([null, null, 'Say\nso', null, null, 221, 30_000, true, 'Say so', 'Say\nthis']);
});

test('bounds each text of the head', () => {
  const long = 'x'.repeat(40_000);
  const { repository, requester } = samplePlan();
  const plan = samplePlan({
    thread: { kind: 'issue', number: 1, title: long },
    repository: { ...repository, owner: long, name: long },
    requester: { ...requester, login: long },
  });
  const { html } = renderHead(
    context(
      { stop: { kind: 'turn_limit', message: long }, conclusion: 'limit', model: long, profile: long },
      {
        plan,
        published: { ...published, commit: { ...published.commit, branch: long } },
        chain: {
          request: long,
          earlier: { run_id: long, question: long },
          later: { run_id: long, text: long },
        },
        story: { ...story, started: { prompt: long, sandbox: long } },
      },
    ),
  );
  expect(
    html
      .replaceAll(/(?:href|title)="[^"]*"/g, '')
      .match(/x{20,}/g)
      ?.map(({ length }) => length),
  ).toEqual([
    ...[219, 100, 100, 100, 160, 600, 21_000, 8_000],
    ...[80, 2_000, 2_000, 80, 2_000],
    ...[80, 80, 80, 80],
  ]);
});
