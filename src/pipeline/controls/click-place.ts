import type { ControlName, PlacedControls, SummaryBody, SummaryBox } from '../../contract/thread-records.ts';
import {
  dismissControls,
  readControls,
  restoreBody,
  saveControls,
  writeControls,
} from '../../reporting/controls/controls-comment.ts';
import {
  findSummaryBody,
  readSummaryBoxes,
  saveSummaryBoxes,
} from '../../reporting/summary/summary-boxes.ts';
import { readSummaryComment, refreshSummary } from '../../reporting/summary/summary-comment.ts';
import type { CommentEdit } from '../../webhooks/triggers/comment-edited.ts';
import type { GitHubContext } from '../context/broker-context.ts';

/** A comment of ours with boxes, as it was before an edit. */
export interface ClickPlace {
  /** The comment before the edit, if it was as we wrote it; null for any other text. */
  readonly posted: Pick<SummaryBody, 'text' | 'boxes'> | null;
  /** The boxes that count now, the newest run's last. */
  readonly boxes: readonly SummaryBox[];
  /** Writes the comment as it is to be, with empty boxes. */
  restore(): Promise<void>;
  /**
   * Writes the result of a ticked box above the others, '' for none. The boxes of `ticked.runs` go,
   * unless `ticked.keeps`: then they can be ticked again.
   */
  settle(ticked: TickedBox, result: string): Promise<void>;
}

/** A box that was carried out, and the runs that it was about. */
interface TickedBox {
  readonly does: ControlName;
  readonly runs: readonly string[];
  readonly keeps: boolean;
}

type PlaceContext = Pick<GitHubContext, 'github' | 'store' | 'ownLogin'>;

/** Finds the stored boxes of an edited comment; null for a comment without any. */
export async function findClickPlace(edit: CommentEdit, context: PlaceContext): Promise<ClickPlace | null> {
  if (edit.of === 'summary') return summaryPlace(edit, context);
  const controls = await placedControls(edit, context);
  return controls && ownPlace(controls, edit, context);
}

/**
 * Finds the controls of an edit; null for a comment without stored ones. Between posting a comment
 * and storing its id, its author shows that it is ours.
 */
async function placedControls(
  { named, repository, comment_id }: CommentEdit,
  { github: { reader }, store, ownLogin }: PlaceContext,
): Promise<PlacedControls | null> {
  const controls = await readControls(store, named);
  if (controls === null) return null;
  if (controls.comment_id !== null)
    return controls.comment_id === comment_id ? { ...controls, comment_id } : null;
  const { owner, name: repo } = repository;
  const { data } = await reader.rest.issues.getComment({ owner, repo, comment_id });
  if (data.user?.login !== ownLogin) return null;
  const placed = { ...controls, comment_id };
  await saveControls(placed, store);
  return placed;
}

/** The comment that a run without a summary has for its boxes. */
function ownPlace(
  controls: PlacedControls,
  { repository }: CommentEdit,
  { github, store }: PlaceContext,
): ClickPlace {
  const octokit = github.writer;
  const boxes = controls.boxes.map((box) => ({ ...box, run_id: controls.run_id }));
  return {
    posted: { text: controls.text, boxes },
    boxes,
    restore: () => restoreBody(octokit, repository, controls),
    async settle({ does, keeps }, text) {
      const others = controls.boxes.map((box) => box.does).filter((other) => other !== does);
      const left = keeps ? [...others, does] : others;
      if (text === '' && left.length === 0) await dismissControls(controls, repository, { octokit, store });
      else await writeControls(controls, { text, boxes: left }, repository, { octokit, store });
    },
  };
}

/** The summary of a pull request; null if the comment is another, or offers nothing. */
async function summaryPlace(
  { thread, repository, comment_id, from, body }: CommentEdit,
  { github, store }: PlaceContext,
): Promise<ClickPlace | null> {
  const pull = thread.number;
  if ((await readSummaryComment(pull, store)) !== comment_id) return null;
  // Users may edit the text of a summary. Only ticks count.
  if (ticksIn(body) <= ticksIn(from)) return null;
  const posted = await findSummaryBody(pull, from, store);
  const { boxes } = await readSummaryBoxes(pull, store);
  const refresh = async (): Promise<void> => {
    await refreshSummary(pull, repository, { octokit: github.writer, store });
  };
  return {
    posted,
    boxes,
    restore: refresh,
    async settle({ does, runs, keeps }, result) {
      const now = await readSummaryBoxes(pull, store);
      const left = keeps
        ? now.boxes
        : now.boxes.filter((box) => box.does !== does || !runs.includes(box.run_id));
      await saveSummaryBoxes(pull, { ...now, boxes: left, result }, store);
      await refresh();
    },
  };
}

const ticksIn = (text: string): number => text.match(/^\s*[-*+] \[[xX]\]/gmu)?.length ?? 0;
