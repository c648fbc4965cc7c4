import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { renderSarif } from '../../reporting/check-run/sarif.ts';
import { createHunkMap } from '../../reporting/diff/hunk-map.ts';
import { textSource } from '../../reporting/findings/line-context.ts';
import { reportableFindings } from '../../reporting/findings/reportable-findings.ts';
import { readFileAt } from '../../workspace/git/files-at.ts';
import type { OwnGit } from '../../workspace/git/own-git.ts';

type Reviewed = Pick<Outcome, 'findings' | 'conclusion' | 'unreported'>;

/** A reviewed change, and the source of its texts. */
export interface ReviewedChange {
  /** The diff as git shows it. */
  readonly diff: string;
  readonly git: OwnGit;
  /** The new side: a commit or a tree. */
  readonly to: string;
  readonly config: Config;
}

/** Renders the reportable findings of a review as a SARIF log, reported before or not. */
export async function reviewSarif(
  outcome: Reviewed,
  change: ReviewedChange,
  about: { readonly sha: string | null; readonly repository: string | null; readonly forUpload: boolean },
) {
  const map = createHunkMap(change.diff);
  const findings = reportableFindings(outcome.findings, change.config.review ?? {}, map);
  const paths = findings.map((finding) => finding.path);
  const readText = (file: string) => readFileAt(change.git, change.to, file);
  const source = await textSource(paths, change.to, map, { readText });
  const complete = outcome.conclusion === 'success' && outcome.unreported === undefined;
  return renderSarif(findings, { ...about, source, complete });
}

/** Renders the findings of the pull request that a plan reviews. */
export async function planSarif(
  outcome: Reviewed,
  plan: RunPlan,
  change: Omit<ReviewedChange, 'to'>,
  forUpload: boolean,
) {
  const { sha } = plan.checkout;
  const repository = plan.repository.clone_url.replace(/\.git$/, '');
  return reviewSarif(outcome, { ...change, to: sha }, { sha, repository, forUpload });
}

/**
 * Writes them to a file. Returns null without a file, and for any run but a review of a pull
 * request.
 */
export async function saveSarif(
  file: string | null | undefined,
  outcome: Reviewed,
  plan: RunPlan,
  change: Omit<ReviewedChange, 'to' | 'diff'> & { readonly diff: string | null },
): Promise<string | null> {
  const { diff } = change;
  if (file == null || diff === null || plan.profile !== 'review') return null;
  await writeSarif(file, await planSarif(outcome, plan, { ...change, diff }, false));
  return file;
}

/** Writes a SARIF log. A link at the target is replaced, not followed. */
export async function writeSarif(file: string, log: object): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(log, null, 2)}\n`, { flag: 'wx' });
}
