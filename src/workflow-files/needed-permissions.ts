import type { OwnUse } from './own-uses.ts';

/** Events of a thread in which someone can ask for changes. */
const requestEvents = ['issue_comment', 'issues', 'pull_request_review', 'pull_request_review_comment'];

/**
 * Events that bring a pull request to review. The end of a build may also bring one to repair; the
 * workflow does not tell which, and only a repair pushes.
 */
const reviewEvents = ['pull_request', 'pull_request_target', 'workflow_run'];

type Scopes = Readonly<Record<string, 'read' | 'write'>>;

/** The permissions of a step with a prompt: it only reads, unless its change is to be published. */
export const taskPermissions = ({ createsPull }: Pick<OwnUse, 'createsPull'>): Scopes =>
  createsPull ? { contents: 'write', 'pull-requests': 'write' } : { contents: 'read' };

/**
 * Returns the permissions that a use of Anode CI without a prompt needs for an event, by scope as
 * workflows write them.
 */
export function neededPermissions(event: string, use: Pick<OwnUse, 'isReview' | 'isAgentJob'>): Scopes {
  if (use.isAgentJob) return { contents: 'read', issues: 'read', 'pull-requests': 'read' };
  if (requestEvents.includes(event) && !use.isReview)
    return { contents: 'write', issues: 'write', 'pull-requests': 'write' };
  if (requestEvents.includes(event)) return { contents: 'read', issues: 'write', 'pull-requests': 'write' };
  if (reviewEvents.includes(event)) return { contents: 'read', 'pull-requests': 'write' };
  return { contents: 'read' };
}

/** Combines permissions; of two levels, the wider counts. */
export function widestPermissions(all: readonly Scopes[]): Readonly<Record<string, 'read' | 'write'>> {
  const wide: Record<string, 'read' | 'write'> = {};
  for (const [scope, level] of all.flatMap((one) => Object.entries(one)))
    if (wide[scope] !== 'write') wide[scope] = level;
  return wide;
}

/**
 * Permissions beyond the needed ones. Requests on a fork's pull request are worked on only if its
 * checks can be read.
 */
export const usefulPermissions = (event: string): Scopes =>
  requestEvents.includes(event) ? { checks: 'read' } : {};
