import { afterEach, expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { noUsage } from '../../../src/contract/usage-sums.ts';
import { parseReviewCheck } from '../../../src/tools/review/review-check.ts';
import type { ChildRequest, ChildResult } from '../../../src/tools/services/children.ts';
import type { ReviewCheck, ReviewServices } from '../../../src/tools/services/run-services.ts';
import { type HarnessOptions, openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

async function open(options: HarnessOptions = {}): Promise<ToolHarness> {
  tools = await openTools({}, options);
  return tools;
}

const finding: Finding = {
  path: 'src/a.ts',
  side: 'RIGHT',
  line: 3,
  severity: 'high',
  category: 'bug',
  title: 'Off by one',
  body: 'The last item is lost.',
};
const leaked: Finding = {
  ...finding,
  line: 1,
  category: 'secret',
  title: 'A key',
  body: 'It is out.',
  check: 'secrets',
};

function childThat(findings: readonly Finding[] | null, answer = ''): ChildResult {
  return {
    childRunId: 'run_2',
    conclusion: 'success',
    answer,
    entries: findings === null ? [] : [{ type: 'findings', findings: [...findings] }],
    turns: 2,
    usage: noUsage,
  };
}

const check = (name: string, more: Partial<ReviewCheck> = {}): ReviewCheck => ({
  name,
  description: '',
  severity: null,
  tools: null,
  instructions: `Look for ${name}.`,
  ...more,
});

const review: ReviewServices = {
  described: async () => ({
    checks: [check('sql', { severity: 'high', tools: ['grep'] }), check('locks')],
    problems: ['The check .agents/checks/empty.md is left out: it does not say what to look for.'],
  }),
  withoutModel: async () => ({
    ran: ['secrets', 'unicode'],
    findings: [leaked],
    notes: ['Linters did not run.'],
  }),
};

const settling =
  '[A finding counts as fixed once you change its lines; any other stands open in the report. The same review again replaces this one.]';

test('a review without checks is one read-only child that returns findings', async () => {
  const { call, children } = await open({ child: childThat([finding], 'Look at the loop.') });
  const output = await call('code_review', {
    diff_description: 'the new loop',
    files: ['src/a.ts'],
    instructions: 'Mind the bounds.',
    check_scope: 'changes-only',
    thinking: 'high',
  });
  expect(output).toEqual({
    content: `1 finding.\n- src/a.ts:3 [high] Off by one: The last item is lost.\n${settling}\n\nLook at the loop.`,
    data: {
      ...{ findings: [finding], checks: [], notes: [], child_run_id: 'run_2', conclusion: 'success' },
      reviewed: { files: ['src/a.ts'], check_filter: [], checks_only: false },
    },
  });
  expect(children).toEqual([
    {
      title: 'Code review',
      profile: 'review',
      prompt: [
        'The change:\nthe new loop',
        'Files to look at first: src/a.ts',
        'Report only what the change itself brings in.',
        'Mind the bounds.',
        'State what you find with report_findings, then answer with a short summary.',
      ].join('\n\n'),
      effort: 4,
    },
  ]);
});

test('the newest list of findings counts and may be empty', async () => {
  const [first] = childThat([finding]).entries;
  const child = { ...childThat([]), entries: [...(first ? [first] : []), ...childThat([]).entries] };
  const { call } = await open({ child });
  expect(await call('code_review', { diff_description: 'x' })).toEqual({
    content: 'The review found nothing.',
    data: {
      ...{ findings: [], checks: [], notes: [], child_run_id: 'run_2', conclusion: 'success' },
      reviewed: { files: [], check_filter: [], checks_only: false },
    },
  });
});

test('a review that ended early without a result does not count as one without findings', async () => {
  const { say } = await open({ child: { ...childThat(null), conclusion: 'limit' } });
  expect(await say('code_review', { diff_description: 'x' })).toBe(
    'The reviewer reported no findings. The review ended early (limit).',
  );
});

const played = (request: ChildRequest): ChildResult => {
  if (request.title === 'Check: sql') return childThat([{ ...finding, title: 'Injection' }]);
  return request.title === 'Check: locks'
    ? { ...childThat(null), conclusion: 'limit' }
    : childThat([finding, leaked]);
};

test('each check of the base branch runs as its own child beside the reviewer, or without a model', async () => {
  const { call, children } = await open({ child: played, review });
  const output = await call('code_review', { diff_description: 'the loop' });
  expect(children.map(({ title, toolsAllowed }) => [title, toolsAllowed])).toEqual([
    ['Code review', undefined],
    ['Check: sql', ['grep']],
    ['Check: locks', undefined],
  ]);
  expect(children[0]?.prompt).toContain('Found already, do not report it again:\n- "src/a.ts":1 A key');
  expect(children[1]?.prompt).toContain(
    '# Check: sql\nLook for sql.\n\nSeverity of what you find, unless it clearly differs: high.',
  );
  expect(output).toEqual({
    content: [
      '3 findings.',
      '- src/a.ts:1 [high] A key: It is out. (secrets)',
      '- src/a.ts:3 [high] Off by one: The last item is lost.',
      '- src/a.ts:3 [high] Injection: The last item is lost. (sql)',
      'Checks that ran: secrets, unicode, sql.',
      'Check without a result: locks (limit)',
      '[The check .agents/checks/empty.md is left out: it does not say what to look for.]',
      '[Linters did not run.]',
      settling,
    ].join('\n'),
    data: {
      findings: [leaked, finding, { ...finding, title: 'Injection', check: 'sql' }],
      checks: [
        { name: 'secrets', status: 'findings', findings: 1 },
        { name: 'unicode', status: 'passed', findings: 0 },
        { name: 'sql', status: 'findings', findings: 1, child_run_id: 'run_2', conclusion: 'success' },
        { name: 'locks', status: 'failed', findings: 0, child_run_id: 'run_2', conclusion: 'limit' },
      ],
      notes: [
        'The check .agents/checks/empty.md is left out: it does not say what to look for.',
        'Linters did not run.',
      ],
      reviewed: { files: [], check_filter: [], checks_only: false },
      child_run_id: 'run_2',
      conclusion: 'success',
    },
  });
});

test('checks_only skips the reviewer, and check_filter accepts names and globs', async () => {
  const { call, children } = await open({ child: played, review });
  const output = await call('code_review', {
    diff_description: 'the loop',
    checks_only: true,
    check_filter: ['SQ*', 'unicode'],
  });
  expect(children.map(({ title }) => title)).toEqual(['Check: sql']);
  expect(output.data).toMatchObject({
    findings: [{ ...finding, title: 'Injection', check: 'sql' }],
    checks: [
      { name: 'unicode', status: 'passed' },
      { name: 'sql', status: 'findings' },
    ],
  });
  expect(output.data).not.toHaveProperty('child_run_id');
});

test('a filter without a match is reported with the existing checks', async () => {
  const { say } = await open({ child: played, review });
  expect(await say('code_review', { diff_description: 'x', check_filter: 'sqll' })).toBe(
    'invalid_input: There is no check "sqll". Checks: conflicts, secrets, workflows, lifecycle, lockfiles, files, unicode, linters, sql, locks.',
  );
});

test.each([
  [
    '---\nname: sql\ndescription: Queries.\nseverity-default: high\ntools: [grep, read]\n---\nNo string building.\n',
    {
      name: 'sql',
      description: 'Queries.',
      severity: 'high',
      tools: ['grep', 'read'],
      instructions: 'No string building.',
    },
  ],
  ['Only words.', { name: 'a', description: '', severity: null, tools: null, instructions: 'Only words.' }],
  [
    '---\ntools: grep, read\n---\nx',
    { name: 'a', description: '', severity: null, tools: ['grep', 'read'], instructions: 'x' },
  ],
  ['---\nname: x\n---\n\n', 'The check .agents/checks/a.md is left out: it does not say what to look for.'],
  ['---\n- a\n---\nx', 'The check .agents/checks/a.md is left out: its front matter is no YAML of keys.'],
  [
    '---\nseverity-default: bad\n---\nx',
    expect.stringMatching(/^The check .* is left out: severity-default: /),
  ],
  ['x'.repeat(16_001), 'The check .agents/checks/a.md is left out: it is longer than 16,000 characters.'],
])('a check is parsed from %j', (text, expected) => {
  expect(parseReviewCheck('.agents/checks/a.md', text)).toEqual(expected);
});
