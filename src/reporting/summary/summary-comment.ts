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
import { readSummaryBoxes, renderSummaryBody, saveSummaryBody } from './summary-boxes.ts';

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
  if (trusted !== null) return storedSummary(plan.thread?.number ?? 0, trusted);
  const comment = await findSummary(plan, octokit, ownLogin);
  if (comment === null) return null;
  const { run = '', by = run } = readMarker(comment.body, 'summary') ?? {};
  const { json = '' } = readMarker(comment.body, 'summary-state') ?? {};
  const nothing = { head: null, news: '', notes: '', walkthrough: null, threads: {}, runs: [], footer: '' };
  const own = { version: 1, comment_id: comment.id, created_by: by, run_id: run };
  const parsed = PullSummary.safeParse({ ...nothing, ...asObject(parseJson(json)), ...own });
  return parsed.data ?? PullSummary.parse({ ...nothing, ...own });
}

/** Returns the summary of a pull request as it is stored; null if none is. */
export async function storedSummary(pull: number, store: StateStore): Promise<PullSummary | null> {
  const text = await store.get(stateKeys.summary(pull));
  return text === null ? null : (PullSummary.safeParse(parseJson(text)).data ?? null);
}

/** Returns the id of the summary's comment, which can show boxes; null if none is stored. */
export async function readSummaryComment(pull: number, store: StateStore): Promise<number | null> {
  const summary = await storedSummary(pull, store);
  return summary === null || summary.text === '' ? null : summary.comment_id;
}

/** Attempts to write a summary whose boxes change at the same time. */
const mostWrites = 3;

/**
 * Writes the summary again, with the boxes that are stored. Returns false if nothing of a summary
 * is stored. Does nothing if a user deleted the comment.
 */
export async function refreshSummary(
  pull: number,
  repository: Pick<RunPlan['repository'], 'owner' | 'name'>,
  { octokit, store }: Pick<SummaryPorts, 'octokit' | 'store'>,
): Promise<boolean> {
  let written: string | null = null;
  for (let writes = 0; writes < mostWrites; writes += 1) {
    const summary = await storedSummary(pull, store);
    if (summary === null || summary.comment_id === null || summary.text === '') return false;
    const body = await makeBody(summary, pull, store);
    // Another process may have changed the boxes in the meantime.
    if (body === written) break;
    await edit(summary.comment_id, body, repository, { octokit });
    written = body;
  }
  return true;
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
  const whole = { ...summary, text };
  const body = await makeBody(whole, plan.thread?.number ?? 0, ports.trusted);
  const edited =
    summary.comment_id === null ? null : await edit(summary.comment_id, body, plan.repository, ports);
  const posted = edited ?? (await create(body, plan, mayBecome ? ports : { ...ports, progress: null }));
  await saveSummary({ ...whole, comment_id: posted.id }, plan, ports.trusted);
  return posted;
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** Stores the parts of a summary. */
export async function saveSummary(
  summary: PullSummary,
  plan: Pick<RunPlan, 'thread'>,
  trusted: StateStore | null,
): Promise<void> {
  await trusted?.set(stateKeys.summary(plan.thread?.number ?? 0), JSON.stringify(summary));
}

/** Renders the whole comment. With a store, its boxes are stored before anyone can tick them. */
async function makeBody(summary: PullSummary, pull: number, trusted: StateStore | null): Promise<string> {
  const { run_id: run, head, created_by: by, text } = summary;
  const marker = writeMarker('summary', { run, head: head ?? undefined, by });
  if (trusted === null) return [marker, stateMarker(summary), text].join('\n');
  const body = renderSummaryBody(`${marker}\n${text}`, await readSummaryBoxes(pull, trusted));
  await saveSummaryBody(pull, body, trusted);
  return body.text;
}

/** Renders what the next edit has to know. A walkthrough that is too long is dropped. */
function stateMarker({ walkthrough, runs, base, base_before }: PullSummary): string {
  const newest = runs.slice(-50);
  const whole = writeMarker('summary-state', {
    json: JSON.stringify({ walkthrough, runs: newest, base, base_before }),
  });
  if (whole.length <= longestState) return whole;
  return writeMarker('summary-state', { json: JSON.stringify({ runs: newest, base, base_before }) });
}

/** Writes the text where it differs; null if a user deleted the comment. */
async function edit(
  comment_id: number,
  body: string,
  { owner, name: repo }: Pick<RunPlan['repository'], 'owner' | 'name'>,
  { octokit }: Pick<SummaryPorts, 'octokit'>,
): Promise<PostedSummary | null> {
  const at = { owner, repo, comment_id };
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
  return (await edit(posted.id, body, plan.repository, ports)) ?? posted;
}
