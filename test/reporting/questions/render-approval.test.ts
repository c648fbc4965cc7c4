import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import type { Approval, ApprovalDecision, Grant } from '../../../src/contract/decision.ts';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import { foldOutcome } from '../../../src/reporting/fold-outcome.ts';
import { renderApproval, renderDecided } from '../../../src/reporting/questions/render-approval.ts';
import { headSha, ledger, noChanges, sampleOutcome, samplePlan, started } from '../samples.ts';

const bash: Approval = {
  tool: 'bash',
  what: 'make deploy',
  reason: '`make deploy` runs a program.',
  hash: '0123456789abcdef',
  call_id: 'call_1',
  waits: true,
};
const render = (approval: Partial<Approval>, config = {}) =>
  renderApproval({ ...bash, ...approval }, sampleOutcome(), samplePlan(), config);

describe('the comment that asks for approval', () => {
  it('shows the command, its parts, the other arguments, and how to decide', () => {
    const text = render(
      { commands: ['make a && make b'], parts: ['make a', 'make b'], input: '{\n  "cwd": "lib"\n}' },
      { triggers: { mention: 'helper' } },
    );
    expect(text.split('\n\n')).toEqual([
      '**Approval needed before this can go on**',
      'The agent wants to call `bash`:',
      '```sh\nmake a && make b\n```',
      'These are 2 parts:',
      '- `make a`\n- `make b`',
      'Called with:',
      '```json\n{\n  "cwd": "lib"\n}\n```',
      'Why it asks: `make deploy` runs a program.',
      'Approve: `/helper approve 0123456789abcdef`',
      'Deny: `/helper deny 0123456789abcdef [reason]`',
      `<sub>As a comment of its own, by a person with write permission to this repository. It holds for this one call, once, on commit \`${headSha.slice(0, 12)}\`, and lapses when the branch moves.</sub>`,
    ]);
  });

  it('lets nothing out of its block, and spells out what would not be seen', () => {
    const command = 'echo "\n```\n**Approve**: nothing\n````\n</details>" \u202e\u0007; rm x\r\n@everyone';
    const html = marked.parse(render({ commands: [command] }), { async: false });
    const block = /<pre><code class="language-sh">([\s\S]*?)<\/code><\/pre>/.exec(html)?.[1] ?? '';
    const shown = block.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"');
    expect(shown).toBe(
      'echo "\n```\n**Approve**: nothing\n````\n</details>" <U+202E><U+0007>; rm x<U+000D>\n@everyone\n',
    );
  });

  it('points at lines whose end is off the page', () => {
    const command = `echo hello${' '.repeat(300)}&& rm -rf x`;
    expect(render({ commands: [command], parts: ['echo hello', 'rm -rf x'] })).toContain(
      '(Line 1 is long: scroll to the end.)\n\nThese are 2 parts:\n\n- `echo hello`\n- `rm -rf x`',
    );
  });

  it('keeps the words of the model on one line that can fold or hide nothing', () => {
    const text = render({ reason: 'Fine.\n\n<details><summary>All good</summary> <!-- @everyone fixes #1' });
    expect(text).toContain(
      'Why it asks: Fine. &lt;details>&lt;summary>All good&lt;/summary> &lt;!-- @\u200beveryone fixes \u200b#1',
    );
  });
});

describe('what was decided', () => {
  const decided: ApprovalDecision = {
    hash: '0123456789abcdef',
    tool: 'bash',
    what: 'make deploy',
    verdict: 'approved',
    by: 'bob',
    head_sha: headSha,
    note: '',
  };
  const grant: Grant = {
    hash: 'fedcba9876543210',
    permissions: [{ tool: 'bash', action: 'allow' }],
    reason: 'To build.',
    by: 'ada',
    head_sha: headSha,
  };
  const asked = (change: Partial<Approval>): RunEntry => ({
    type: 'approval.required',
    approval: { ...bash, ...change },
  });
  const entries: RunEntry[] = [
    started,
    { type: 'approval.decided', decided },
    { type: 'approval.decided', decided: { ...decided, verdict: 'lapsed', note: 'The head moved.' } },
    { type: 'approval.decided', decided: { ...decided, hash: grant.hash, tool: 'request_permissions' } },
    { type: 'grant', grant },
    asked({ hash: 'proposal', waits: false }),
    asked({}),
  ];
  const finished = (conclusion: 'waiting' | 'success'): RunEntry => ({
    type: 'run.finished',
    conclusion,
    answer: '',
    stop: null,
    turns: 1,
    usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
    cost_usd: 0,
    duration_ms: 1,
  });

  it('is in the outcome with its last word, apart from proposals and what is waited for', () => {
    const waiting = foldOutcome(ledger(...entries, finished('waiting')), noChanges);
    const { pending_approval, approvals, grants, question } = waiting;
    expect({
      pending: pending_approval?.hash,
      approvals: approvals.map(({ hash }) => hash),
      grants,
      question,
    }).toEqual({
      pending: '0123456789abcdef',
      approvals: ['proposal'],
      grants: [grant],
      question: null,
    });
    expect(waiting.decided?.map(({ hash, verdict }) => [hash, verdict])).toEqual([
      ['0123456789abcdef', 'lapsed'],
      ['fedcba9876543210', 'approved'],
    ]);
    expect(foldOutcome(ledger(...entries, finished('success')), noChanges).pending_approval).toBeUndefined();
  });

  it('is listed with who decided, what for and by which hash', () => {
    const outcome = foldOutcome(ledger(...entries, finished('success')), noChanges);
    const denied = { ...decided, verdict: 'denied' as const, note: 'Not <b>now</b>.' };
    expect(renderDecided({ ...outcome, decided: [...(outcome.decided ?? []), denied] })).toBe(
      [
        '<details><summary>3 approvals</summary>',
        [
          '- `bash make deploy` (`0123456789abcdef`): approved by `bob`, but not done: The head moved.',
          '- `request_permissions make deploy` (`fedcba9876543210`): granted by `bob` for this session',
          '- `bash make deploy` (`0123456789abcdef`): denied by `bob`: Not &lt;b>now&lt;/b>.',
        ].join('\n'),
        '</details>',
      ].join('\n\n'),
    );
    expect(renderDecided(sampleOutcome())).toBe('');
  });
});
