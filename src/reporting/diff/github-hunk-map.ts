import type { Octokit } from '@octokit/rest';
import type { RunPlan } from '../../contract/plan.ts';
import { type HunkMap, hunkMapOf } from './hunk-map.ts';
import { numberLines } from './parse-hunks.ts';
import { readPatch } from './split-patch.ts';

/**
 * The map of a pull request as GitHub itself shows it, for when it takes a line for none of the diff that by git is one:
 * it leaves out the hunks of very large files and of what comes after 3,000 files.
 */
export async function readGitHubHunkMap(plan: RunPlan, octokit: Octokit): Promise<HunkMap> {
  const files = await octokit.paginate(octokit.rest.pulls.listFiles, {
    owner: plan.repository.owner,
    repo: plan.repository.name,
    pull_number: plan.thread?.number ?? 0,
    per_page: 100,
  });
  return hunkMapOf(
    files.map(({ filename, previous_filename, patch, status }) => ({
      path: filename,
      oldPath: status === 'added' ? null : (previous_filename ?? filename),
      plain: false,
      hunks: (readPatch(`--- a\n+++ b\n${patch ?? ''}\n`)?.hunks ?? []).map((hunk) => numberLines(hunk)),
      text: '',
    })),
  );
}
