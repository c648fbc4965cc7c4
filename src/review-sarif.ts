import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from './config/schema.ts';
import type { Outcome } from './contract/outcome.ts';
import type { RunPlan } from './contract/plan.ts';
import { heardFindings } from './reporting/findings/heard-findings.ts';
import { textSource } from './reporting/findings/text-source.ts';
import { createHunkMap } from './reporting/hunk-map.ts';
import { renderSarif } from './reporting/render-sarif.ts';
import type { OwnGit } from './workspace/own-git.ts';
import { readFileAt } from './workspace/read-file-at.ts';

/** What a review found, as a SARIF log: all that the configuration wants to hear, told before or not. */
export async function reviewSarif(
  outcome: Pick<Outcome, 'findings' | 'conclusion'>,
  plan: RunPlan,
  review: {
    readonly diff: string;
    readonly git: OwnGit;
    readonly config: Config;
    readonly forUpload: boolean;
  },
) {
  const map = createHunkMap(review.diff);
  const findings = heardFindings(outcome.findings, review.config.review ?? {}, map);
  const { sha } = plan.checkout;
  const source = await textSource(
    findings.map(({ path }) => path),
    sha,
    map,
    { readText: (path) => readFileAt(review.git, sha, path) },
  );
  const repository = plan.repository.clone_url.replace(/\.git$/, '');
  return renderSarif(findings, {
    ...{ source, sha, repository, forUpload: review.forUpload },
    complete: outcome.conclusion === 'success',
  });
}

/** The same of a pull request as a file, where a workflow wants it; null where it wants none, or this was no review of one. */
export async function keepSarif(
  file: string | null | undefined,
  outcome: Pick<Outcome, 'findings' | 'conclusion'>,
  plan: RunPlan,
  review: { readonly diff: string | null; readonly git: OwnGit; readonly config: Config },
): Promise<string | null> {
  const { diff } = review;
  if (file == null || diff === null || plan.profile !== 'review') return null;
  await writeSarif(file, await reviewSarif(outcome, plan, { ...review, diff, forUpload: false }));
  return file;
}

/** Writes a SARIF log where a workflow wants it; a link that lies there is replaced and not followed. */
export async function writeSarif(file: string, log: object): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(log, null, 2)}\n`, { flag: 'wx' });
}
