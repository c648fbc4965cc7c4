import type { RunPlan } from '../contract/plan.ts';
import type { Question } from '../contract/question.ts';
import { waitingKey } from '../contract/session.ts';
import { createOwnComment, findOwnComment, type OwnComment } from './own-comment.ts';
import type { PublishPorts } from './ports.ts';
import { postOnce } from './post-once.ts';
import { renderQuestion } from './render-question.ts';

type Ports = Pick<PublishPorts, 'octokit' | 'ownLogin' | 'store' | 'session'>;

/**
 * Saves the session, then asks on the thread: an answer can come as soon as the comment stands. When this run
 * has asked already, nothing is saved again, as the answer may have been taken since. Null where the plan has
 * no thread or there is no session to go on from: a question whose answer leads nowhere is not asked.
 */
export async function postQuestion(
  question: Question,
  plan: RunPlan,
  ports: Ports,
): Promise<OwnComment | null> {
  const { repository, thread } = plan;
  const { session, store } = ports;
  if (thread === null) return null;
  const place = { octokit: ports.octokit, plan, thread, ownLogin: ports.ownLogin };
  const find = async () => findOwnComment(place, 'question');
  if (session === null) return find();
  return postOnce(find, async () => {
    await store.set(waitingKey(repository.owner, repository.name, thread.number), JSON.stringify(session));
    return createOwnComment(place, 'question', renderQuestion(question));
  });
}
