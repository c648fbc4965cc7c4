import { readApiFailure } from './api-failure.ts';

/** For requests that make something: Octokit must not send them again, as `postOnce` looks first. */
export const withoutRetries = { retries: 0 } as const;

/**
 * Makes one thing on GitHub, once: looks for it, else makes it. When the answer to making it was lost (a
 * broken connection, a 5xx), it may be there nevertheless: looks again before the one further try.
 */
export async function postOnce<Thing>(
  find: () => Promise<Thing | null>,
  make: () => Promise<Thing>,
): Promise<Thing> {
  const existing = await find();
  if (existing !== null) return existing;
  try {
    return await make();
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null || failure.status < 500) throw error;
    return (await find()) ?? (await make());
  }
}
