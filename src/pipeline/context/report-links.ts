import { randomBytes } from 'node:crypto';
import { defaultReportLinkDays } from '../../config/defaults.ts';
import type { Config } from '../../config/schema.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { type StateRoot, sharedKeys } from '../../contract/state-store.ts';
import { isSigned, signValue } from '../../state/sign-value.ts';

/** Makes addresses of run reports that nobody can guess and that end by themselves, and knows them again. */
export interface ReportLinks {
  /** The address of a run's report, good until `expires`. */
  linkTo(runId: string, expires: Date): string;
  /** The run that a request's path and query ask for; null for every one that is not as it was made, or too late. */
  runOf(pathAndQuery: string, now: Date): string | null;
}

const longestAddress = 500;

/**
 * The key that signs links. It is made at random and kept: an address is often public, so a key made from a secret that people chose
 * could be guessed by trying. Deleting `report/secret` makes every link void.
 */
export async function reportSecret(state: StateRoot): Promise<string> {
  await state.claim(sharedKeys.reportSecret(), randomBytes(32).toString('hex'));
  const secret = await state.get(sharedKeys.reportSecret());
  if (secret === null) throw new Error('The key for links to reports could not be kept.');
  return secret;
}

/** Links under a public address such as `https://anode.example.com`, signed with the key. */
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

/** The address of a run's report, the same at every call; null if the configuration wants none. */
export function reportLinkFor(plan: RunPlan, config: Config, links: ReportLinks): string | null {
  const days = config.report?.linkDays ?? defaultReportLinkDays;
  if (days === 0) return null;
  return links.linkTo(plan.run_id, new Date(Date.parse(plan.triggered_at) + days * 24 * 60 * 60 * 1000));
}
