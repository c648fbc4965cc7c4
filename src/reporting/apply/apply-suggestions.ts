import type { ChangeSet } from '../../contract/change.ts';
import { append } from '../../contract/lists.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type {
  AppliedSuggestions,
  LeftSuggestion,
  PostedSuggestion,
  PostedSuggestions,
} from '../../contract/review-record.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import { isProtected } from '../../permissions/gate/protected-paths.ts';
import { branchHead } from '../changes/branches.ts';
import {
  type CommitOrder,
  type CommitResult,
  findRunCommit,
  makeRunCommit,
} from '../changes/commit-changes.ts';
import { type CommitMessage, trailersOf } from '../changes/commit-message.ts';
import type { CommitStyle } from '../changes/commit-style.ts';
import { styleHeadline } from '../changes/headline.ts';
import { commitVia, outletFacts, refuseCommit } from '../changes/outlet-rules.ts';
import { readCommitStyle } from '../changes/read-commit-style.ts';
import { closeFixed } from '../findings/close-fixed.ts';
import { readOwnPosts } from '../findings/own-posts.ts';
import { readReviewRecord } from '../findings/previous-findings.ts';
import { readDismissals } from '../findings/read-dismissals.ts';
import { readReviewThreads } from '../findings/review-threads.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { coupledSuggestions } from '../suggestions/coupled-suggestions.ts';
import { readApplied, readSuggestions } from '../suggestions/stored-suggestions.ts';
import { codeSpan, countOf, cutText, oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';
import { type FittedFile, fitSuggestions, type UnfitSuggestion } from './fit-suggestions.ts';
import { splitByPartners } from './split-by-partners.ts';

/**
 * The result of applying. `refused`: nothing was done, and it can be requested again; the reason is
 * a sentence.
 */
export type Applied =
  | {
      readonly kind: 'applied';
      readonly commit: {
        readonly sha: string;
        readonly url: string;
        readonly attestation?: string | undefined;
        /** A sentence on why it is not attested. Omitted if nothing is missing. */
        readonly unattested?: string | undefined;
      };
      readonly count: number;
      /** Links to the threads of the applied suggestions, else their places, as Markdown. */
      readonly threads: readonly string[];
      readonly left: readonly LeftSuggestion[];
    }
  | { readonly kind: 'nothing'; readonly left: readonly LeftSuggestion[] }
  | { readonly kind: 'refused'; readonly reason: string };

export interface ApplyPorts
  extends Pick<
    PublishPorts,
    'octokit' | 'store' | 'ownLogin' | 'log' | 'config' | 'triedAgain' | 'pushCommit' | 'attest'
  > {
  /** Reads regular files at a commit. Null if the commit is not available. */
  readonly filesAt: (sha: string, paths: readonly string[]) => Promise<ReadonlyMap<string, Buffer> | null>;
  readonly changesBy: (sha: string, texts: ReadonlyMap<string, string>) => Promise<ChangeSet>;
}

/**
 * Returns the id under which a run's suggestions are committed. The run itself may have made its
 * own commit.
 */
export const applyingRun = (runId: string): string => `${runId}-suggestions`;

const mostTries = 4;
const refused = (reason: string): Applied => ({ kind: 'refused', reason });

/**
 * Commits the open suggestions of runs in one commit on the pull request's head, without a model.
 * The newest run is the last. `plan` belongs to the requester, under its `applyingRun`: it says
 * where they may push. Suggestions that no longer fit the head, or touch a protected file, are
 * omitted. Safe to call again after a crash: the commit is found by its trailer, and its content
 * was stored before. Throws GitHub's refusals.
 */
export async function applySuggestions(
  runs: readonly string[],
  plan: RunPlan,
  ports: ApplyPorts,
): Promise<Applied> {
  const records = await readRecords(runs, plan, ports);
  const runId = runs.at(-1) ?? '';
  if (records.length === 0) return refused('The suggestions are no longer stored.');
  if (plan.push.kind !== 'branch')
    return refused(plan.push.kind === 'none' ? plan.push.reason : 'There is no branch to commit to.');
  const { branch } = plan.push;
  for (let tries = 0; tries < mostTries; tries += 1) {
    // Another job of the same box may have moved the head.
    const existing = await finishExisting(runId, branch, plan, ports);
    if (existing !== null) return existing;
    const head = await branchHead(plan, branch, ports);
    if (head === null) return refused(`${codeSpan(branch)} is gone.`);
    const fitted = await fitToHead(records, head, plan, ports);
    if (fitted.applied.length === 0) return { kind: 'nothing', left: fitted.left };
    const done = await commit(fitted, { branch, head, runId }, plan, ports);
    if (done !== 'moved') return done;
  }
  return refused(`${codeSpan(branch)} moved again and again.`);
}

/** Ends with the commit that an earlier attempt or another job made; null if none did. */
async function finishExisting(
  runId: string,
  branch: string,
  plan: RunPlan,
  ports: ApplyPorts,
): Promise<Applied | null> {
  const existing = await findRunCommit(plan, branch, ports);
  if (existing === null) return null;
  const decided = await readApplied(ports.store, runId);
  return finish(existing, decided?.onto === existing.parent ? decided : null, plan, ports);
}

async function readRecords(
  runs: readonly string[],
  plan: RunPlan,
  { store }: Pick<ApplyPorts, 'store'>,
): Promise<PostedSuggestions[]> {
  const stored = await Promise.all(runs.map((run) => readSuggestions(store, run)));
  return stored.filter((record) => record !== null).filter((record) => isAbout(record, plan));
}

function isAbout(record: PostedSuggestions, { repository, thread }: RunPlan): boolean {
  const { owner, name } = repository;
  return record.owner === owner && record.name === name && record.thread === thread?.number;
}

interface Fitted {
  readonly texts: ReadonlyMap<string, string>;
  readonly applied: readonly PostedSuggestion[];
  readonly left: readonly LeftSuggestion[];
}

async function commit(
  { texts, applied, left }: Fitted,
  { branch, head, runId }: { readonly branch: string; readonly head: string; readonly runId: string },
  plan: RunPlan,
  ports: ApplyPorts,
): Promise<Applied | 'moved'> {
  const { config, store } = ports;
  const changes = await ports.changesBy(head, texts);
  if (changes.files.length === 0) return refused('There is nothing to commit.');
  const facts = outletFacts(ports, null);
  const reason = refuseCommit({ outcome: { changes, conclusion: 'success' }, plan, facts });
  if (reason !== null) return refused(reason);
  const ids = applied.map(({ id }) => id);
  const decided: AppliedSuggestions = { version: 1, onto: head, applied: ids, left: [...left] };
  await store.set(stateKeys.applied(runId), JSON.stringify(decided));
  const order: CommitOrder = {
    ...{ plan, branch, expectedSha: head, changes, via: commitVia(changes.files, facts) },
    message: async () => {
      const style = await readCommitStyle(plan, ports);
      return appliedMessage(applied, plan, { style, coAuthor: config.commit?.coAuthor ?? true });
    },
  };
  const result = await makeRunCommit(order, ports);
  if (result.kind === 'moved') return 'moved';
  if (result.kind === 'failed') return refused(`GitHub refused the commit: ${result.message}`);
  return finish(result, decided, plan, ports);
}

/**
 * Updates the threads of committed suggestions. If the commit's content is unknown, the next review
 * updates them.
 */
async function finish(
  { sha, url, attestation, unattested }: Extract<CommitResult, { kind: 'committed' }>,
  decided: AppliedSuggestions | null,
  plan: RunPlan,
  ports: ApplyPorts,
): Promise<Applied> {
  const { applied = [], left = [] } = decided ?? {};
  const threads = await resolveApplied(new Set(applied), sha, plan, ports);
  return {
    kind: 'applied',
    commit: { sha, url, attestation, unattested },
    count: applied.length,
    threads,
    left,
  };
}

/** Fits the open, unprotected suggestions to the current head, one run after another. */
async function fitToHead(
  records: readonly PostedSuggestions[],
  head: string,
  plan: RunPlan,
  ports: ApplyPorts,
): Promise<Fitted> {
  const all = records.flatMap(({ suggestions }) => suggestions);
  const open = new Set((await openSuggestions(all, plan, ports)).map(({ id }) => id));
  const texts = new Map<string, string>();
  const applied: PostedSuggestion[] = [];
  const left: LeftSuggestion[] = [];
  for (const record of records) {
    const coupled = coupledSuggestions(record.suggestions);
    const trial = { record, head, texts: new Map(texts) };
    const tried = coupled.size === 0 ? [] : await fitFiles(record.suggestions, trial, ports);
    const whole = splitByPartners(record.suggestions, open, coupled, tried);
    for (const file of await fitFiles(whole.offered, { record, head, texts }, ports)) {
      append(applied, file.applied);
      append(left, file.left.map(leftSuggestion));
    }
    append(left, whole.left.map(leftSuggestion));
  }
  return { texts, applied, left };
}

/** Fits suggestions of one run, on the texts that earlier runs left, and stores the new texts. */
async function fitFiles(
  offered: readonly PostedSuggestion[],
  {
    record,
    head,
    texts,
  }: { readonly record: PostedSuggestions; readonly head: string; readonly texts: Map<string, string> },
  { filesAt, config }: Pick<ApplyPorts, 'filesAt' | 'config'>,
): Promise<readonly FittedFile[]> {
  const paths = [...new Set(offered.map(({ path }) => path))];
  const then = await filesAt(record.head, paths);
  const now = head === record.head ? then : await filesAt(head, paths);
  return [...Map.groupBy(offered, (one) => one.path)].map(([path, suggestions]) => {
    const why = refusalOf(path, config.protected?.allow ?? [], then !== null && now !== null);
    const changed = texts.get(path);
    const current = changed === undefined ? (now?.get(path) ?? null) : Buffer.from(changed);
    const versions = { before: then?.get(path) ?? null, now: current };
    const fitted = why === null ? fitSuggestions(suggestions, versions) : refuseAll(suggestions, why);
    if (fitted.text !== null) texts.set(path, fitted.text);
    return fitted;
  });
}

const leftSuggestion = ({
  suggestion: { path, first_line: line },
  why,
}: UnfitSuggestion): LeftSuggestion => ({
  path,
  line,
  why,
});

const refuseAll = (suggestions: readonly PostedSuggestion[], why: string): FittedFile => ({
  text: null,
  applied: [],
  left: suggestions.map((suggestion) => ({ suggestion, why })),
});

/** Returns why no suggestion of a file is applied; null if they may be. */
function refusalOf(path: string, allowed: readonly string[], isAvailable: boolean): string | null {
  const reason = isProtected(path, allowed);
  if (reason !== null) return `the file is protected: ${reason}`;
  return isAvailable ? null : 'the commit they are about cannot be had';
}

/**
 * Returns the suggestions whose finding is open. Their comment exists and its thread is unresolved,
 * or the summary lists them. Comments count only by their id: the content comes from our own
 * record.
 */
async function openSuggestions(
  suggestions: readonly PostedSuggestion[],
  plan: RunPlan,
  { octokit, ownLogin, store }: Pick<PublishPorts, 'octokit' | 'ownLogin' | 'store'>,
): Promise<readonly PostedSuggestion[]> {
  const [posts, threads, record] = await Promise.all([
    readOwnPosts(plan, octokit, ownLogin),
    readReviewThreads(plan, octokit),
    readReviewRecord(plan, store),
  ]);
  const ids = new Set(suggestions.map(({ id }) => id));
  const closedIds = new Set(
    (record?.findings ?? []).filter(({ state }) => state !== 'open').map(({ id }) => id),
  );
  const comments = posts.comments.filter(
    ({ fp, id }) => ids.has(fp) && !closedIds.has(fp) && threads?.get(id)?.resolved !== true,
  );
  const dismissed = await readDismissals(comments, threads, plan, { octokit, ownLogin });
  const listed = (record?.findings ?? []).filter(({ id, state }) => state === 'open' && ids.has(id));
  const open = new Set([
    ...comments.map(({ fp }) => fp).filter((fp) => !dismissed.has(fp)),
    ...listed.flatMap(({ id, folded }) => (folded === true ? [id] : [])),
  ]);
  return suggestions.filter(({ id }) => open.has(id));
}

/**
 * Resolves the threads of applied suggestions and marks their findings as fixed. Returns links to
 * the threads, and places of those without: the comment with the box names the commit for all.
 */
async function resolveApplied(
  ids: ReadonlySet<string>,
  sha: string,
  plan: RunPlan,
  ports: ApplyPorts,
): Promise<string[]> {
  if (ids.size === 0) return [];
  const { octokit, ownLogin, store } = ports;
  const [posts, threads] = await Promise.all([
    readOwnPosts(plan, octokit, ownLogin),
    readReviewThreads(plan, octokit),
  ]);
  await closeFixed({ ids, sha, posts, threads, store, silent: true }, plan, ports);
  const record = await readReviewRecord(plan, store);
  const listed = (record?.findings ?? []).filter(({ id, folded }) => folded === true && ids.has(id));
  const name = ({ path, line }: { readonly path: string; readonly line: number | null }) =>
    codeSpan(cutText(`${path}:${line}`, 200, '…'));
  const root = `${plan.repository.clone_url.replace(/\.git$/u, '')}/pull/${plan.thread?.number ?? 0}`;
  const conversations = posts.comments.filter(({ fp }) => ids.has(fp));
  return [
    ...conversations.map((one) => `[${name(one)}](${root}#discussion_r${one.id})`),
    ...listed.map(name),
  ];
}

/** Returns the message of the commit that applies suggestions, with the requester as co-author. */
export function appliedMessage(
  applied: readonly PostedSuggestion[],
  plan: RunPlan,
  { style, coAuthor }: { readonly style: CommitStyle; readonly coAuthor: boolean },
): CommitMessage {
  const files = [...new Set(applied.map(({ path }) => path))];
  const branch = plan.push.kind === 'none' ? '' : plan.push.branch;
  const headline = {
    text: `Apply ${countOf(applied.length, 'suggested change')}`,
    ...{ files, implements: false, sources: [plan.thread?.title ?? '', branch] },
  };
  return { headline: styleHeadline(headline, style), body: trailersOf(plan, coAuthor).join('\n') };
}

const longestList = 20;

/** Renders the result of applying a run's suggestions, for the controls comment. */
export function renderApplied(applied: Applied, by: string): string {
  if (applied.kind === 'refused') return `**Nothing was applied.** ${refusal(applied.reason)}`;
  if (applied.kind === 'nothing') {
    const reason = applied.left.length === 0 ? ' No suggestion is open any more.' : '';
    return `**Nothing was applied.**${reason}${renderSkipped(applied.left)}`;
  }
  const { sha, url, unattested } = applied.commit;
  const what = countOf(applied.count, 'suggestion');
  const named = applied.threads.slice(0, longestList);
  const more = applied.threads.length - named.length;
  const list = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const where = list === '' ? '.' : `: ${list}.`;
  const note = unattested === undefined ? '' : ` ${refusal(unattested)}`;
  return `**Applied ${what}** in [${codeSpan(sha.slice(0, 7))}](${url}), as ${by} asked${where}${note}${renderSkipped(applied.left)}`;
}

/** The text may quote GitHub, git or the name of a branch. */
const refusal = (reason: string, most = 400): string => publicCut(oneLine(reason), most, '…');

function renderSkipped(left: readonly LeftSuggestion[]): string {
  if (left.length === 0) return '';
  // With another sign than the boxes that may follow, which would else be items of this list.
  const lines = left
    .slice(0, longestList)
    .map(
      ({ path, line, why }) => `* ${codeSpan(cutText(`${path}:${line}`, 100, '…'))}: ${refusal(why, 200)}`,
    );
  const rest = left.length - lines.length;
  if (rest > 0) lines.push(`* … and ${rest} more`);
  return `\n\nLeft out:\n\n${lines.join('\n')}`;
}
