import type { RunPlan } from '../../contract/plan.ts';
import { isOutage, isUntyped } from '../../github/api-errors.ts';
import { missingPermission, permissionRemedy } from '../../github/missing-permission.ts';
import { oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';
import type { PublishLog } from './ports.ts';

/** A failed answer of GitHub's API, or none at all. */
export interface ApiFailure {
  /**
   * The HTTP status. 500 also means a broken connection. A GraphQL error has 200, or 502 without a
   * type: then GitHub was down.
   */
  readonly status: number;
  readonly message: string;
  /** The types of GraphQL errors: `STALE_DATA`, `FORBIDDEN`. */
  readonly types: readonly string[];
}

/**
 * Reads an Octokit error: the `status` of a `RequestError`, the `errors` of a
 * `GraphqlResponseError`. Null for any other error, which is a defect.
 */
export function readApiFailure(error: unknown): ApiFailure | null {
  if (!(error instanceof Error)) return null;
  if ('status' in error && typeof error.status === 'number') {
    return { status: error.status, message: withoutPage(error.message), types: [] };
  }
  if (error.name === 'GraphqlResponseError' && 'errors' in error && Array.isArray(error.errors)) {
    const errors: readonly unknown[] = error.errors;
    const message = textsOf(errors, 'message').join('\n');
    const status = errors.length > 0 && errors.every(isUntyped) ? 502 : 200;
    return { status, message: message === '' ? error.message : message, types: textsOf(errors, 'type') };
  }
  return null;
}

/**
 * Reads GitHub's refusal. Throws any other error, and an outage of GitHub if `triedAgain`: then the
 * caller is called again.
 */
export function readApiRefusal(error: unknown, triedAgain = false): ApiFailure {
  const failure = readApiFailure(error);
  if (failure === null || (triedAgain && isOutage(error))) throw error;
  return failure;
}

/**
 * Returns why GitHub refused, for a report: its own words, or the permission that is missing and
 * where to grant it.
 */
export function explainRefusal(error: unknown, plan: Pick<RunPlan, 'source'>, length = 400): string {
  const permission = missingPermission(error);
  if (permission !== null) return permissionRemedy(permission, plan.source.kind);
  return publicCut(oneLine(readApiRefusal(error).message), length, '…');
}

/** The values of a field that are texts. */
function textsOf(errors: readonly unknown[], field: string): string[] {
  return errors.flatMap((one) => {
    const value: unknown = typeof one === 'object' && one !== null ? Reflect.get(one, field) : undefined;
    return typeof value === 'string' ? [value] : [];
  });
}

/** Removes the documentation link that Octokit appends. */
const withoutPage = (message: string): string => message.replace(/ - https:\/\/\S+$/u, '');

/** Runs one action on GitHub. Null if GitHub refused it; the report then names it by `what`. */
export type Attempt = <Result>(what: string, act: () => Promise<Result>) => Promise<Result | null>;

/**
 * Creates attempts that log failures and add a sentence to `failures`. Throws an outage of GitHub
 * if the caller retries, and a defect unless `onDefect` takes it.
 */
export function createAttempt(
  plan: RunPlan,
  {
    log,
    triedAgain = false,
    onDefect,
  }: {
    readonly log: PublishLog;
    readonly triedAgain?: boolean;
    /** Called with the sentence that was added to `failures`. */
    readonly onDefect?: (failure: string) => void;
  },
  failures: string[],
): Attempt {
  return async (what, act) => {
    try {
      return await act();
    } catch (error) {
      if (readApiFailure(error) === null && onDefect !== undefined) {
        log.warn({ run: plan.run_id, err: error }, 'not finished, for a defect');
        const failure = `${what} could not be finished for a defect of Anode CI itself. Its log has the cause.`;
        failures.push(failure);
        onDefect(failure);
        return null;
      }
      const { status, message } = readApiRefusal(error, triedAgain);
      log.warn({ run: plan.run_id, status, message }, 'not posted');
      failures.push(`${what} could not be posted: ${explainRefusal(error, plan)}`);
      return null;
    }
  };
}
