import type { IncomingEvent } from '../../contract/event.ts';
import { canWrite } from '../../contract/repository-permissions.ts';
import type { ControlName, SummaryBox } from '../../contract/thread-records.ts';
import { clickedBox } from '../../webhooks/answers/read-ticks.ts';
import { readRequester } from '../../webhooks/authorize/read-requester.ts';
import type { Trigger } from '../../webhooks/commands/trigger.ts';
import { lastRequestedRun } from '../../webhooks/records/last-request.ts';
import { type CommentEdit, readCommentEdit } from '../../webhooks/triggers/comment-edited.ts';
import type { GitHubContext } from '../context/broker-context.ts';
import { type ClickPlace, findClickPlace } from './click-place.ts';
import { stopRun } from './stop-runs.ts';

type ControlContext = Pick<GitHubContext, 'github' | 'store' | 'runs' | 'ownLogin'>;

/** A box that a user with write permission ticked, and the trigger of the same request as text. */
interface Click {
  readonly trigger: Trigger;
  /** The runs that the box is about, the newest last. */
  readonly runs: readonly string[];
  readonly place: ClickPlace;
}

/** The result of an edit of one of our comments. */
export type ClickResult =
  /** The comment has no controls that we stored. */
  | { readonly kind: 'other' }
  /** Everything is done. `stops`: the box stays ticked until the run ends. */
  | { readonly kind: 'done'; readonly reason: string; readonly stops?: true }
  | ({ readonly kind: 'retry' } & Click)
  /** The trigger belongs to a fix, which needs the same rights. */
  | ({ readonly kind: 'apply' } & Click);

/**
 * Handles an edit of a comment with controls. It counts if a user with write permission ticked
 * exactly one box; any other change of a box is reverted. `when` separates two moments: a stop
 * cannot wait for its turn on the thread, the rest can.
 */
export async function handleClick(
  event: IncomingEvent,
  when: 'running' | 'over',
  context: ControlContext,
): Promise<ClickResult> {
  const { github, ownLogin } = context;
  const edit = readCommentEdit(event, [ownLogin]);
  if (edit.kind === 'ignored' || (edit.of !== 'controls' && edit.of !== 'summary')) return { kind: 'other' };
  const place = await findClickPlace(edit, context);
  if (place === null) return { kind: 'other' };
  const box = place.posted === null ? null : clickedBox(place.posted, edit);
  const stops = box === null ? place.boxes.some(({ does }) => does === 'stop') : box.does === 'stop';
  if (stops !== (when === 'running')) return done('it is dealt with at another time');
  const { login, id } = edit.editor;
  const person = await readRequester(github.reader, edit.repository, login);
  const mayWrite = person.id === id && person.type === 'User' && canWrite(person);
  const result: ClickResult = mayWrite
    ? await carryOut(box, edit, place, context)
    : done(`${login} has no write permission`);
  if (result.kind === 'done' && result.stops !== true) await place.restore();
  return result;
}

const done = (reason: string): Extract<ClickResult, { kind: 'done' }> => ({ kind: 'done', reason });

/** Stops a run at once. Any other box is for the caller. */
async function carryOut(
  box: SummaryBox | null,
  edit: CommentEdit,
  place: ClickPlace,
  { store, runs }: ControlContext,
): Promise<ClickResult> {
  if (box === null) return done('the edit was not one box of ours');
  const offered = place.boxes.filter(({ does }) => does === box.does).map(({ run_id }) => run_id);
  const newest = offered.indexOf(box.run_id);
  // A repeated delivery, or a box that was ticked before.
  if (newest === -1) return done('what the box offered is done');
  // Runs that came after the text with the ticked box are not meant.
  const about = offered.slice(0, newest + 1);
  if (box.does === 'stop') {
    if (runs === undefined) return done('runs cannot be stopped from here');
    await stopRun(box.run_id, `Stopped by ${edit.editor.login}.`, { store, runs });
    return { kind: 'done', reason: 'the run is stopped', stops: true };
  }
  const trigger = triggerOf(edit, box.does);
  if (box.does === 'apply') return { kind: 'apply', trigger, runs: about, place };
  if ((await lastRequestedRun(store, trigger)) !== box.run_id)
    return done('something else was asked for since');
  return { kind: 'retry', trigger, runs: [box.run_id], place };
}

/** Makes the trigger that the same request as text would make. */
function triggerOf(
  { repository, thread, editor, at, installation_id }: CommentEdit,
  does: Exclude<ControlName, 'stop'>,
): Trigger {
  return {
    kind: does === 'apply' ? 'fix' : 'retry',
    automated: false,
    event: 'issue_comment.edited',
    repository,
    thread,
    actor: editor,
    text: '',
    note: null,
    comment: null,
    location: null,
    at,
    head_sha: null,
    installation_id,
  };
}
