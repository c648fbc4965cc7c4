import type { ToldFinding } from '../../contract/findings.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { createOctokit, type TokenSource } from '../../github/create-octokit.ts';
import type { BrokerContext } from '../context/broker-context.ts';

type ScanContext = Pick<BrokerContext, 'config' | 'scanToken' | 'apiUrl' | 'posting' | 'staged'>;

/**
 * Returns the token for code scanning; null unless the configuration asks for it and there is one.
 */
export function scanTokenOf(plan: RunPlan, { config, scanToken }: ScanContext): TokenSource | null {
  return config.review?.sarif === true && plan.profile === 'review' ? (scanToken ?? null) : null;
}

/**
 * Uploads all that is known of a pull request's findings to code scanning, if the configuration
 * asks for it. Nothing for a review that is not complete: an upload closes what it omits. Throws
 * Octokit's errors.
 */
export async function uploadTold(
  { outcome, told }: { readonly outcome: Outcome; readonly told: readonly ToldFinding[] },
  plan: RunPlan,
  context: ScanContext,
): Promise<void> {
  const token = scanTokenOf(plan, context);
  if (token === null || outcome.conclusion !== 'success' || outcome.unreported !== undefined) return;
  const { toldSarif, uploadSarif } = await import('../../reporting/check-run/sarif.ts');
  const { apiUrl, posting, staged } = context;
  const log = toldSarif(told, plan, { complete: true, forUpload: true });
  await uploadSarif(log, plan, createOctokit({ apiUrl, token, posting, staged }));
}
