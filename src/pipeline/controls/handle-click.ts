import type { IncomingEvent } from '../../contract/event.ts';
import type { PlacedControls } from '../../contract/thread-records.ts';
import { readControls, restoreBody, saveControls } from '../../reporting/progress/controls-comment.ts';
import { clickedControl } from '../../webhooks/answers/read-ticks.ts';
import { canWrite } from '../../webhooks/authorize/authorize.ts';
import { readRequester } from '../../webhooks/authorize/read-requester.ts';
import type { Trigger } from '../../webhooks/commands/trigger.ts';
import { lastRequestedRun } from '../../webhooks/records/last-request.ts';
import { type CommentEdit, readCommentEdit } from '../../webhooks/triggers/comment-edited.ts';
import type { GitHubContext } from '../context/broker-context.ts';
import { stopRun } from './stop-runs.ts';

type ControlContext = Pick<GitHubContext, 'github' | 'store' | 'runs' | 'ownLogin'>;

/** The result of an edit of one of our comments. */
export type ClickResult =
  /** The comment has no controls that we stored. */
  | { readonly kind: 'other' }
  /** Everything is done. */
  | { readonly kind: 'done'; readonly reason: string }
  | { readonly kind: 'retry'; readonly trigger: Trigger; readonly controls: PlacedControls }
  /** The trigger belongs to a fix, which needs the same rights. */
  | { readonly kind: 'apply'; readonly trigger: Trigger; readonly controls: PlacedControls };

/**
 * Handles an edit of the comment with a run's controls. It counts if a user with write permission
 * ticked exactly one box; any other edit is reverted. `when` separates two moments: a stop cannot
 * wait for its turn on the thread, the rest can.
 */
export async function handleClick(
  event: IncomingEvent,
  when: 'running' | 'over',
  context: ControlContext,
): Promise<ClickResult> {
  const { github, store, runs, ownLogin } = context;
  const edit = readCommentEdit(event, [ownLogin]);
  if (edit.kind === 'ignored' || edit.of !== 'controls') return { kind: 'other' };
  const controls = await placedControls(edit, context);
  if (controls === null) return { kind: 'other' };
  const isRunning = controls.boxes.some(({ does }) => does === 'stop');
  if (isRunning !== (when === 'running')) return { kind: 'done', reason: 'it is dealt with at another time' };
  const restore = async (reason: string): Promise<ClickResult> => {
    await restoreBody(github.writer, edit.repository, controls);
    return { kind: 'done', reason };
  };
  const { login, id } = edit.editor;
  const person = await readRequester(github.reader, edit.repository, login);
  if (person.id !== id || person.type !== 'User' || !canWrite(person))
    return restore(`${login} has no write permission`);
  const does = clickedControl(controls, edit);
  if (does === null) return restore('more than one box was changed');
  if (does === 'apply') return { kind: 'apply', trigger: triggerOf(edit, 'fix'), controls };
  if (does === 'stop') {
    if (runs === undefined) return restore('runs cannot be stopped from here');
    await stopRun(edit.named, `Stopped by ${login}.`, { store, runs });
    return { kind: 'done', reason: 'the run is stopped' };
  }
  const trigger = triggerOf(edit, 'retry');
  if ((await lastRequestedRun(store, trigger)) !== edit.named)
    return restore('something else was asked for since');
  return { kind: 'retry', trigger, controls };
}

/**
 * Finds the controls of an edit; null for a comment without stored ones. Between posting a comment
 * and storing its id, its author shows that it is ours.
 */
async function placedControls(
  { named, repository, comment_id }: CommentEdit,
  { github: { reader }, store, ownLogin }: ControlContext,
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

/** Makes the trigger that the same request in words would make. */
function triggerOf(
  { repository, thread, editor, at, installation_id }: CommentEdit,
  kind: 'retry' | 'fix',
): Trigger {
  return {
    kind,
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
