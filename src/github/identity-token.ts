import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { userAgent } from './create-octokit.ts';

/**
 * Returns a token (JWT) in which GitHub names the workflow, for a service that checks identities.
 * Rejects if GitHub gives none; the error holds no token.
 */
export type IdentityTokenSource = (audience: string) => Promise<string>;

const Answer = z.object({ value: z.string().min(1) });

/** Milliseconds before each further try. */
const waitsMs = [500, 2_000];

/** Milliseconds for one request. */
const requestMs = 10_000;

/**
 * Returns the source of a workflow job with the permission `id-token: write`; null for any other
 * (GitHub Docs, "OpenID Connect reference", "Methods for requesting the OIDC token").
 */
export function identityTokenOf(
  variables: Readonly<Record<string, string | undefined>>,
): IdentityTokenSource | null {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address = '', ACTIONS_ID_TOKEN_REQUEST_TOKEN: token = '' } =
    variables;
  if (!URL.canParse(address) || token === '') return null;
  return async (audience) => {
    const url = new URL(address);
    url.searchParams.set('audience', audience);
    for (let tries = 0; ; tries += 1) {
      const answer = await requestToken(url, token);
      if (typeof answer === 'string') return answer;
      const wait = waitsMs[tries];
      if (!answer.again || wait === undefined) throw new Error(answer.problem);
      await sleep(wait);
    }
  };
}

async function requestToken(
  url: URL,
  token: string,
): Promise<string | { readonly problem: string; readonly again: boolean }> {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': userAgent },
      redirect: 'error',
      signal: AbortSignal.timeout(requestMs),
    });
    if (!response.ok)
      return { problem: `GitHub answered ${response.status}.`, again: response.status >= 500 };
    const answer = Answer.safeParse(await response.json());
    return answer.data?.value ?? { problem: 'GitHub gave no identity token.', again: false };
  } catch {
    return { problem: 'GitHub could not be reached.', again: true };
  }
}
