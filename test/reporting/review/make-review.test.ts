import { afterAll, expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { createHunkMap } from '../../../src/reporting/diff/hunk-map.ts';
import { fingerprintFinding, fingerprintSuggestion } from '../../../src/reporting/findings/fingerprint.ts';
import { reconcile } from '../../../src/reporting/findings/reconcile.ts';
import { makeReview, type ReviewMaterial } from '../../../src/reporting/review/make-review.ts';
import { maximumBody } from '../../../src/reporting/text/markdown.ts';
import { createDiffRepository } from '../diff/git-diff.ts';
import { finding, samplePlan } from '../samples.ts';

const repository = createDiffRepository();
afterAll(() => repository.close());

const lines = Array.from({ length: 60 }, (_, index) => `const value${index + 1} = 1;\n`);
const map = createHunkMap(
  repository.diff(
    { 'src/a.js': lines.join('') },
    { 'src/a.js': lines.toSpliced(19, 1, 'const twenty = 2;\n').join('') },
  ),
);
const suggestion = {
  path: 'src/a.js',
  firstLine: 19,
  lastLine: 20,
  before: ['const value19 = 1;', 'const twenty = 2;'],
  after: ['```'],
};
const make = ({
  findings = [],
  ...material
}: Partial<ReviewMaterial> & { readonly findings?: readonly Finding[] }) =>
  makeReview({
    plan: samplePlan(),
    reconciled: reconcile({
      runId: 'run_1',
      findings,
      previous: [],
      source: map,
      dismissed: new Map(),
      evidence: { kind: 'none' },
      checks: new Set(),
    }),
    suggestions: [],
    map,
    event: 'COMMENT',
    complete: true,
    verdictIsNews: false,
    budget: 30,
    threadsFrom: 'info',
    ...material,
  });
const headSha = samplePlan().checkout.sha;
const on = (line: number, more: Partial<Finding> = {}): Finding => ({ ...finding, line, ...more });
const mark = (one: Finding) =>
  `<!-- anode:finding v1 fp=${fingerprintFinding(one, map)} severity=${one.severity} category=bug path=${encodeURIComponent(one.path)} line=${one.line} -->`;

test('combines findings and changes into one review, worst first', () => {
  const findings = [
    on(20, { severity: 'low', suggestion: 'const twenty = 20;\n' }),
    on(18, { severity: 'critical', start_line: 17 }),
    on(50, { title: 'Far away' }),
  ];
  const [low = finding, critical = finding] = findings;
  expect(make({ findings, suggestions: [suggestion] })).toEqual({
    onLines: [fingerprintFinding(critical, map), fingerprintFinding(low, map)],
    review: {
      event: 'COMMENT',
      body: [
        '<!-- anode:review v1 run=run_1 -->',
        '**3 findings**: 1 critical, 1 high, 1 low. 1 of them is only in the summary. 1 suggested change.',
      ].join('\n'),
      comments: [
        {
          path: 'src/a.js',
          body: `${mark(critical)}\n**critical** · Off by one\n\nThe loop ends one too early.`,
          side: 'RIGHT',
          line: 18,
          start_line: 17,
          start_side: 'RIGHT',
        },
        {
          path: 'src/a.js',
          body: `${mark(low)}\n**low** · Off by one\n\nThe loop ends one too early.\n\n\`\`\`suggestion\nconst twenty = 20;\n\`\`\``,
          side: 'RIGHT',
          line: 20,
        },
        {
          path: 'src/a.js',
          body: `<!-- anode:finding v1 fp=${fingerprintSuggestion(suggestion)} -->\n\`\`\`\`suggestion\n\`\`\`\n\`\`\`\``,
          side: 'RIGHT',
          line: 20,
          start_line: 19,
          start_side: 'RIGHT',
        },
      ],
    },
    offered: [
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        suggestion: {
          ...{ path: 'src/a.js', firstLine: 20, lastLine: 20 },
          ...{ before: ['const twenty = 2;'], after: ['const twenty = 20;'] },
        },
      },
      { id: fingerprintSuggestion(suggestion), suggestion },
    ],
  });
});

