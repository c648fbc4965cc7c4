import type { IncomingEvent } from '../../contract/event.ts';
import type { EditedComment, Ignored, TriggerActor } from '../commands/trigger.ts';
import { integerAt, objectAt, stringAt, timeAt } from './payload-reader.ts';

/** Our comments with boxes, by their markers. */
type EditedKind = (typeof editedKinds)[number];
const editedKinds = ['controls', 'summary', 'question', 'head'] as const;

const marker = /^<!-- anode:(\w+) v1 (?:run|hash)=([\w-]{1,100})(?: [^\n>]*)? -->/;

/** An edit of our comment by someone else. Our record of the comment decides what it means. */
export interface CommentEdit extends EditedComment {
  readonly kind: 'edit';
  /** The kind of comment, from its marker before the edit. */
  readonly of: EditedKind;
  /** The run or request hash in its marker. Only a hint: the record must name this comment. */
  readonly named: string;
  readonly repository: { readonly owner: string; readonly name: string };
  readonly thread: { readonly kind: 'pull_request' | 'issue'; readonly number: number };
  readonly comment_id: number;
  /** The editor of the comment. */
  readonly editor: TriggerActor;
  /** Time by GitHub's clock, ISO 8601. */
  readonly at: string;
  readonly installation_id: number | null;
}

export function isCommentEdit({ name, payload }: IncomingEvent): boolean {
  return name === 'issue_comment' && stringAt(payload, 'action') === 'edited';
}

/**
 * Reads an edit of a comment with boxes. Our own edits and other comments are ignored. Anyone can
 * write a marker; only the id in our record proves a comment ours. Pure; never throws.
 */
export function readCommentEdit(event: IncomingEvent, ownLogins: readonly string[]): CommentEdit | Ignored {
  const { payload } = event;
  if (!isCommentEdit(event)) return ignored('no comment was edited');
  const from = stringAt(payload, 'changes', 'body', 'from');
  const [, kind, named] = (from === null ? null : marker.exec(from)) ?? [];
  const of = editedKinds.find((one) => one === kind);
  if (from === null || of === undefined || named === undefined)
    return ignored('the edited comment has no boxes of ours');
  const login = stringAt(payload, 'sender', 'login');
  if (ownLogins.some((own) => own.toLowerCase() === login?.toLowerCase()))
    return ignored('it is our own doing');
  const owner = stringAt(payload, 'repository', 'owner', 'login');
  const name = stringAt(payload, 'repository', 'name');
  const number = integerAt(payload, 'issue', 'number');
  const comment_id = integerAt(payload, 'comment', 'id');
  const body = stringAt(payload, 'comment', 'body');
  const at = timeAt(payload, 'comment', 'updated_at');
  const [id, type] = [integerAt(payload, 'sender', 'id'), stringAt(payload, 'sender', 'type')];
  if (!owner || !name || !number || !comment_id || body === null || !login || !id || !type || at === null)
    return ignored('an edit without repository, thread, comment, time or sender');
  const onIssue = objectAt(payload, 'issue', 'pull_request') === null;
  return {
    kind: 'edit',
    of,
    named,
    repository: { owner, name },
    thread: { kind: onIssue ? 'issue' : 'pull_request', number },
    comment_id,
    from,
    body,
    editor: { login, id, type },
    at: new Date(at).toISOString(),
    installation_id: integerAt(payload, 'installation', 'id'),
  };
}

/**
 * Returns our comment with a question that was edited after its record was deleted. Its boxes then
 * continue nothing, and a user who ticks one is notified.
 */
export function lostQuestionComment(event: IncomingEvent, ownLogins: readonly string[]): number | null {
  const edit = readCommentEdit(event, ownLogins);
  const author = stringAt(event.payload, 'comment', 'user', 'login') ?? '';
  const isQuestion = edit.kind === 'edit' && edit.of === 'question' && ownLogins.includes(author);
  return isQuestion ? edit.comment_id : null;
}

const ignored = (reason: string): Ignored => ({ kind: 'ignored', reason });
