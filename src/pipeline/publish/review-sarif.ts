import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import type { ToldFinding } from '../../contract/findings.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { renderSarif, toldSarif } from '../../reporting/check-run/sarif.ts';
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

/** Renders the reportable findings of a review without a pull request as a SARIF log. */
export async function reviewSarif(
  outcome: Reviewed,
  { diff, git, to, config }: ReviewedChange,
  about: Pick<Parameters<typeof renderSarif>[1], 'sha' | 'repository' | 'forUpload'>,
) {
  const map = createHunkMap(diff);
  const findings = reportableFindings(outcome.findings, config.review ?? {}, map);
  const paths = findings.map((finding) => finding.path);
  const readText = (file: string) => readFileAt(git, to, file);
  const source = await textSource(paths, to, map, { readText });
  return renderSarif(findings, { ...about, source, complete: isComplete(outcome) });
}

/** Renders the findings of a review of a pull request, all that are known of it if they are. */
async function planSarif(
  { outcome, told }: ReviewedOutcome,
  plan: RunPlan,
  change: Omit<ReviewedChange, 'to'>,
) {
  const forUpload = false;
  if (told !== undefined) return toldSarif(told, plan, { complete: isComplete(outcome), forUpload });
  const { sha } = plan.checkout;
  const about = { sha, repository: plan.repository.clone_url.replace(/\.git$/, ''), forUpload };
  return reviewSarif(outcome, { ...change, to: sha }, about);
}

const isComplete = ({ conclusion, unreported }: Reviewed): boolean =>
  conclusion === 'success' && unreported === undefined;

/** A review, and all that is known of its pull request's findings. */
export interface ReviewedOutcome {
  readonly outcome: Reviewed;
  readonly told: readonly ToldFinding[] | undefined;
}

/**
 * Writes them to a file. Returns null without a file, and for any run but a review of a pull
 * request.
 */
export async function saveSarif(
  file: string | null | undefined,
  reviewed: ReviewedOutcome,
  plan: RunPlan,
  change: Omit<ReviewedChange, 'to' | 'diff'> & { readonly diff: string | null },
): Promise<string | null> {
  const { diff } = change;
  if (file == null || diff === null || plan.profile !== 'review') return null;
  await writeSarif(file, await planSarif(reviewed, plan, { ...change, diff }));
  return file;
}

/** Writes a SARIF log. A link at the target is replaced, not followed. */
export async function writeSarif(file: string, log: object): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(log, null, 2)}\n`, { flag: 'wx' });
}