test('suggestions of which one needs a name of the other name each other’s lines', () => {
  const part = (line: number, before: string, after: string) => ({
    ...{ path: 'src/a.js', firstLine: line, lastLine: line, before: [before], after: [after] },
  });
  const renamed = [
    part(18, 'const value18 = 1;', 'const price = 1;'),
    part(20, 'const twenty = 2;', 'const twenty = price;'),
    part(21, 'const value21 = 1;', 'const value21 = 3;'),
  ];
  const at = (line: number) => `https://github.com/acme/shop/blob/${headSha}/src/a.js#L${line}`;
  const review = make({ suggestions: renamed }).review;
  expect(review?.comments.map(({ body }) => body.split('```\n\n')[1] ?? '')).toEqual([
    `Apply together with the suggestion on [\`src/a.js:20\`](${at(20)}).`,
    `Apply together with the suggestion on [\`src/a.js:18\`](${at(18)}).`,
    '',
  ]);
});

test('a finding’s suggestion names the change that needs it', () => {
  const findings = [on(20, { suggestion: 'const forty = 2;\n' })];
  const use = {
    ...suggestion,
    firstLine: 22,
    lastLine: 22,
    before: ['const value22 = 1;'],
    after: ['use(forty);'],
  };
  const bodies = make({ findings, suggestions: [use] }).review?.comments.map(({ body }) => body) ?? [];
  expect(bodies.map((body) => /Apply together with the suggestion on \[`(.*?)`\]/.exec(body)?.[1])).toEqual([
    'src/a.js:22',
    'src/a.js:20',
  ]);
});

test('marks a finding on another line, and displays its suggestion without offering it', () => {
  const review = make({ findings: [on(26, { suggestion: 'x' })] }).review;
  expect(review?.comments.map((comment) => comment.body.split('\n').slice(1))).toEqual([
    [
      '**high** · Off by one',
      '',
      'About line 26, which is not part of this diff.',
      '',
      'The loop ends one too early.',
      '',
      'What it could be instead:',
      '',
      '```',
      'x',
      '```',
    ],
  ]);
});

test('drops a suggestion that changes nothing', () => {
  const review = make({ findings: [on(20, { suggestion: 'const twenty = 2;' })] }).review;
  expect(review?.comments[0]?.body).not.toContain('const twenty');
});

test('leaves findings above the limit and below the severity of threads to the summary', () => {
  const findings = [on(20, { severity: 'low' }), on(19, { severity: 'critical' }), on(18)];
  const onLine = (more: Parameters<typeof make>[0]) => {
    const { review, onLines } = make({ findings, ...more });
    return [review?.comments.map(({ line }) => line) ?? null, onLines.length];
  };
  expect([
    onLine({ budget: 1 }),
    onLine({ threadsFrom: 'medium' }),
    onLine({ threadsFrom: 'low' }),
    onLine({ findings: findings.slice(0, 1), threadsFrom: 'medium' }),
  ]).toEqual([
    [[19], 1],
    [[19, 18], 2],
    [[19, 18, 20], 3],
    [null, 0],
  ]);
  expect([make({}), make({ event: 'APPROVE', verdictIsNews: true }).review]).toEqual([
    { review: null, offered: [], onLines: [] },
    {
      event: 'APPROVE',
      body: '<!-- anode:review v1 run=run_1 -->\n**Nothing is open.**',
      comments: [],
    },
  ]);
});

test('keeps to GitHub’s limits', () => {
  const made = make({ findings: [on(20, { body: 'long '.repeat(4000), suggestion: 'z\n'.repeat(40_000) })] });
  const bodies = made.review?.comments.map((comment) => comment.body) ?? [];
  expect([bodies.length, bodies.every((body) => body.length <= maximumBody)]).toEqual([1, true]);
});
