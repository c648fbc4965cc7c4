import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import type { RunReport } from '../../../src/reporting/html/page-context.ts';
import { samplePlan } from '../samples.ts';
import { call, diff, result, sampleEntries, sampleReport, sampleRunOutcome } from './sample-run.ts';

/** What strangers write to break out of a page, into a script, or to deceive whoever reads it. */
export const attacks: readonly string[] = [
  '<script>window.hacked=1</script>',
  '<img src=x onerror="window.hacked=1">',
  '<svg onload="window.hacked=1"><animate onbegin="window.hacked=1"/></svg>',
  '</style><script>window.hacked=1</script><style>',
  '</title></head><body onload=window.hacked=1>',
  '</pre></details></section></main><h1>All is well</h1>',
  '--><iframe srcdoc="<script>top.hacked=1</script>"></iframe><!--',
  '" autofocus onfocus="window.hacked=1" x="',
  "' style='position:fixed;inset:0;background:url(https://evil.example/x)' '",
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example/"><link rel="stylesheet" href="https://evil.example/x.css">',
  '<form action="https://evil.example"><input name=a autofocus></form>',
  '<a href="javascript:window.hacked=1" id="main" name="main">x</a>',
  '[click](javascript:window.hacked=1) [data](data:text/html,<script>1</script>) ![i](https://evil.example/p.png)',
  '[evil](https://evil.example/) <https://evil.example/> https://github.com@evil.example/ [r]: https://evil.example',
  '{{7*7}} #{7*7} <%= 7 %> &lt;script&gt; &#60;script&#62;',
  '\u0000\u0007\u001b[31mred\u001b[0m\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007\u0085\u009b',
  'user\u202Egnp.exe \u2066isolated\u2069 \u200Fmark \u200Bzero \u2060 \uFEFF \u00AD \u115F\u3164',
  '\uD800 lone \uDC00 halves \uDBFF',
  `z${'\u0301'.repeat(400)}algo`,
  '\u{E0041}\u{E0042}tags \u{10FFFD} \uFFFE \uFFFF',
  '\u2028separated\u2029',
];

const everything = attacks.join('\n');

