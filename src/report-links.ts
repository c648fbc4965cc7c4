import { randomBytes } from 'node:crypto';
import type { StateStore } from './contract/session.ts';
import { isSigned, signValue } from './state/sign-value.ts';

/** Makes addresses of run reports that nobody can guess and that end by themselves, and knows them again. */
export interface ReportLinks {
  /** The address of a run's report, good until `expires`. */
  linkTo(runId: string, expires: Date): string;
  /** The run that a request's path and query ask for; null for every one that is not as it was made, or too late. */
  runOf(pathAndQuery: string, now: Date): string | null;
}

const secretKey = 'report/secret';
const longestAddress = 500;

/**
 * Links under a public address such as `https://anode.example.com`. The key that signs them is made at random and kept in
 * the store: an address is often public, so a key made from a secret that people chose could be guessed by trying.
 * Deleting `report/secret` from the store makes every link void.
 */
export async function createReportLinks(publicUrl: string, store: StateStore): Promise<ReportLinks> {
  await store.claim(secretKey, randomBytes(32).toString('hex'));
  const secret = await store.get(secretKey);
  if (secret === null) throw new Error('The key for links to reports could not be kept.');
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
