import type { Octokit } from '@octokit/rest';

/** A check that failed, with what it says. */
export interface FailingCheck {
  readonly name: string;
  readonly conclusion: string;
  /** Its own words, the newest lines of its log last. */
  readonly text: string;
}

const failed = new Set(['failure', 'timed_out', 'action_required', 'startup_failure']);
const mostChecks = 8;
const mostAnnotations = 20;
const mostLogLines = 120;
const mostText = 8_000;

/**
 * The checks of a commit that failed, with annotations and the end of the log where it is a job of GitHub Actions. Null where
 * this token may not read checks. All of it is what strangers' code printed.
 */
export async function readFailingChecks(
  octokit: Octokit,
  place: { readonly owner: string; readonly repo: string },
  sha: string,
): Promise<FailingCheck[] | null> {
  try {
    const { data } = await octokit.rest.checks.listForRef({
      ...place,
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
        const [annotations, log] = await Promise.all([
          output.annotations_count > 0 ? readAnnotations(octokit, place, id) : '',
          app?.slug === 'github-actions' ? readLogTail(octokit, place, id) : '',
        ]);
        const parts = [output.title ?? '', output.summary ?? '', annotations, log];
        const text = parts.filter((part) => part.trim() !== '').join('\n\n');
        return { name, conclusion: conclusion ?? '', text: text.slice(-mostText) };
      }),
    );
  } catch (error) {
    if (mayNot(error)) return null;
    throw error;
  }
}

async function readAnnotations(
  octokit: Octokit,
  place: { readonly owner: string; readonly repo: string },
  id: number,
): Promise<string> {
  const { data } = await octokit.rest.checks.listAnnotations({
    ...place,
    check_run_id: id,
    per_page: mostAnnotations,
  });
  return data
    .map(({ path, start_line, annotation_level, title, message }) =>
      `${path}:${start_line} ${annotation_level ?? ''} ${title ?? ''} ${message ?? ''}`.trim(),
    )
    .join('\n');
}

/** The end of a job's log; '' where it cannot be had, as it is only one of the sources. */
async function readLogTail(
  octokit: Octokit,
  place: { readonly owner: string; readonly repo: string },
  id: number,
): Promise<string> {
  try {
    const { data } = await octokit.rest.actions.downloadJobLogsForWorkflowRun({ ...place, job_id: id });
    const text =
      typeof data === 'string' ? data : data instanceof ArrayBuffer ? Buffer.from(data).toString('utf8') : '';
    return withoutTimes(text).split('\n').slice(-mostLogLines).join('\n');
  } catch {
    return '';
  }
}

/** Each line of such a log begins with its time. */
function withoutTimes(text: string): string {
  return text.slice(-200_000).replaceAll(/^\d{4}-\d\d-\d\dT[\d:.]+Z /gm, '');
}

function mayNot(error: unknown): boolean {
  return error instanceof Error && 'status' in error && [403, 404].some((status) => status === error.status);
}
