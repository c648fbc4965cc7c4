import { expect, test } from 'vitest';
import { missingPermission, permissionRemedy } from '../../src/github/missing-permission.ts';

const denied = 'Resource not accessible by integration';
const repository = 'https://api.github.com/repos/acme/shop';

/** As Octokit throws it: with its request, and the headers of the answer. */
const failed = (path: string, message = denied, headers: Record<string, string> = {}) =>
  Object.assign(new Error(`${message} - https://docs.github.com/rest`), {
    status: 403,
    request: { method: 'POST', url: `${repository}${path}` },
    response: { status: 403, headers },
  });
const accepts = (value: string) =>
  failed('/issues/1/comments', denied, { 'x-accepted-github-permissions': value });

test('GitHub names the permissions for a request in a header, with alternatives', () => {
  expect(
    [
      'contents=write',
      'issues=write; pull_requests=write',
      'metadata=read,contents=read; pull_requests=read,contents=read',
    ].map((value) => missingPermission(accepts(value))),
  ).toEqual([
    'contents: write',
    'issues: write or pull_requests: write',
    'contents: read or pull_requests: write and contents: read',
  ]);
});

test.each([
  ['/issues/1/comments', 'issues: write'],
  ['/git/refs', 'contents: write'],
  ['/pulls/1/reviews', 'pull_requests: write'],
  ['/check-runs', 'checks: write'],
  ['/statuses/abc', 'statuses: write'],
  ['/code-scanning/sarifs', 'security_events: write'],
  ['/actions/jobs/1/logs', 'actions: read'],
])('without the header the address determines it: %s', (path, permission) => {
  expect(missingPermission(failed(path))).toBe(permission);
});

test('a refusal by GraphQL or of a workflow file names its permission too', () => {
  const graphql = Object.assign(new Error(`Request failed due to following response errors:\n - ${denied}`), {
    errors: [{ type: 'FORBIDDEN', message: denied }],
    request: {
      query:
        'mutation ($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid } } }',
    },
  });
  const push = new Error(
    'The push to main was refused: refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission',
  );
  expect([missingPermission(graphql), missingPermission(push)]).toEqual([
    'contents: write',
    'workflows: write',
  ]);
});

test.each([
  ['a locked thread', failed('/issues/1/comments', 'Unable to create comment because issue is locked.')],
  ['a rate limit', failed('/issues', 'You have exceeded a secondary rate limit.', { 'retry-after': '60' })],
  ['an archived repository', failed('/issues', 'Repository was archived so is read-only.')],
  ['a defect', new TypeError('no')],
  ['no error', denied],
])('another reason is none: %s', (_, error) => {
  expect(missingPermission(error)).toBeNull();
});

test('the remedy names the permission and where it is granted', () => {
  expect([
    permissionRemedy('pull_requests: write', 'app'),
    permissionRemedy('issues: write or pull_requests: write', 'action'),
    permissionRemedy('pull_requests: write', 'action'),
    permissionRemedy('workflows: write', 'action'),
    permissionRemedy('workflows: write', 'app'),
    permissionRemedy('contents: write', 'cli'),
  ]).toEqual([
    "The App lacks the permission `pull_requests: write`. Add `pull_requests: write` under Permissions in the App's settings, then accept it for this installation.",
    'The job’s token lacks the permission `issues: write or pull_requests: write`. Add the line `issues: write` under `permissions:` in the workflow.',
    'The job’s token lacks the permission `pull_requests: write`. Add the line `pull-requests: write` under `permissions:` in the workflow.',
    'A workflow’s own token may never change workflow files. Give the input `github_token` a token of an App that may.',
    'The App asks for no token that may change workflow files. Apply the patch yourself.',
    'The token lacks the permission `contents: write`. Use one that has it.',
  ]);
});
