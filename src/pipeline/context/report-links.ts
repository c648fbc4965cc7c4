import { randomBytes } from 'node:crypto';
import { defaultReportLinkDays } from '../../config/defaults.ts';
import type { Config } from '../../config/schema.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { type StateRoot, sharedKeys } from '../../contract/state-store.ts';
import { isSigned, signValue } from '../../state/sign-value.ts';

/** Creates signed, expiring links to run reports, and verifies them. */
export interface ReportLinks {
  /** Returns the link to a run's report, valid until `expires`. */
  linkTo(runId: string, expires: Date): string;
  /** Returns the run of a request's path and query; null if the link is invalid or expired. */
  runOf(pathAndQuery: string, now: Date): string | null;
}

const longestAddress = 500;

/**
 * Returns the key that signs links, made at random and stored. A key made from a chosen secret
 * could be guessed, as links are often public. Deleting `report/secret` makes every link void.
 */
export async function reportSecret(state: StateRoot): Promise<string> {
  await state.claim(sharedKeys.reportSecret(), randomBytes(32).toString('hex'));
  const secret = await state.get(sharedKeys.reportSecret());
  if (secret === null) throw new Error('The key for links to reports could not be kept.');
  return secret;
}

/** Creates links below a public address such as `https://anode.example.com`. */
export function createReportLinks(publicUrl: string, secret: string): ReportLinks {
  return {
    linkTo(runId, expires) {
      const seconds = String(Math.floor(expires.getTime() / 1000));
      const signature = signValue(secret, `report/${runId}`, seconds);
      return `${publicUrl}/runs/${runId}/report?expires=${seconds}&signature=${signature}`;
    },
    runOf(pathAndQuery, now) {
      if (pathAndQuery.length > longestAddress) return null;
      const found = form.exec(pathAndQuery);
      const [, runId = '', expires = '', signature = ''] = found ?? [];
      const signed = isSigned(secret, `report/${runId}`, expires, signature);
      return found !== null && signed && Number(expires) * 1000 > now.getTime() ? runId : null;
    },
  };
}

const form = /^\/runs\/(run_\w{1,64})\/report\?expires=(\d{1,12})&signature=([0-9a-f]{64})$/;

const signedQuery = /(\/runs\/run_\w{1,64}\/report)\?expires=\d+&(?:amp;)?signature=[0-9a-f]+/g;

/** Returns a text whose links to reports open nothing: a signature is as good as a password. */
export function withoutSignatures(text: string): string {
  return text.replaceAll(signedQuery, '$1');
}

/**
 * Returns the link to a run's report, the same at every call; null if the configuration wants none.
 */
export function reportLinkFor(plan: RunPlan, config: Config, links: ReportLinks): string | null {
  const days = config.report?.linkDays ?? defaultReportLinkDays;
  if (days === 0) return null;
  return links.linkTo(plan.run_id, new Date(Date.parse(plan.triggered_at) + days * 24 * 60 * 60 * 1000));
}
