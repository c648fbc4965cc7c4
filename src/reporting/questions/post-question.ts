import { defaultMention, questionDefaults } from '../../config/defaults.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { Question } from '../../contract/run-results.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { Box, PostedBoxes, ThreadTimer } from '../../contract/thread-records.ts';
import { createOwnComment, findOwnComment, type OwnComment } from '../posting/own-comment.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { claimsOn, postOnce } from '../posting/post-once.ts';
import { renderQuestionForm } from './render-question.ts';

type Ports = Pick<PublishPorts, 'octokit' | 'ownLogin' | 'store' | 'session' | 'wait'>;

/**
 * Saves the session, then posts its question or its request for approval: an answer can come at
 * once. Saves nothing again if this run has asked already, since its answer may have been taken.
 * Null without a thread or a session: then an answer would lead nowhere.
 */
export async function postQuestion(
  kind: 'question' | 'approval',
  form: QuestionForm,
  plan: RunPlan,
  ports: Ports,
): Promise<OwnComment | null> {
  const { thread } = plan;
  const { text, boxes } = form;
  const { session, store } = ports;
  if (thread === null) return null;
  const target = { octokit: ports.octokit, plan, thread, ownLogin: ports.ownLogin };
  // Anyone can write our marker, some under our name. Our own store knows if this run has asked.
  const find = async () =>
    (await hasPosted(plan, thread.number, store)) ? findOwnComment(target, kind, text) : null;
  if (session === null) return find();
  const make = async (): Promise<OwnComment> => {
    await saveWaiting(JSON.stringify(session), plan, thread.number, store);
    return createOwnComment(target, kind, text);
  };
  const comment = await postOnce(find, make, claimsOn(kind, plan, ports));
  // Also needed if an earlier attempt died before it stored what it had posted.
  if ((await store.get(stateKeys.asked(plan.run_id))) !== null) return comment;
  if (kind === 'question')
    await store.set(stateKeys.boxes(plan.run_id), JSON.stringify(postedBoxes(comment, boxes)));
  for (const timer of timersOf(form, plan)) await store.set(stateKeys.timer(timer), JSON.stringify(timer));
  // A key of its own: the session may have been taken by now, and must not come back.
  await store.set(stateKeys.asked(plan.run_id), comment.created_at);
  return comment;
}

function timersOf({ deadline, reminder }: QuestionForm, plan: RunPlan): ThreadTimer[] {
  const { run_id, installation_id, repository, thread, requester } = plan;
  if (thread === null) return [];
  const common = {
    version: 1 as const,
    run_id,
    installation_id,
    repository: { owner: repository.owner, name: repository.name },
    thread: { kind: thread.kind, number: thread.number },
    requester: { login: requester.login, id: requester.id, type: requester.type },
  };
  const due = { reminder, deadline };
  return (['reminder', 'deadline'] as const).flatMap((kind) => {
    const at = due[kind];
    return at == null ? [] : [{ ...common, kind, due: at }];
  });
}

/** Returns the record of a comment with boxes. Its lines count below the hidden line. */
function postedBoxes({ id, url, body }: OwnComment, boxes: QuestionForm['boxes']): PostedBoxes {
  const below = boxes.map((box) => ({ ...box, line: box.line + 1 }));
  return { version: 1, comment_id: id, url, text: body, boxes: below };
}

/** A session can be megabytes, and an unanswered one stays. */
const mostWaiting = 5;

/** Saves a session beside the thread's other waiting ones. Of too many, the oldest is deleted. */
async function saveWaiting(
  session: string,
  { run_id }: RunPlan,
  thread: number,
  store: Ports['store'],
): Promise<void> {
  await store.set(stateKeys.waiting(thread, run_id), session);
  const waiting = await store.list(stateKeys.waiting(thread, ''));
  for (const key of waiting.slice(0, -mostWaiting)) await store.delete(key);
}

/**
 * True if a run has asked, or died while asking: the session is saved first, the comment's time
 * last.
 */
async function hasPosted({ run_id }: RunPlan, thread: number, store: Ports['store']): Promise<boolean> {
  if ((await store.get(stateKeys.asked(run_id))) !== null) return true;
  return (await store.get(stateKeys.waiting(thread, run_id))) !== null;
}

/** A comment to post, with the lines of its boxes and its deadline. */
export interface QuestionForm {
  readonly text: string;
  readonly boxes: readonly Box[];
  /** ISO 8601. Default: no deadline. */
  readonly deadline?: string | null;
  /** When the thread is reminded of it, ISO 8601; likewise. */
  readonly reminder?: string | null;
}

/**
 * Builds the comment of a question, with its deadline. Only the App has timers: elsewhere a
 * question waits until answered. So does a required question without a default.
 */
export function questionForm(
  question: Question,
  plan: RunPlan,
  { config, session }: Pick<PublishPorts, 'config' | 'session'>,
): QuestionForm {
  const { deadlineHours, remind, answerers } = questionDefaults(config);
  const all = [question, ...question.questions];
  const endless = all.some((comment) => comment.required && comment.default === undefined);
  const timed = plan.source.kind === 'app' && session !== null && deadlineHours > 0;
  const after = (hours: number) =>
    timed ? new Date(Date.parse(session.saved_at) + hours * 3_600_000).toISOString() : null;
  const deadline = endless ? null : after(deadlineHours);
  const reminder = remind ? after(deadlineHours - Math.min(24, deadlineHours / 3)) : null;
  const mention = config.triggers?.mention ?? defaultMention;
  return { ...renderQuestionForm(question, { mention, answerers, deadline }), deadline, reminder };
}
