import { Severity } from '../../contract/findings.ts';
import { parseJson } from '../../contract/json.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { type PreviousFinding, ReviewRecord } from '../../contract/review-record.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { OwnPosts, OwnReviewComment } from './own-posts.ts';

/** Reads the stored review record of a pull request. Null if it is missing or unreadable. */
export async function readReviewRecord(
  plan: ThreadOf,
  store: StateStore | null,
): Promise<ReviewRecord | null> {
  const key = keyOf(plan);
  const text = key === null || store === null ? null : await store.get(key);
  if (text === null) return null;
  const parsed = ReviewRecord.safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
}

/** Stores the record; of very many findings, those that are fixed are dropped first. */
export async function saveReviewRecord(
  plan: ThreadOf,
  store: StateStore | null,
  record: ReviewRecord,
): Promise<void> {
  const key = keyOf(plan);
  if (key === null || store === null) return;
  const findings = record.findings.toSorted(
    (a, b) => Number(a.state === 'fixed') - Number(b.state === 'fixed'),
  );
  await store.set(key, JSON.stringify({ ...record, findings: findings.slice(0, 2_000) }));
}

type ThreadOf = Pick<RunPlan, 'thread'>;

function keyOf({ thread }: ThreadOf): string | null {
  return thread === null ? null : stateKeys.review(thread.number);
}

/**
 * Returns the findings reported before. Records count as far as GitHub displays them, since a run
 * may have ended before it posted. Without a record, findings are read from our own comments and
 * reviews: their markers and diff hunks. So are comments since the start of a run (`since`, ISO
 * 8601) that the record lacks: a job with a record of its own posted them. Default: there are none.
 */
export function previousFindings(
  record: ReviewRecord | null,
  posts: OwnPosts,
  since?: string,
): PreviousFinding[] {
  const comments = new Map(posts.comments.map((comment) => [comment.fp, comment]));
  const runs = new Map(posts.reviews.map(({ id, run }) => [id, run ?? '']));
  if (record !== null) {
    const posted = new Set(runs.values());
    const recorded = new Set(record.findings.map(({ id }) => id));
    const ofOthers = posts.comments.filter(
      ({ fp, createdAt }) =>
        since !== undefined && !recorded.has(fp) && Date.parse(createdAt) >= Date.parse(since),
    );
    const known = record.findings.flatMap((finding) => {
      // The summary is written from the record, so the next one contains it.
      if (finding.folded === true) return [finding];
      if (comments.has(finding.id) || posts.listed.has(finding.id)) return [finding];
      // The review exists and the comment does not: a user with write permission deleted the
      // comment.
      return posted.has(finding.run_id) ? [{ ...finding, state: 'dismissed' as const }] : [];
    });
    const later = ofOthers.flatMap((comment) => fromComment(comment, runs.get(comment.reviewId ?? 0)));
    return [...known, ...later];
  }
  const commented = posts.comments.flatMap((comment) =>
    fromComment(comment, runs.get(comment.reviewId ?? 0)),
  );
  const listed = [...posts.listed].flatMap(([fp, { reviewId, fields }]) =>
    comments.has(fp)
      ? []
      : fromFields(fp, fields, reviewId === null ? fields.run : runs.get(reviewId)).map((finding) =>
          reviewId === null ? { ...finding, folded: true } : finding,
        ),
  );
  return [...commented, ...listed];
}

function fromComment(comment: OwnReviewComment, run: string | undefined): PreviousFinding[] {
  const hunkLines = comment.diffHunk.split('\n').filter((line) => !line.startsWith('\\'));
  const anchor = hunkLines.at(-1)?.slice(1).replace(/\s+/gu, '') ?? '';
  const title = /^\*\*\w+\*\* · (.*)$/mu.exec(comment.body)?.[1] ?? '';
  const { path, side, line } = comment;
  return fromFields(comment.fp, comment.fields, run).map((finding) => ({
    ...{ ...finding, path, side, line, anchor },
    title,
  }));
}

/** A suggested change is not a finding and has no category. */
function fromFields(
  id: string,
  { severity, category, path, line, check }: Readonly<Record<string, string>>,
  run: string | undefined,
): PreviousFinding[] {
  const level = Severity.safeParse(severity);
  if (category === undefined || !level.success) return [];
  return [
    {
      id,
      path: path ?? '',
      side: 'RIGHT',
      line: Math.max(1, Number.parseInt(line ?? '1', 10) || 1),
      severity: level.data,
      category,
      title: '',
      check: check ?? null,
      anchor: '',
      window: '',
      occurrence: 0,
      state: 'open',
      run_id: run ?? '',
      dismissed_by: null,
      fixed: null,
    },
  ];
}
