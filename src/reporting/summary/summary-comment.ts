import { parseJson } from '../../contract/json.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { PullSummary } from '../../contract/pull-summary.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { repoOf } from '../../github/api-target.ts';
import { findSummary } from '../findings/own-posts.ts';
import { readApiFailure } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { claimsOn, postOnce, withoutRetries } from '../posting/post-once.ts';
import { readMarker, writeMarker } from '../text/marker.ts';

/** Characters that a summary may take to remember its parts, where nothing else may store them. */
const longestState = 16_000;

/** A summary on GitHub. */
export interface PostedSummary {
  readonly id: number;
  readonly url: string;
}

type SummaryPorts = Pick<PublishPorts, 'octokit' | 'ownLogin' | 'store' | 'wait' | 'progress'> & {
  /** Null if stored state could be forged: then only the comment itself remembers its parts. */
  readonly trusted: StateStore | null;
};

/** Reads the summary of a pull request as it was written last; null if there is none. */
export async function readSummary(
  plan: Pick<RunPlan, 'repository' | 'thread'>,
  { octokit, ownLogin, trusted }: Pick<SummaryPorts, 'octokit' | 'ownLogin' | 'trusted'>,
): Promise<PullSummary | null> {
  if (trusted !== null) {
    const text = await trusted.get(stateKeys.summary(plan.thread?.number ?? 0));
    return text === null ? null : (PullSummary.safeParse(parseJson(text)).data ?? null);
  }
  const comment = await findSummary(plan, octokit, ownLogin);
  if (comment === null) return null;
  const { run = '', by = run } = readMarker(comment.body, 'summary') ?? {};
  const { json = '' } = readMarker(comment.body, 'summary-state') ?? {};
  const nothing = { head: null, news: '', notes: '', walkthrough: null, threads: {}, runs: [], footer: '' };
  const own = { version: 1, comment_id: comment.id, created_by: by, run_id: run };
  const parsed = PullSummary.safeParse({ ...nothing, ...asObject(parseJson(json)), ...own });
  return parsed.data ?? PullSummary.parse({ ...nothing, ...own });
}

/**
 * Writes the summary: edits its comment, lets the progress comment of its first run become it, or
 * creates it. Creates it anew if a user deleted it. Safe to repeat.
 */
export async function writeSummary(
  summary: PullSummary,
  text: string,
  plan: RunPlan,
  { mayBecome, ...ports }: SummaryPorts & { readonly mayBecome: boolean },
): Promise<PostedSummary> {
  const body = bodyOf(summary, text, ports.trusted === null);
  const edited = summary.comment_id === null ? null : await edit(summary.comment_id, body, plan, ports);
  const posted = edited ?? (await create(body, plan, mayBecome ? ports : { ...ports, progress: null }));
  await saveSummary({ ...summary, comment_id: posted.id }, plan, ports.trusted);
  return posted;
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** Stores the parts of a summary. */
async function saveSummary(
  summary: PullSummary,
  plan: Pick<RunPlan, 'thread'>,
  trusted: StateStore | null,
): Promise<void> {
  await trusted?.set(stateKeys.summary(plan.thread?.number ?? 0), JSON.stringify(summary));
}

function bodyOf(summary: PullSummary, text: string, remember: boolean): string {
  const { run_id: run, head, created_by: by } = summary;
  const marker = writeMarker('summary', { run, head: head ?? undefined, by });
  return [marker, ...(remember ? [stateMarker(summary)] : []), text].join('\n');
}

/** Renders what the next edit has to know. A walkthrough that is too long is dropped. */
function stateMarker({ walkthrough, runs }: PullSummary): string {
  const newest = runs.slice(-50);
  const whole = writeMarker('summary-state', { json: JSON.stringify({ walkthrough, runs: newest }) });
  if (whole.length <= longestState) return whole;
  return writeMarker('summary-state', { json: JSON.stringify({ runs: newest }) });
}

/** Writes the text where it differs; null if a user deleted the comment. */
async function edit(
  comment_id: number,
  body: string,
  plan: RunPlan,
  { octokit }: Pick<SummaryPorts, 'octokit'>,
): Promise<PostedSummary | null> {
  const at = { ...repoOf(plan), comment_id };
  try {
    const { data } = await octokit.rest.issues.getComment(at);
    if (data.body !== body) await octokit.rest.issues.updateComment({ ...at, body });
    return { id: data.id, url: data.html_url };
  } catch (error) {
    if (readApiFailure(error)?.status !== 404) throw error;
    return null;
  }
}

async function create(body: string, plan: RunPlan, ports: SummaryPorts): Promise<PostedSummary> {
  const { octokit, ownLogin, progress } = ports;
  const make = async (): Promise<PostedSummary> => {
    const became = await progress?.become(body, octokit);
    if (became != null) return became;
    const target = { ...repoOf(plan), issue_number: plan.thread?.number ?? 0 };
    const { data } = await octokit.rest.issues.createComment({ ...target, body, request: withoutRetries });
    return { id: data.id, url: data.html_url };
  };
  const find = () => findSummary(plan, octokit, ownLogin);
  const posted = await postOnce<PostedSummary>(find, make, claimsOn('summary', plan, ports));
  // An earlier attempt, or a run that nothing is stored of, may have written another text.
  return (await edit(posted.id, body, plan, ports)) ?? posted;
}
