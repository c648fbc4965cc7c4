import type { IncomingEvent } from '../../contract/event.ts';
import type { Question } from '../../contract/run-results.ts';
import type { SavedSession } from '../../contract/session.ts';
import { timerEvent } from '../../contract/thread-records.ts';
import { chosenOption } from '../commands/chosen-option.ts';
import { afterLeadingMention, slashCommand } from '../commands/command-text.ts';
import { quotesQuestion } from '../commands/quoted-answer.ts';
import { isCommentEdit } from '../triggers/comment-edited.ts';
import { integerAt, stringAt } from '../triggers/payload-reader.ts';

/**
 * Chooses the session that an event is about, from the waiting ones, newest first. Null if none
 * waits. A ticked comment and a timer name their run, an approval its hash. Text belongs to the
 * question that it quotes, whose review thread it stands in or that it names an option of, else to
 * the newest. Pure.
 */
export function chooseSession(
  event: IncomingEvent,
  sessions: readonly SavedSession[],
  mention: string,
): SavedSession | null {
  // Most comments need no reading.
  if (sessions.length === 0) return null;
  const run = namedRun(event);
  if (run !== null) return sessions.find(({ run_id }) => run_id === run) ?? null;
  const body = stringAt(event.payload, 'comment', 'body') ?? stringAt(event.payload, 'review', 'body') ?? '';
  const asking = sessions.filter(({ question }) => question !== null);
  const sessionWhere = (test: (question: Question) => boolean) =>
    asking.find(({ question }) => question !== null && test(question.question));
  const root = integerAt(event.payload, 'comment', 'in_reply_to_id');
  const text = commandText(body, mention);
  return (
    sessions.find(({ approval }) => approval !== undefined && body.includes(approval.hash)) ??
    sessionWhere((question) => quotesQuestion(body, question)) ??
    asking.find(({ plan }) => root !== null && plan?.review_thread === root) ??
    sessionWhere((question) => chosenOption(text, question) !== null) ??
    asking[0] ??
    sessions[0] ??
    null
  );
}

/** Returns the run whose question was edited or has expired; null for any other event. */
function namedRun(event: IncomingEvent): string | null {
  if (event.name === timerEvent) return stringAt(event.payload, 'run_id');
  if (!isCommentEdit(event)) return null;
  const from = stringAt(event.payload, 'changes', 'body', 'from') ?? '';
  return /^<!-- anode:question v1 run=([\w-]{1,100})/.exec(from)?.[1] ?? null;
}

/**
 * Returns the text of a comment without its address: `blue` of `/anode answer blue` and `@anode
 * blue`.
 */
function commandText(body: string, mention: string): string {
  const text = slashCommand(body, mention)?.words ?? afterLeadingMention(body, mention)?.words ?? body;
  return text.replace(/^answer\s/iu, '');
}
