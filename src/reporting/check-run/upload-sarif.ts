import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Octokit } from '@octokit/rest';
import type { RunPlan } from '../../contract/plan.ts';

/**
 * Gives a SARIF file to code scanning, for the commit and ref the run looked at. Another file for the same commit takes the
 * place of this one, so nothing is there twice. Throws what octokit throws: 403 where code scanning is off or the
 * token may not.
 */
export async function uploadSarif(
  log: object,
  plan: Pick<RunPlan, 'repository' | 'checkout' | 'triggered_at'>,
  octokit: Octokit,
): Promise<{ readonly id: string | null }> {
  const compressed = await promisify(gzip)(JSON.stringify(log));
  const { data } = await octokit.rest.codeScanning.uploadSarif({
    owner: plan.repository.owner,
    repo: plan.repository.name,
    commit_sha: plan.checkout.sha,
    ref: plan.checkout.ref,
    sarif: compressed.toString('base64'),
    started_at: plan.triggered_at,
    tool_name: 'Anode CI',
  });
  return { id: data.id ?? null };
}
