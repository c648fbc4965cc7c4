import { readFailedResponse } from './api-errors.ts';

/** GitHub's texts for a token without a permission; a GraphQL error has one and no status. */
const deniedText =
  /resource not accessible by (?:integration|personal access token)|permissions requested are not granted/iu;

/** Refusal of a workflow file: GitHub names the permission in its text only. */
const workflowText = /without [`']?workflows?[`']? (?:permission|scope)/iu;

/**
 * Permissions of writes by address or mutation, for an answer without the header. The first row
 * that matches counts.
 */
const byRequest: readonly (readonly [request: RegExp, permission: string])[] = [
  [/createCommitOnBranch|\/git\/|\/branches\b|\/contents\b|\/commits\b/u, 'contents: write'],
  [/resolveReviewThread|\/pulls\b|addPullRequest|enqueue/u, 'pull_requests: write'],
  [/\/check-(?:runs|suites)\b/u, 'checks: write'],
  [/\/statuses\b/u, 'statuses: write'],
  [/\/code-scanning\b/u, 'security_events: write'],
  [/\/actions\b/u, 'actions: read'],
  [/\/issues\b|\/labels\b|\/reactions\b/u, 'issues: write'],
];

/**
 * Returns the permission that a failed request lacked, such as `contents: write`, or alternatives
 * joined by "or". Null if the failure has another reason. GitHub names it in a header (GitHub Docs,
 * "Troubleshooting the REST API"); otherwise it is derived from the request's address.
 */
export function missingPermission(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (workflowText.test(error.message)) return 'workflows: write';
  // The status does not tell: a missing object is a 404, and a rate limit a 403.
  if (!deniedText.test(error.message)) return null;
  const named: unknown = Reflect.get(readFailedResponse(error).headers, 'x-accepted-github-permissions');
  if (typeof named === 'string' && named !== '') return readHeader(named);
  return byRequest.find(([pattern]) => pattern.test(describeRequest(error)))?.[1] ?? null;
}

/** True if GitHub did not accept the token itself: it is wrong, expired or revoked. */
export const isRejectedToken = (error: unknown): boolean =>
  error instanceof Error &&
  readFailedResponse(error).status === 401 &&
  /^bad credentials/i.test(error.message);

/** Whoever reads a thread for us also has to answer there. */
const needed: Readonly<Record<string, string>> = {
  'issues: read': 'issues: write',
  'pull_requests: read': 'pull_requests: write',
};

/** `issues=write; pull_requests=write,metadata=read` as a person reads it. */
const readHeader = (header: string): string =>
  header
    .split(';')
    .map((set) =>
      set
        .split(',')
        .map((one) => one.trim().replace('=', ': '))
        .map((one) => needed[one] ?? one)
        .filter((one) => one !== 'metadata: read')
        .join(' and '),
    )
    .filter((set) => set !== '')
    .join(' or ');

/** The address of a failed request, or the query of a GraphQL one. */
function describeRequest(error: Error): string {
  const request: unknown = Reflect.get(error, 'request');
  if (typeof request !== 'object' || request === null) return '';
  const [url, query]: unknown[] = [Reflect.get(request, 'url'), Reflect.get(request, 'query')];
  if (typeof query === 'string') return query;
  return typeof url === 'string'
    ? url.replace(/^https?:\/\/[^/]+(?:\/api\/v3)?\/repos\/[^/]+\/[^/]+/u, '')
    : '';
}

/** Who grants a permission: people of the App's installation, or the author of a workflow. */
export type Grantor = 'app' | 'action' | 'cli';

/** Returns what to do about a missing permission, in one or two sentences. */
export function permissionRemedy(permission: string, grantor: Grantor): string {
  const [first = permission] = permission.split(/ (?:or|and) /u);
  switch (grantor) {
    case 'app':
      return first.startsWith('workflows:')
        ? 'The App asks for no token that may change workflow files. Apply the patch yourself.'
        : `The App lacks the permission \`${permission}\`. Add \`${first}\` under Permissions in the App's settings, then accept it for this installation.`;
    case 'action':
      return first.startsWith('workflows:')
        ? 'A workflow’s own token may never change workflow files. Give the input `github_token` a token of an App that may.'
        : `The job’s token lacks the permission \`${permission}\`. Add the line \`${first.replaceAll('_', '-')}\` under \`permissions:\` in the workflow.`;
    default:
      return `The token lacks the permission \`${permission}\`. Use one that has it.`;
  }
}
