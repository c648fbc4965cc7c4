import { accountShape } from '../shapes/account.ts';
import { reviewShape } from '../shapes/pull.ts';
import { apiBase } from '../shapes/repository.ts';
import { commentShape } from '../shapes/thread.ts';
import { nodeId, type Thread, type World } from '../world.ts';

/** The events of a thread, oldest first: comments, reviews, labels, assignments, closing. */
export function timelineShape(world: World, thread: Thread): Record<string, unknown>[] {
  const { repository } = thread;
  const own = <Item extends { readonly thread: Thread }>(items: readonly Item[]) =>
    items.filter((item) => item.thread === thread);
  const comments = own(repository.comments).map((comment) => {
    const actor = accountShape(world, comment.author);
    return {
      at: comment.createdAt,
      id: comment.id,
      item: { event: 'commented', actor, ...commentShape(world, comment) },
    };
  });
  const reviews = own(repository.reviews)
    .filter(({ state }) => state !== 'PENDING')
    .map((review) => ({
      at: review.submittedAt ?? review.createdAt,
      id: review.id,
      item: { event: 'reviewed', ...reviewShape(world, review), state: review.state.toLowerCase() },
    }));
  const events = thread.events.map((event) => {
    const color = repository.labels.get(event.label?.toLowerCase() ?? '')?.color ?? 'ededed';
    return {
      at: event.createdAt,
      id: event.id,
      item: {
        id: event.id,
        node_id: nodeId('EV', event.id),
        url: `${apiBase(world, repository)}/issues/events/${event.id}`,
        actor: accountShape(world, event.actor),
        event: event.event,
        commit_id: null,
        commit_url: null,
        created_at: event.createdAt,
        performed_via_github_app: null,
        ...(event.label === undefined ? {} : { label: { name: event.label, color } }),
        ...(event.assignee === undefined ? {} : { assignee: accountShape(world, event.assignee) }),
      },
    };
  });
  return [...comments, ...reviews, ...events]
    .sort((a, b) => a.at.localeCompare(b.at) || a.id - b.id)
    .map(({ item }) => item);
}
