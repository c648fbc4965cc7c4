import type { ChangeSet } from '../../src/contract/change.ts';
import type { Finding } from '../../src/contract/findings.ts';
import type { Outcome } from '../../src/contract/outcome.ts';
import type { RunPlan } from '../../src/contract/plan.ts';
import type { RunEntry, RunLedgerLine } from '../../src/contract/run-ledger.ts';
import type { Handoff, Question } from '../../src/contract/run-results.ts';
import type { SavedSession } from '../../src/contract/session.ts';
import { noUsage } from '../../src/contract/usage-sums.ts';

export const headSha = 'a'.repeat(40);
export const baseSha = 'b'.repeat(40);

export const noChanges: ChangeSet = { base_sha: headSha, patch: '', files: [] };

/** Ledger lines a second apart. */
export function ledger(...entries: RunEntry[]): RunLedgerLine[] {
  return entries.map((entry, index) => ({
    v: 1,
    seq: index + 1,
    at: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
    entry,
  }));
}

export const started: RunEntry = {
  type: 'run.started',
  run_id: 'run_1',
  session_id: 'session_1',
  parent_run_id: null,
  model: 'anthropic/claude',
  profile: 'craft',
  preset: 'careful',
  sandbox: 'bubblewrap',
  prompt: 'Fix it',
  max_turns: 40,
  base_sha: headSha,
};

export const finding: Finding = {
  path: 'src/a.js',
  side: 'RIGHT',
  line: 3,
  severity: 'high',
  category: 'bug',
  title: 'Off by one',
  body: 'The loop ends one too early.',
};

export const handoff: Handoff = {
  target: 'user',
  summary: 'Tokens are migrated.',
  completed: [],
  open_questions: [],
  recommended_next_steps: [],
  artifacts: [],
  relevant_files: [],
  follow: false,
};

export function samplePlan(changes: Partial<RunPlan> = {}): RunPlan {
  return {
    version: 1,
    run_id: 'run_1',
    session_id: 'session_1',
    source: { kind: 'app', delivery_id: null },
    installation_id: 1,
    repository: {
      owner: 'acme',
      name: 'shop',
      default_branch: 'main',
      clone_url: 'https://github.com/acme/shop.git',
      private: false,
    },
    thread: { kind: 'pull_request', number: 7, title: 'Add dates' },
    verb: 'task',
    prompt: 'fix the failing test',
    thread_context: '',
    attachments: [],
    requester: { login: 'ada', id: 42, type: 'User', permission: 'write' },
    trigger_comment: { id: 99, kind: 'issue_comment' },
    triggered_at: '2026-01-01T00:00:00Z',
    checkout: { ref: 'refs/pull/7/head', sha: headSha, base_ref: 'main', base_sha: baseSha, fork: false },
    push: { kind: 'branch', branch: 'dates', expected_sha: headSha },
    profile: 'craft',
    model: null,
    preset: 'careful',
    read_only: false,
    sandbox: 'preferred',
    limits: {
      max_turns: 40,
      max_tool_calls: null,
      max_tokens: null,
      max_cost_usd: null,
      timeout_seconds: null,
    },
    resume: null,
    config_text: null,
    config_file: null,
    ...changes,
  };
}

export function sampleOutcome(changes: Partial<Outcome> = {}): Outcome {
  return {
    version: 1,
    run_id: 'run_1',
    session_id: 'session_1',
    conclusion: 'success',
    answer: 'The loop now reaches the last day.',
    stop: null,
    model: 'anthropic/claude',
    profile: 'craft',
    preset: 'careful',
    turns: 3,
    tool_calls: 5,
    usage: { input: 1000, output: 200, cache_read: 30, cache_write: 4 },
    cost_usd: 0.25,
    duration_ms: 65_000,
    todos: [],
    findings: [],
    refusals: [],
    approvals: [],
    handoffs: [],
    question: null,
    diagnostics: [],
    changes: noChanges,
    ...changes,
  };
}

/** What a run on this plan saves when it asks. */
export const waitingSession = (plan: RunPlan, question: Question): SavedSession => ({
  version: 1,
  run_id: 'run_1',
  session_id: 'session_1',
  plan,
  messages: [],
  question: { call_id: 'c1', question },
  todos: [],
  approvals: [],
  findings: [],
  usage: noUsage,
  turns: 1,
  patch: '',
  base_sha: null,
  profile: 'craft',
  model: 'anthropic/claude',
  preset: 'careful',
  saved_at: '2026-01-01T00:00:00Z',
});
