import type { Octokit } from '@octokit/rest';
import { type FailureExcerpt, failureExcerpt } from './failure-excerpt.ts';

/** A failed check with its output. */
export interface FailingCheck {
  readonly name: string;
  readonly conclusion: string;
  /** Output of the check, with the failed steps of its log last. */
  readonly text: string;
  /** Scripts of the failed steps, as the log shows them. */
  readonly scripts: readonly string[];
}

const failed = new Set(['failure', 'timed_out', 'action_required', 'startup_failure']);
const mostChecks = 8;
const mostAnnotations = 20;
const mostText = 12_000;

/**
 * Reads the failed checks of a commit, with annotations and the failed steps of a GitHub Actions
 * log. Null if the token may not read checks. All text is untrusted.
 */
export async function readFailingChecks(
  octokit: Octokit,
  repository: { readonly owner: string; readonly repo: string },
  sha: string,
): Promise<FailingCheck[] | null> {
  try {
    const { data } = await octokit.rest.checks.listForRef({
      ...repository,
      ref: sha,
      filter: 'latest',
      status: 'completed',
      per_page: 100,
    });
    const runs = data.check_runs
      .filter(({ conclusion }) => failed.has(conclusion ?? ''))
      .slice(0, mostChecks);
    return await Promise.all(
      runs.map(async ({ id, name, conclusion, output, app }) => {
        const [annotations, { text: log, scripts }] = await Promise.all([
          output.annotations_count > 0 ? readAnnotations(octokit, repository, id) : '',
          app?.slug === 'github-actions' ? readLog(octokit, repository, id) : noLog,
        ]);
        const parts = [output.title ?? '', output.summary ?? '', annotations, log];
        const text = parts.filter((part) => part.trim() !== '').join('\n\n');
        return { name, conclusion: conclusion ?? '', text: text.slice(-mostText), scripts };
      }),
    );
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

async function readAnnotations(
  octokit: Octokit,
  repository: { readonly owner: string; readonly repo: string },
  id: number,
): Promise<string> {
  const { data } = await octokit.rest.checks.listAnnotations({
    ...repository,
    check_run_id: id,
    per_page: mostAnnotations,
  });
  return data
    .map(({ path, start_line, annotation_level, title, message }) =>
      `${path}:${start_line} ${annotation_level ?? ''} ${title ?? ''} ${message ?? ''}`.trim(),
    )
    .join('\n');
}

/** Bytes at the end of a log that are read. */
const mostLog = 4_000_000;

const noLog: FailureExcerpt = { text: '', scripts: [] };

/**
 * Returns the failed steps of a job; none if its log is unavailable, since there are other sources.
 */
async function readLog(
  octokit: Octokit,
  repository: { readonly owner: string; readonly repo: string },
  id: number,
): Promise<FailureExcerpt> {
  try {
    const { data } = await octokit.rest.actions.downloadJobLogsForWorkflowRun({ ...repository, job_id: id });
    const text: unknown = data instanceof ArrayBuffer ? Buffer.from(data).toString('utf8') : data;
    return typeof text !== 'string' ? noLog : failureExcerpt(text.slice(-mostLog));
  } catch {
    return noLog;
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'status' in error && [403, 404].some((status) => status === error.status);
}
