import type { IncomingEvent } from '../../contract/event.ts';
import type { Question } from '../../contract/run-results.ts';
import type { SavedSession } from '../../contract/session.ts';
import { timerEvent } from '../../contract/thread-records.ts';
import { chosenOption } from '../commands/chosen-option.ts';
import { afterLeadingMention, slashCommand } from '../commands/command-text.ts';
import { quotesQuestion } from '../commands/quoted-answer.ts';
import { isCommentEdit } from '../triggers/comment-edited.ts';
import { stringAt } from '../triggers/payload-reader.ts';

/**
 * Which of the sessions that wait on a thread, the newest first, an event is about; null where none waits. A ticked
 * comment and an alarm name their run, an approval its hash; words belong to the question that they quote or of which they
 * are an option, else to the newest. Pure. Whether it counts as an answer is looked at later.
 */
export function chooseWaiting(
  event: IncomingEvent,
  sessions: readonly SavedSession[],
  mention: string,
): SavedSession | null {
  // The words of most comments need not be read at all.
  if (sessions.length === 0) return null;
  const run = namedRun(event);
  if (run !== null) return sessions.find(({ run_id }) => run_id === run) ?? null;
  const body = stringAt(event.payload, 'comment', 'body') ?? stringAt(event.payload, 'review', 'body') ?? '';
  const asking = sessions.filter(({ question }) => question !== null);
  const meant = (test: (question: Question) => boolean) =>
    asking.find(({ question }) => question !== null && test(question.question));
  const words = wordsOf(body, mention);
  return (
    sessions.find(({ approval }) => approval !== undefined && body.includes(approval.hash)) ??
    meant((question) => quotesQuestion(body, question)) ??
    meant((question) => chosenOption(words, question) !== null) ??
    asking[0] ??
    sessions[0] ??
    null
  );
}

/** The run whose question was edited or whose time is over; null for any other event. */
function namedRun(event: IncomingEvent): string | null {
  if (event.name === timerEvent) return stringAt(event.payload, 'run_id');
  if (!isCommentEdit(event)) return null;
  const from = stringAt(event.payload, 'changes', 'body', 'from') ?? '';
  return /^<!-- anode:question v1 run=([\w-]{1,100})/.exec(from)?.[1] ?? null;
}

/** What a comment says without what makes it one for us: `blue` of `/anode answer blue`, `@anode blue` and `blue`. */
function wordsOf(body: string, mention: string): string {
  const said = slashCommand(body, mention) ?? afterLeadingMention(body, mention)?.words ?? body;
  return said.replace(/^answer\s/iu, '');
}
