import type { RunPlan } from '../contract/plan.ts';
import { askedKey, waitingKey } from '../contract/session.ts';
import { createOwnComment, findOwnComment, type OwnComment } from './own-comment.ts';
import type { PublishPorts } from './ports.ts';
import { postOnce } from './post-once.ts';

type Ports = Pick<PublishPorts, 'octokit' | 'ownLogin' | 'store' | 'session'>;

/**
 * Saves the session, then puts its question, or the call that wants approval, on the thread: an answer can come as soon
 * as the comment stands. When this run has asked already, nothing is saved again, as the answer may have been taken
 * since. Null where the plan has no thread or there is no session to go on from: a question whose answer leads
 * nowhere is not asked.
 */
export async function postQuestion(
  kind: 'question' | 'approval',
  text: string,
  plan: RunPlan,
  ports: Ports,
): Promise<OwnComment | null> {
  const { repository, thread } = plan;
  const { session, store } = ports;
  if (thread === null) return null;
  const place = { octokit: ports.octokit, plan, thread, ownLogin: ports.ownLogin };
  const find = async () => findOwnComment(place, kind);
  if (session === null) return find();
  return postOnce(find, async () => {
    await store.set(waitingKey(repository.owner, repository.name, thread.number), JSON.stringify(session));
    const asked = await createOwnComment(place, kind, text);
    // A key of its own: the session may have been taken by now, and must not come back.
    await store.set(askedKey(plan.run_id), asked.created_at);
    return asked;
  });
}
