import type { IncomingEvent } from '../contract/event.ts';
import { integerAt, objectAt, stringAt } from './payload-reader.ts';
import type { Ignored, TriggerActor } from './trigger.ts';

/** The comments of ours in which people tick boxes, by the marker they begin with. */
export type EditedKind = 'controls' | 'question' | 'approval' | 'plan';

/** An edit of one of our own comments by somebody else. What it means is for our own record of the comment to say. */
export interface CommentEdit {
  readonly kind: 'edit';
  /** Which of our comments it claims to be: by its marker before the edit, or by the one it has now. */
  readonly of: EditedKind;
  /** The run its marker names. A hint where to look: the record has to name this very comment. */
  readonly run_id: string;
  readonly repository: { readonly owner: string; readonly name: string };
  readonly thread: { readonly kind: 'pull_request' | 'issue'; readonly number: number };
  readonly comment: { readonly id: number; readonly body: string };
  /** Its body before the edit; null where GitHub does not say. */
  readonly before: string | null;
  /** Who edited it. */
  readonly editor: TriggerActor;
  /** By GitHub's clock, ISO 8601. */
  readonly at: string;
  readonly installation_id: number | null;
}

export function isCommentEdit({ name, payload }: IncomingEvent): boolean {
  return name === 'issue_comment' && stringAt(payload, 'action') === 'edited';
}

/**
 * The one place that tells which of our own comments was edited. Pure, and total. Comments of others, our own edits and
 * comments without a marker with boxes are ignored.
 */
export function readCommentEdit(event: IncomingEvent, ownLogins: readonly string[]): CommentEdit | Ignored {
  const { payload } = event;
  if (!isCommentEdit(event)) return ignored('no comment was edited');
  const is = (login: string | null) =>
    login !== null && ownLogins.some((own) => own.toLowerCase() === login.toLowerCase());
  if (!is(stringAt(payload, 'comment', 'user', 'login'))) return ignored('an edited comment of another');
  const login = stringAt(payload, 'sender', 'login');
  if (is(login)) return ignored('it is our own doing');
  const owner = stringAt(payload, 'repository', 'owner', 'login');
  const name = stringAt(payload, 'repository', 'name');
  const number = integerAt(payload, 'issue', 'number');
  const id = integerAt(payload, 'comment', 'id');
  const body = stringAt(payload, 'comment', 'body');
  const at = Date.parse(stringAt(payload, 'comment', 'updated_at') ?? '');
  const [editorId, type] = [integerAt(payload, 'sender', 'id'), stringAt(payload, 'sender', 'type')];
  if (!owner || !name || !number || !id || body === null || Number.isNaN(at) || !login || !editorId || !type)
    return ignored('an edit without repository, thread, comment or sender');
  const marker =
    readEditedMarker(stringAt(payload, 'changes', 'body', 'from') ?? '') ?? readEditedMarker(body);
  if (marker === null) return ignored('the edited comment has no boxes');
  const onIssue = objectAt(payload, 'issue', 'pull_request') === null;
  return {
    kind: 'edit',
    ...marker,
    repository: { owner, name },
    thread: { kind: onIssue ? 'issue' : 'pull_request', number },
    comment: { id, body },
    before: stringAt(payload, 'changes', 'body', 'from'),
    editor: { login, id: editorId, type },
    at: new Date(at).toISOString(),
    installation_id: integerAt(payload, 'installation', 'id'),
  };
}

/** What `writeMarker` of the reporting writes at the very beginning of such a comment. */
function readEditedMarker(body: string): Pick<CommentEdit, 'of' | 'run_id'> | null {
  const found =
    /^<!-- anode:(controls|question|approval|plan) v1 run=([A-Za-z0-9_-]{1,100})(?: [^\n>]*)? -->/.exec(body);
  const [, of, run_id] = found ?? [];
  return of === undefined || run_id === undefined ? null : { of: of as EditedKind, run_id };
}

const ignored = (reason: string): Ignored => ({ kind: 'ignored', reason });
