import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import type { Approval, ApprovalDecision, Grant } from '../../../src/contract/decision.ts';
import type { Outcome } from '../../../src/contract/outcome.ts';
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

describe('renderApproval', () => {
  it('displays the command, its parts, the other arguments, and how to decide', () => {
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

  it('escapes the command within its block, and spells out invisible characters', () => {
    const command = 'echo "\n```\n**Approve**: nothing\n````\n</details>" \u202e\u0007; rm x\r\n@everyone';
    const html = marked.parse(render({ commands: [command] }), { async: false });
    const block = /<pre><code class="language-sh">([\s\S]*?)<\/code><\/pre>/.exec(html)?.[1] ?? '';
    const shown = block.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"');
    expect(shown).toBe(
      'echo "\n```\n**Approve**: nothing\n````\n</details>" <U+202E><U+0007>; rm x<U+000D>\n@everyone\n',
    );
  });

  it('points at lines that are too long for the page', () => {
    const command = `echo hello${' '.repeat(300)}&& rm -rf x`;
    expect(render({ commands: [command], parts: ['echo hello', 'rm -rf x'] })).toContain(
      '(Line 1 is long: scroll to the end.)\n\nThese are 2 parts:\n\n- `echo hello`\n- `rm -rf x`',
    );
  });

  it('puts the model’s reason on one line that cannot hide anything', () => {
    const text = render({ reason: 'Fine.\n\n<details><summary>All good</summary> <!-- @everyone fixes #1' });
    expect(text).toContain(
      'Why it asks: Fine. &lt;details>&lt;summary>All good&lt;/summary> &lt;!-- @\u200beveryone fixes \u200b#1',
    );
  });
});

describe('decided approvals', () => {
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

  it('appear in the outcome with the last verdict, apart from proposals and pending ones', () => {
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

  it('are cut to length, call and note', () => {
    const one = { ...decided, what: 'x'.repeat(300), note: 'n'.repeat(1_000) };
    const [, line] = renderDecided({ ...sampleOutcome(), decided: [one] }).split('\n\n');
    expect([line?.match(/`(bash x+…)`/)?.[1]?.length, line?.match(/n{20,}…/)?.[0].length]).toEqual([
      200, 990,
    ]);
  });

  it('are listed with who decided, for what and by which hash', () => {
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

/** The comment without its first line, and without how to decide. */
const inner = (approval: Partial<Approval>, outcome: Partial<Outcome> = {}) =>
  renderApproval({ ...bash, ...approval }, sampleOutcome(outcome), samplePlan(), {})
    .split('\n\n')
    .slice(1, -3);
const why = 'Why it asks: `make deploy` runs a program.';
const wants = 'The agent wants to call `bash`:';

describe('the comment that renderApproval writes', () => {
  it('states which files and addresses the call would use', () => {
    const [read, write] = (['read', 'write'] as const).map((access) => ({ path: `${access}\n.txt`, access }));
    if (read === undefined || write === undefined) throw new Error('there are two');
    expect([
      inner({}),
      inner({ commands: ['a', 'b'], parts: ['a'] }),
      inner({ diff: '+a', input: '{}' }),
      inner({ commands: ['a'], input: '{}' }).at(-3),
      inner({ paths: [read] }),
      inner({ paths: [read, write, write], urls: ['https://a.test', 'b'] }),
    ]).toEqual([
      [wants, why],
      [wants, '```sh\na\n```', '```sh\nb\n```', why],
      [wants, '```diff\n+a\n```', 'Its arguments:', '```json\n{}\n```', why],
      'Called with:',
      [wants, why],
      [
        wants,
        'Files written: `write<U+000A>.txt`, `write<U+000A>.txt`',
        'Addresses: `https://a.test`, `b`',
        why,
      ],
    ]);
  });

  it('lists forty parts of a command, and counts the others', () => {
    const lines = (count: number) =>
      inner({ commands: ['a'], parts: Array.from({ length: count }, (_, index) => `p${index}`) })
        .at(-2)
        ?.split('\n');
    expect([lines(40)?.length, lines(41)?.slice(-2), lines(42)?.slice(-2)]).toEqual([
      40,
      ['- `p39`', '- … and 1 more'],
      ['- `p39`', '- … and 2 more'],
    ]);
  });

  it('points at each long line of a block', () => {
    const long = 'x'.repeat(161);
    const note = (...lines: string[]) => inner({ commands: [lines.join('\n')] }).at(-2);
    expect([note('x'.repeat(160)), note('a', long), note('a', long, 'b', long)]).toEqual([
      `\`\`\`sh\n${'x'.repeat(160)}\n\`\`\``,
      '(Line 2 is long: scroll to the end.)',
      '(2 lines are long, the first is 2: scroll to the end.)',
    ]);
  });

  it('states what permissions for a session would allow', () => {
    const permissions = [{ tool: 'bash', action: 'allow' as const }];
    const text = renderApproval({ ...bash, permissions }, sampleOutcome(), samplePlan(), {}).split('\n\n');
    expect([text.slice(1, -3), text.at(-1)]).toEqual([
      [
        'The agent asks for permissions. Until its session ends, these calls would be made without asking again:',
        '- `every call of bash`',
        'As rules:',
        '```json\n[\n  {\n    "tool": "bash",\n    "action": "allow"\n  }\n]\n```',
        'Why, in its own words: `make deploy` runs a program.',
        'What is refused outright (by a rule, for protected files and credentials, outside the workspace) stays refused.',
      ],
      expect.stringContaining(' It holds for this session, on commit '),
    ]);
  });

  it('displays the changes of the run so far, or says that they are too long', () => {
    const changed = (count: number, patch: string) => {
      const file = {
        kind: 'add',
        mode: '100644',
        old_mode: null,
        content: '',
        binary: false,
        diff: '',
      } as const;
      const files = Array.from({ length: count }, (_, index) => ({ ...file, path: `f${index}` }));
      return inner({}, { changes: { base_sha: headSha, patch, files } }).slice(2);
    };
    const names = (count: number) => Array.from({ length: count }, (_, index) => `\`f${index}\``).join(', ');
    const folded = (inside: string[]) => [
      '<details><summary>The patch so far</summary>',
      ...inside,
      '</details>',
    ];
    const so = 'What the run has changed so far, unpublished: ';
    const full = 'x'.repeat(12_000);
    expect([
      changed(1, '+a'),
      changed(30, full)[0],
      changed(31, `${full}x`),
      changed(30, full).at(-3)?.length,
    ]).toEqual([
      [`${so}${names(1)}`, ...folded(['```diff\n+a\n```'])],
      `${so}${names(30)}`,
      [
        `${so}${names(30)} and 1 more`,
        ...folded([`${names(30)} and 1 more`, 'The patch is too long to be shown here.']),
      ],
      12_000 + '```diff\n\n```'.length,
    ]);
  });
});
