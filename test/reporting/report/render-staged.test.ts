import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { firstStagedId, type StagedWrite } from '../../../src/github/staged-writes.ts';
import { renderStaged } from '../../../src/reporting/report/render-staged.ts';

const sent = (method: string, path: string, body: JsonObject): StagedWrite => ({
  kind: 'request',
  ...{ method, body },
  path: path.startsWith('/') ? path : `/repos/acme/shop/${path}`,
});

test('each write has a heading that a person understands, in the order of the run', () => {
  const comments = [
    { path: 'a.ts', start_line: 3, line: 4, body: 'Wrong.' },
    { path: 'b.ts', line: 1, body: 'Late.' },
  ];
  const commit = `https://github.example/acme/shop/commit/${firstStagedId.toString(16).padStart(40, '0')}`;
  const text = renderStaged([
    sent('POST', 'issues/comments/5/reactions', { content: 'eyes' }),
    sent('POST', 'issues/7/comments', { body: `Committed [\`0000000\`](${commit}) for #${firstStagedId}.` }),
    sent('PATCH', 'issues/comments/5', { body: 'Text.' }),
    sent('POST', 'pulls/7/reviews', { event: 'REQUEST_CHANGES', body: 'Two.', comments }),
    sent('POST', 'pulls/7/comments/8/replies', { body: 'Yes.' }),
    sent('PUT', 'pulls/7/reviews/9/dismissals', { message: 'Fixed.' }),
    sent('POST', 'git/refs', { ref: 'refs/heads/anode/x', sha: 'abc' }),
    { kind: 'push', branch: 'anode/x', message: 'Paint\n\nIn blue.\n', patch: '-red\n+blue\n' },
    sent('POST', 'pulls', { title: 'Paint', head: 'anode/x', base: 'main', draft: true, body: 'It is.' }),
    sent('POST', 'issues', { title: 'Later', body: 'Do it.', labels: ['bug'], assignees: ['ada'] }),
    sent('PATCH', 'pulls/7', { title: 'New', body: 'Text.' }),
    sent('POST', 'issues/7/labels', { labels: ['a', 'b'] }),
    sent('POST', 'pulls/7/requested_reviewers', { reviewers: ['ada'], team_reviewers: ['core'] }),
    sent('PATCH', 'check-runs/3', { status: 'completed', conclusion: 'neutral', output: { title: 'One' } }),
    sent('DELETE', 'issues/comments/4', {}),
    sent('POST', '/graphql/resolveReviewThread', { id: 'T_1' }),
    sent('POST', 'something/new', { a: 1 }),
  ]);
  expect(text).toBe(
    [
      '## Staged',
      'This run was staged: nothing was written to GitHub. Without `staged` it would have made 17 writes:',
      '#### 👀 on the comment',
      '#### Comment on #7\n\nCommitted a new commit for #(new).',
      '#### New text of a comment\n\nText.',
      '#### Review of #7: request changes, 2 line comments\n\nTwo.\n\n**`a.ts:3-4`**\n\nWrong.\n\n**`b.ts:1`**\n\nLate.',
      '#### Reply in a review thread of #7\n\nYes.',
      '#### Dismissal of a review of #7\n\nFixed.',
      '#### Branch: `anode/x`',
      '#### Commit on `anode/x`\n\n```\nPaint\n\nIn blue.\n```\n\n```diff\n-red\n+blue\n```',
      '#### Pull request: `Paint`\n\nFrom `anode/x` into `main` as a draft.\n\nIt is.',
      '#### Issue: `Later`\n\nLabels: `bug`.\n\nAssignees: `ada`.\n\nDo it.',
      '#### New description of #7\n\nTitle: `New`\n\nText.',
      '#### Labels on #7: `a`, `b`',
      '#### Reviewers of #7: `ada`, `core`',
      '#### Check: neutral\n\nOne',
      '#### Deletion: `issues/comments/4`',
      '#### Resolved thread: `T_1`',
      '#### `POST /repos/acme/shop/something/new`\n\n```json\n{\n  "a": 1\n}\n```',
      '---\n\n',
    ].join('\n\n'),
  );
});

test('a run without a write says so, and very many writes fit into a summary', () => {
  expect(renderStaged([])).toContain('It would have written nothing to GitHub.');
  const many = Array.from({ length: 40 }, (_, index) =>
    sent('POST', `issues/${index}/comments`, { body: '€'.repeat(60_000) }),
  );
  expect(Buffer.byteLength(renderStaged(many))).toBeLessThan(520_000);
});
