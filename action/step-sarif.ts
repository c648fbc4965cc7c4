import path from 'node:path';
import { mergeConfig } from '../src/config/merge-config.ts';
import type { Outcome } from '../src/contract/outcome.ts';
import { reviewSarif, writeSarif } from '../src/pipeline/publish/review-sarif.ts';
import { reviewRange } from '../src/workspace/changes/review-diff.ts';
import { diffTrees } from '../src/workspace/git/tree-diff.ts';
import type { ActionInputs } from './inputs.ts';
import type { Job } from './job.ts';

/**
 * Writes the findings of a review step as a SARIF file; returns null if there was nothing to
 * review.
 */
export async function stepSarif(
  outcome: Pick<Outcome, 'findings' | 'conclusion' | 'run_id'>,
  job: Job,
  inputs: ActionInputs,
): Promise<string | null> {
  const file = path.resolve(inputs.sarifFile ?? path.join(job.temporaryFolder, 'anode.sarif'));
  const range = await reviewRange(
    job.workspace,
    path.join(job.temporaryFolder, `${outcome.run_id}.sarif.git`),
  );
  if (range === null) return null;
  const { patch: diff } = await diffTrees(range.git, range.from, range.to);
  const repository = `${job.serverUrl}/${job.owner}/${job.repository}`;
  const change = { diff, git: range.git, to: range.to, config: mergeConfig(inputs.overrides) };
  await writeSarif(file, await reviewSarif(outcome, change, { sha: job.sha, repository, forUpload: false }));
  return file;
}
