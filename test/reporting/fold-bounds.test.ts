import { expect, test } from 'vitest';
import type { Outcome } from '../../src/contract/outcome.ts';
import type { RunEntry } from '../../src/contract/run-ledger.ts';
import { foldOutcome } from '../../src/reporting/fold-outcome.ts';
import { finding, handoff, headSha, ledger, noChanges, started } from './samples.ts';

const finished: RunEntry = {
  ...{
    type: 'run.finished',
    conclusion: 'success',
    answer: '',
    stop: null,
    turns: 1,
    cost_usd: 0,
    duration_ms: 1,
  },
  usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
};
const fold = (...entries: RunEntry[]) => foldOutcome(ledger(started, ...entries, finished), noChanges);
const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

test.each<[keyof Outcome, number, (count: number) => RunEntry[]]>([
  [
    'todos',
    200,
    (count) => [
      { type: 'todos', todos: times(count, (id) => ({ id: `${id}`, content: 'x', status: 'pending' })) },
    ],
  ],
  [
    'findings',
    500,
    (count) => [{ type: 'findings', findings: times(count, (line) => ({ ...finding, line: line + 1 })) }],
  ],
  [
    'refusals',
    200,
    (count) =>
      times(count, (id) => ({
        type: 'refusal',
        refusal: { tool: 't', what: 'w', reason: 'r', call_id: `${id}` },
      })),
  ],
  [
    'approvals',
    50,
    (count) =>
      times(count, (id) => ({
        type: 'approval.required',
        approval: { tool: 't', what: 'w', reason: 'r', hash: `${id}`, call_id: `${id}` },
      })),
  ],
  [
    'handoffs',
    10,
    (count) => times(count, (id) => ({ type: 'handoff', handoff: { ...handoff, summary: `${id}` } })),
  ],
])('limits %s to %i, and notes the rest', (name, cap, entries) => {
  const [whole, cut] = [fold(...entries(cap)), fold(...entries(cap + 1))];
  const length = (outcome: Outcome) => (outcome[name] as readonly unknown[]).length;
  expect([length(whole), whole.diagnostics, length(cut), cut.diagnostics]).toEqual([
    ...[cap, [], cap],
    [`Only ${cap} of ${cap + 1} ${name} are kept in the outcome.`],
  ]);
});

test('returns fifty notes without duplicates and information, ours last', () => {
  const notes = (count: number) =>
    times(count, (index): RunEntry => ({ type: 'diagnostic', level: 'warning', message: `n${index}` }));
  const checks: RunEntry = {
    type: 'checks',
    ran: [],
    notes: times(21, (index) => `c${index}`),
    findings: [],
  } as never;
  const told = (...entries: RunEntry[]) => fold(...entries).diagnostics;
  expect([
    told(...notes(50)).length,
    told(...notes(51)).slice(-2),
    told(
      ...notes(1),
      ...notes(2),
      { type: 'diagnostic', level: 'info', message: 'i' },
      { type: 'diagnostic', level: 'error', message: 'e' },
    ),
    told(...notes(1), checks).slice(0, 3),
    told(...notes(40), checks).slice(28, 32),
    told(checks).length,
  ]).toEqual([
    50,
    ['n48', 'Only 49 of 51 diagnostics are kept in the outcome.'],
    ['n0', 'n1', 'e'],
    ['n0', 'c0', 'c1'],
    ['n28', 'Only 29 of 40 diagnostics are kept in the outcome.', 'c0', 'c1'],
    20,
  ]);
});

test('returns an answer of 60,000 characters whole', () => {
  const answer = (length: number) => {
    const entries = ledger(started, { ...finished, answer: 'a'.repeat(length) } as RunEntry);
    const outcome = foldOutcome(entries, noChanges);
    return [outcome.answer.length, outcome.answer.endsWith('[cut]'), outcome.diagnostics];
  };
  expect([answer(60_000), answer(60_001)]).toEqual([
    [60_000, false, []],
    [60_000, true, ['The answer was 60001 characters long and was cut at 60000.']],
  ]);
});

const result = (tool: string, data: unknown, ok = true, call_id = 'c'): RunEntry =>
  ({
    ...{ type: 'tool.result', call_id, tool, ok, content: '', error_kind: null, spill: null, duration_ms: 1 },
    data,
  }) as RunEntry;

test('collects findings of finished reviews within the run', () => {
  const other = { ...finding, title: 'Other', body: 'Nobody closes the file.' };
  const found = (...entries: RunEntry[]) => fold(...entries).findings.map(({ title }) => title);
  const gone: RunEntry = {
    type: 'change',
    change: {
      ...{ path: finding.path, kind: 'delete', before: 'x', after: null, risk: 'low', validation: 'passed' },
      ...{ tool: 'edit', call_id: 'd', diff: '' },
    },
  } as RunEntry;
  expect([
    found(result('code_review', { findings: [finding] })),
    found(result('code_review', { findings: [finding] }, false)),
    found(result('bash', { findings: [finding] })),
    found(result('code_review', { findings: 'none' })),
    found(
      result('code_review', { findings: [finding] }),
      result('code_review', { findings: [other] }, true, 'c2'),
    ),
    found(result('code_review', { findings: [finding] }), result('code_review', { findings: [other] })),
    found(result('code_review', { findings: [finding] }), gone),
    found(gone, result('code_review', { findings: [finding] })),
  ]).toEqual([['Off by one'], ...[[], [], []], ['Off by one', 'Other'], ['Other'], [], ['Off by one']]);
});

