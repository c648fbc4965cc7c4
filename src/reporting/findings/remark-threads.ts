import type { Octokit } from '@octokit/rest';
import * as z from 'zod';
import type { RunPlan } from '../../contract/plan.ts';
import { readApiFailure } from '../posting/api-failure.ts';

/** The conversation below one of our comments. */
export interface RemarkThread {
  readonly id: string;
  readonly resolved: boolean;
  /** A login as GraphQL has it: that of an app without `[bot]`. */
  readonly resolvedBy: string | null;
}

/** `databaseId` holds 32 bits, and newer comments have larger ids (GitHub Docs, GraphQL, "PullRequestReviewComment"). */
const query = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id isResolved resolvedBy { login } comments(first: 1) { nodes { fullDatabaseId } } }
      }
    }
  }
}`;

const Page = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
        nodes: z.array(
          z.object({
            id: z.string(),
            isResolved: z.boolean(),
            resolvedBy: z.object({ login: z.string() }).nullable(),
            comments: z.object({ nodes: z.array(z.object({ fullDatabaseId: z.coerce.number() })) }),
          }),
        ),
      }),
    }),
  }),
});

/** The threads of a pull request by the id of their first comment; null where this token may not see them. */
export async function readRemarkThreads(
  plan: Pick<RunPlan, 'repository' | 'thread'>,
  octokit: Octokit,
): Promise<ReadonlyMap<number, RemarkThread> | null> {
  const { owner, name } = plan.repository;
  const threads = new Map<number, RemarkThread>();
  let after: string | null = null;
  do {
    let answer: unknown;
    try {
      answer = await octokit.graphql(query, { owner, name, number: plan.thread?.number ?? 0, after });
    } catch (error) {
      if (readApiFailure(error) === null) throw error;
      return null;
    }
    const { nodes, pageInfo } = Page.parse(answer).repository.pullRequest.reviewThreads;
    for (const { id, isResolved, resolvedBy, comments } of nodes) {
      const first = comments.nodes[0]?.fullDatabaseId;
      if (first !== undefined)
        threads.set(first, { id, resolved: isResolved, resolvedBy: resolvedBy?.login ?? null });
    }
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  return threads;
}

/** True for our own account, which GraphQL names without `[bot]`. */
export function isOwnLogin(login: string | null, ownLogin: string): boolean {
  return login?.toLowerCase() === ownLogin.replace(/\[bot\]$/u, '').toLowerCase() || login === ownLogin;
}
