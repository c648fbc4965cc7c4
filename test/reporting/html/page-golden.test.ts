import { expect, it } from 'vitest';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import type { RunReport } from '../../../src/reporting/html/page-context.ts';
import { renderRunReport } from '../../../src/reporting/html/render-run-report.ts';
import { finding, handoff, sampleOutcome, samplePlan } from '../samples.ts';
import { call, diff, result, sampleEntries, sampleReport } from './sample-run.ts';

/** The page without its style, a tag a line. */
const page = (report: RunReport): string =>
  renderRunReport(report)
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/sha256-[^&]*/, 'sha256-…')
    .replaceAll('><', '>\n<');

const decision = (action: 'allow' | 'ask' | 'reject', more: object = {}) => ({
  ...{ action, level: 'confirm_execute' as const, reason: 'Because.', rule: null, hard: false, commands: [] },
  ...more,
});
const commands = [
  { command: 'ls', action: 'allow', reason: 'It reads.' },
  { command: 'rm a', action: 'ask', reason: 'It deletes.' },
];
const usage = (turn: number, cost_usd: number | null): RunEntry => ({
  ...{ type: 'usage', turn, cost_usd },
  usage: { input: 1_000 * turn, output: 200, cache_read: turn === 2 ? 0 : 400, cache_write: 0 },
});
const child = (id: string, conclusion: string, cost_usd: number | null) =>
  ({
    ...{ type: 'child_run.result', child_run_id: id, conclusion, summary: 'Not *done*.', turns: 2 },
    ...{ usage: { input: 10, output: 20, cache_read: 30, cache_write: 40 }, cost_usd },
  }) as RunEntry;
const change = (path: string, risk: string, validation: string, call_id: string) =>
  ({
    type: 'change',
    change: {
      path,
      kind: 'modify',
      before: null,
      after: null,
      diff,
      risk,
      validation,
      tool: 'edit_file',
      call_id,
    },
  }) as RunEntry;

const troubled: readonly RunEntry[] = [
  ...sampleEntries.slice(0, 1).map((entry) => ({ ...entry, sandbox: 'off', max_turns: null }) as RunEntry),
  { type: 'turn.started', turn: 1 },
  usage(1, 0.5),
  call('b', 'bash', 'ls', {}, decision('reject', { mistake: true, reason: 'No such flag.' })),
  result('b', 'bash', 'No such flag.', { ok: false, error_kind: 'invalid', duration_ms: 0 }),
  call('c', 'bash', 'long', { command: 'seq 9' }, decision('allow', { commands })),
  change('src/a.ts', 'high', 'failed', 'c'),
  change('src/b.ts', 'medium', 'unchecked', 'c'),
  result('c', 'bash', '1\n2', { spill: '/spill/1' }),
  call('d', 'task', 'both', 'plain words'),
  { type: 'child_run.started', child_run_id: 'k', title: 'One', profile: 'craft' },
  child('k', 'limit', 0.25),
  { type: 'child_run.started', child_run_id: 'l', title: 'Two', profile: 'craft' },
  call('a', 'bash', 'rm a', { command: 'ls; rm a' }, decision('ask', { commands, level: 'safe' })),
  ...Array.from({ length: 12 }, (_, index): RunEntry[] => [
    { type: 'turn.started', turn: index + 2 },
    usage(index + 2, index === 3 ? null : 0),
  ]).flat(),
];

const approval = { tool: 'bash', what: 'npm publish', hash: 'abcd', reason: 'Publishes.', call_id: 'x' };
const decided = (verdict: 'approved' | 'denied' | 'lapsed', note = '') => ({
  ...{ hash: 'ef01', tool: 'bash', what: 'rm', verdict, by: 'ada', head_sha: null, note },
});
const files = (['add', 'delete', 'rename', 'modify'] as const).map((kind, index) => ({
  ...{ path: `f${index}.ts`, kind, mode: '100644', old_mode: '100644', content: '' },
  ...{ binary: index === 1, diff, ...(kind === 'rename' ? { old_path: 'old.ts' } : {}) },
}));
const site = 'https://github.com/acme/shop';

it('renders the whole page of a successful run', async () => {
  await expect(page(sampleReport())).toMatchFileSnapshot('golden/run-that-went-well.html');
});

it('renders the whole page of a run with problems of every kind', async () => {
  const report = sampleReport(troubled, {
    outcome: sampleOutcome({
      ...{ conclusion: 'limit', stop: { kind: 'max_turns', message: 'It took 13 turns.' } as never },
      answer: '',
      findings: [
        { ...finding, severity: 'info', side: 'LEFT', start_line: 1 },
        { ...finding, severity: 'critical', start_line: 3, check: 'npm test', suggestion: '' },
      ],
      refusals: ['x', 'y'].map((call_id) => ({ tool: 'bash', what: 'rm', reason: 'No.', call_id })),
      approvals: [approval],
      decided: [decided('approved'), decided('denied', 'Not now.'), decided('lapsed', 'The head moved.')],
      grants: [
        {
          ...{ hash: '2345', reason: 'To build.', by: 'ada', head_sha: null },
          permissions: [{ tool: 'bash', action: 'allow' }],
        },
      ],
      handoffs: [handoff, { ...handoff, goal: 'The goal.', recommended_next_steps: ['One.', 'Two.'] }],
      diagnostics: ['A fallback was taken.'],
      todos: [
        { id: '1', content: 'A', status: 'completed' },
        { id: '2', content: 'B', status: 'in_progress' },
        { id: '3', content: 'C', status: 'pending' },
      ],
      changes: { base_sha: 'a', patch: diff, files, left_out: ['big.bin'] },
    }),
    plan: samplePlan({
      ...{ read_only: true, verb: 'implement', thread: { kind: 'issue', number: 9, title: 'Dates' } },
      hidden_text: [
        { kind: 'comment', where: 'the body', author: 'eve', length: 12, excerpt: 'psst' },
      ] as never,
    }),
    published: {
      pull_request: { number: 10, url: `${site}/pull/10` },
      question: { id: 3, url: `${site}/issues/9#q` },
      approval: { id: 4, url: `${site}/issues/9#a` },
      issues: [{ number: 11, url: `${site}/issues/11`, started: false, follow: false }],
      ...{ downgrades: ['No commit.'], failures: ['No review.'], patch: '' },
    } as never,
    runUrl: `${site}/actions/runs/1`,
  });
  await expect(page(report)).toMatchFileSnapshot('golden/run-with-trouble.html');
});

it('renders the whole page of a waiting local run, and of one without entries', async () => {
  const local = { plan: null, published: null };
  const question = { question: 'Which?', options: [], allow_freeform: true, required: true, questions: [] };
  const waiting = sampleReport(sampleEntries.slice(0, 9), {
    outcome: sampleOutcome({ conclusion: 'waiting', question, pending_approval: approval, cost_usd: null }),
    ...local,
  });
  await expect(page(waiting)).toMatchFileSnapshot('golden/run-that-waits.html');
  const stop = { kind: 'cancelled', message: 'Somebody stopped it.' } as never;
  const empty = sampleReport([], { outcome: sampleOutcome({ conclusion: 'cancelled', stop }), ...local });
  await expect(page(empty)).toMatchFileSnapshot('golden/run-without-record.html');
});