test('puts findings of checks first, and omits the model’s duplicates', () => {
  const check = { ...finding, check: 'files', title: 'By a check' };
  const checks: RunEntry = {
    type: 'checks',
    ran: ['files', 'keys', 'links'],
    cut: ['keys'],
    notes: [],
    findings: [check],
  } as never;
  const outcome = fold(
    {
      type: 'findings',
      findings: [
        { ...finding, title: 'By a check' },
        { ...finding, title: 'Own', category: 'x', body: 'Nobody closes the file.' },
      ],
    },
    checks,
  );
  expect([
    outcome.findings.map(({ title, check: by }) => [title, by]),
    outcome.checks_whole,
    fold().checks_whole,
  ]).toEqual([
    [
      ['By a check', 'files'],
      ['Own', undefined],
    ],
    ['files', 'links'],
    undefined,
  ]);
});

test('collects at most twenty results of render and chart', () => {
  const chart = (title: string) => ({
    chart: { type: 'bar', title, points: [{ label: 'a', value: 1 }], width: 40 },
  });
  const shown = (...entries: RunEntry[]) => fold(...entries).shown?.length;
  expect([
    shown(result('chart', chart('T'))),
    shown(...times(21, (index) => result('render', chart(`${index}`)))),
    shown(),
    shown(result('bash', chart('T'))),
    shown(result('chart', chart('T'), false)),
    shown(result('chart', { kind: 'odd' })),
  ]).toEqual([...[1, 20, undefined, undefined, undefined, undefined]]);
});

test('collects pending, decided and granted approvals', () => {
  const asks = (hash: string): RunEntry => ({
    type: 'approval.required',
    approval: { tool: 't', what: 'w', reason: 'r', hash, call_id: 'c', waits: true },
  });
  const question: RunEntry = {
    type: 'question',
    question: { question: 'Which?', options: [], allow_freeform: true, required: true, questions: [] },
  };
  const decided = (hash: string, verdict: 'approved' | 'denied' | 'lapsed'): RunEntry => ({
    type: 'approval.decided',
    decided: { hash, tool: 't', what: 'w', verdict, by: 'ada', head_sha: headSha, note: '' },
  });
  const grant = (hash: string): RunEntry => ({
    type: 'grant',
    grant: {
      hash,
      permissions: [{ tool: 'bash', action: 'allow' }],
      reason: 'r',
      by: 'ada',
      head_sha: headSha,
    },
  });
  const waiting = (...entries: RunEntry[]) => {
    const lines = ledger(started, ...entries, { ...finished, conclusion: 'waiting' } as RunEntry);
    const { pending_approval, question: asked, approvals } = foldOutcome(lines, noChanges);
    return [pending_approval?.hash ?? null, asked?.question ?? null, approvals.length];
  };
  expect([
    waiting(asks('a'), asks('b')),
    waiting(asks('a'), question),
    waiting(question, asks('a')),
    waiting(),
  ]).toEqual([
    ['b', null, 0],
    [null, 'Which?', 0],
    ['a', null, 0],
    [null, null, 0],
  ]);
  const verdicts = (...entries: RunEntry[]) =>
    fold(...entries).decided?.map(({ hash, verdict }) => `${hash} ${verdict}`);
  expect([
    verdicts(decided('a', 'approved'), decided('a', 'lapsed')),
    verdicts(decided('a', 'approved'), decided('b', 'lapsed')),
    verdicts(decided('a', 'denied'), decided('a', 'lapsed')),
    verdicts(decided('a', 'approved'), decided('a', 'denied')),
    verdicts(...times(51, (index) => decided(`${index}`, 'denied')))?.slice(0, 1),
    verdicts(),
  ]).toEqual([
    ['a lapsed'],
    ['a approved', 'b lapsed'],
    ['a denied', 'a lapsed'],
    ['a approved', 'a denied'],
    ['1 denied'],
    undefined,
  ]);
  const grants = (...entries: RunEntry[]) => fold(...entries).grants?.map(({ hash }) => hash);
  expect([
    grants(grant('a'), grant('a'), grant('b')),
    grants(...times(51, (index) => grant(`${index}`)))?.[0],
    grants(),
  ]).toEqual([['a', 'b'], '1', undefined]);
});

test('takes the newest triage, description and suggestion checks', () => {
  const triage = (label: string): RunEntry =>
    ({ type: 'triage', triage: { labels: [label], duplicates: [] } }) as never;
  const description = (body: string): RunEntry => ({ type: 'description', description: { body } }) as never;
  const tried = (count: number): RunEntry =>
    ({
      type: 'suggestion_checks',
      checks: times(count, (line) => ({
        ...{ path: 'a', first_line: line + 1, last_line: line + 1, digest: 'd', result: 'passed', said: '' },
      })),
    }) as never;
  const {
    triage: sorted,
    description: told,
    suggestion_checks,
  } = fold(...[triage('a'), triage('b'), description('x'), description('y'), tried(2), tried(501)]);
  expect([sorted, told, suggestion_checks?.length]).toEqual([
    { labels: ['b'], duplicates: [] },
    { body: 'y' },
    500,
  ]);
  const none = fold();
  expect([none.triage, none.description, none.suggestion_checks, none.summarised]).toEqual([
    ...[undefined, undefined, undefined, undefined],
  ]);
});