/** A run in which each text that a stranger can have a hand in is an attack. */
export function hostileReport(text: string = everything): RunReport {
  const line = text.replaceAll('\n', ' ');
  const entries: RunEntry[] = [
    { ...(sampleEntries[0] as Extract<RunEntry, { type: 'run.started' }>), prompt: text, model: line },
    { type: 'diagnostic', level: 'warning', message: line },
    { type: 'turn.started', turn: 1 },
    { type: 'message', message: { role: 'assistant', parts: [{ type: 'text', text }] } },
    call(
      'a',
      line,
      line,
      { [line]: text, nested: [text] },
      {
        ...{ action: 'ask', level: 'confirm_execute', reason: line, rule: line, hard: false },
        commands: [1, 2].map(() => ({ command: line, action: 'reject' as const, reason: line })),
      },
    ),
    {
      type: 'change',
      change: {
        ...{
          path: line,
          kind: 'rename',
          old_path: line,
          before: null,
          after: null,
          tool: line,
          call_id: 'a',
        },
        ...{ diff: `${diff}+${text}`, risk: 'high', validation: 'failed' },
      },
    },
    { type: 'child_run.started', child_run_id: 'k', title: line, profile: line },
    {
      ...{ type: 'child_run.result', child_run_id: 'k', conclusion: 'failure', summary: text, turns: 1 },
      usage: { input: 1, output: 1, cache_read: 0, cache_write: 0 },
    },
    result('a', line, text, { ok: false, error_kind: line, spill: line }),
    { type: 'refusal', refusal: { tool: line, what: line, reason: line, call_id: 'unknown' } },
    { type: 'handoff', handoff: { ...handoff, summary: text, goal: line } },
    {
      type: 'question',
      question: {
        question: line,
        options: [{ id: line, label: line }],
        allow_freeform: true,
        required: true,
        questions: [],
      },
    },
    {
      type: 'grant',
      grant: {
        hash: line,
        permissions: [{ tool: line, action: 'allow' }],
        reason: line,
        by: line,
        head_sha: null,
      },
    },
    {
      type: 'approval.decided',
      decided: {
        hash: line,
        tool: line,
        what: line,
        verdict: 'lapsed',
        by: line,
        head_sha: null,
        note: line,
      },
    },
    { type: 'compaction', before_tokens: 1, after_tokens: 1, note: line },
  ];
  const refused = { tool: line, what: line, reason: line, call_id: line };
  return sampleReport(entries, {
    plan: samplePlan({
      requester: { login: line, id: 1, type: 'User', permission: 'write' },
      repository: {
        owner: line,
        name: line,
        default_branch: line,
        clone_url: 'javascript:window.hacked=1',
        private: true,
      },
      thread: { kind: 'issue', number: 1, title: line },
      hidden_text: [
        { kind: line, length: 3, excerpt: line, digest: line, alarming: true, where: line, author: line },
      ],
    }),
    runUrl: 'javascript:window.hacked=1',
    published: {
      commit: { sha: line, url: 'javascript:window.hacked=1', branch: line },
      review: { id: 1, url: 'https://evil.example/', comments: 1 },
      issues: [{ number: 1, url: 'data:text/html,<script>window.hacked=1</script>', title: line }],
      downgrades: [line],
      failures: [line],
      patch: text,
    },
    outcome: {
      ...sampleRunOutcome,
      ...{
        run_id: line,
        session_id: line,
        conclusion: 'failure',
        answer: text,
        model: line,
        profile: line,
        preset: line,
      },
      stop: { kind: 'provider_failed', message: line },
      todos: [{ id: '1', content: line, status: 'pending' }],
      findings: [
        {
          ...{
            path: line,
            side: 'LEFT',
            line: 3,
            severity: 'critical',
            category: line,
            title: line,
            body: text,
          },
          ...{ suggestion: text, check: line },
        },
      ],
      refusals: [refused],
      approvals: [{ ...refused, hash: line, diff: text }],
      pending_approval: { ...refused, hash: line },
      decided: [
        { hash: line, tool: line, what: line, verdict: 'denied', by: line, head_sha: null, note: line },
      ],
      grants: [
        {
          hash: line,
          permissions: [{ tool: line, action: 'allow' }],
          reason: line,
          by: line,
          head_sha: null,
        },
      ],
      handoffs: [{ ...handoff, summary: line, recommended_next_steps: [line] }],
      diagnostics: [line],
      changes: {
        base_sha: line,
        patch: text,
        files: [
          {
            ...{
              path: line,
              kind: 'rename',
              old_path: line,
              mode: '100644',
              old_mode: '100644',
              content: '',
            },
            ...{ binary: false, diff: `${diff}+${text}\n-${text}` },
          },
        ],
        left_out: [line],
      },
    },
  });
}

const handoff = {
  ...{
    target: 'next_thread' as const,
    completed: [],
    open_questions: [],
    recommended_next_steps: [],
    artifacts: [],
  },
  ...{ relevant_files: [], follow: false },
};

/** A run without end: many turns and calls, each with an output of `length` characters that grows when it is escaped. */
export function* endlessEntries(turns: number, calls: number, output: string): Generator<RunEntry> {
  const [first] = sampleEntries;
  if (first !== undefined) yield first;
  for (let turn = 1; turn <= turns; turn++) {
    yield { type: 'turn.started', turn };
    yield {
      ...{ type: 'usage', turn, cost_usd: 0.01 },
      usage: { input: 1_000 + turn, output: 100, cache_read: 20 * turn, cache_write: 10 },
    };
    yield {
      type: 'message',
      message: { role: 'assistant', parts: [{ type: 'text', text: `Turn ${turn}. ${'word '.repeat(300)}` }] },
    };
    for (let index = 1; index <= calls; index++) {
      const id = `c${turn}-${index}`;
      yield call(id, 'bash', '<&">'.repeat(80), { command: output.slice(0, 5_000) });
      yield result(id, 'bash', output);
    }
  }
}
