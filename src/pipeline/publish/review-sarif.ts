import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import type { Finding, ToldFinding } from '../../contract/findings.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { renderSarif } from '../../reporting/check-run/sarif.ts';
import { createHunkMap } from '../../reporting/diff/hunk-map.ts';
import { textSource } from '../../reporting/findings/line-context.ts';
import { reportableFindings } from '../../reporting/findings/reportable-findings.ts';
import { openFindings } from '../../reporting/review/fold-findings.ts';
import { readFileAt } from '../../workspace/git/files-at.ts';
import type { OwnGit } from '../../workspace/git/own-git.ts';

type Reviewed = Pick<Outcome, 'findings' | 'conclusion' | 'unreported'>;

type About = Pick<Parameters<typeof renderSarif>[1], 'sha' | 'repository' | 'forUpload'>;

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
export async function reviewSarif(outcome: Reviewed, change: ReviewedChange, about: About) {
  const map = createHunkMap(change.diff);
  const findings = reportableFindings(outcome.findings, change.config.review ?? {}, map);
  return renderAll(outcome, findings, change, about);
}

/**
 * Renders all findings of the pull request that a plan reviews, carried ones included. Code
 * scanning closes what an upload omits, so dismissed ones are only in a file, as suppressed.
 */
export async function planSarif(
  { outcome, told }: ReviewedOutcome,
  plan: RunPlan,
  change: Omit<ReviewedChange, 'to'>,
  forUpload: boolean,
) {
  const { sha } = plan.checkout;
  const about = { sha, repository: plan.repository.clone_url.replace(/\.git$/, ''), forUpload };
  const whole = { ...change, to: sha };
  if (told === undefined) return reviewSarif(outcome, whole, about);
  const dismissed = forUpload ? [] : told.filter(({ state }) => state === 'dismissed');
  const all = [...openFindings(told), ...dismissed];
  return renderAll(
    outcome,
    all.map(({ finding }) => finding),
    whole,
    {
      ...about,
      ids: new Map(all.map(({ id, finding }) => [finding, id])),
      dismissed: new Map(
        dismissed.map(({ finding, by }) => [finding, `Dismissed by ${by ?? 'a user'} on the pull request.`]),
      ),
    },
  );
}

/** A review, and all that is known of its pull request's findings. */
export interface ReviewedOutcome {
  readonly outcome: Reviewed;
  readonly told: readonly ToldFinding[] | undefined;
}

async function renderAll(
  { conclusion, unreported }: Reviewed,
  findings: readonly Finding[],
  { diff, git, to }: ReviewedChange,
  about: Omit<Parameters<typeof renderSarif>[1], 'source' | 'complete'>,
) {
  const map = createHunkMap(diff);
  const paths = findings.map((finding) => finding.path);
  const readText = (file: string) => readFileAt(git, to, file);
  const source = await textSource(paths, to, map, { readText });
  const complete = conclusion === 'success' && unreported === undefined;
  return renderSarif(findings, { ...about, source, complete });
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
  await writeSarif(file, await planSarif(reviewed, plan, { ...change, diff }, false));
  return file;
}

/** Writes a SARIF log. A link at the target is replaced, not followed. */
export async function writeSarif(file: string, log: object): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(log, null, 2)}\n`, { flag: 'wx' });
}
