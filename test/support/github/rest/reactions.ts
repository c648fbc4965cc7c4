import { addReaction } from '../actions/reactions.ts';
import { notAccessible, notFound } from '../protocol/api-error.ts';
import { permitThread } from '../protocol/authorize.ts';
import {
  actorOf,
  bodyOf,
  type Handler,
  type Handlers,
  onRepository,
  type RepositoryCall,
} from '../protocol/call.ts';
import { assertUnlocked } from '../rules/conditions.ts';
import { reactionShape } from '../shapes/thread.ts';
import type { Reaction, Thread } from '../world.ts';
import { commentOf, reviewCommentOf, threadOf } from './find.ts';

interface Subject {
  readonly thread: Thread;
  readonly reactions: Reaction[];
}

type Find = (call: RepositoryCall) => Subject;

const list = (find: Find): Handler =>
  onRepository((call) => {
    const { thread, reactions } = find(call);
    permitThread(call, thread, 'read');
    const { content } = call.query;
    const found = reactions.filter((reaction) => content === undefined || reaction.content === content);
    return { status: 200, list: found.map((reaction) => reactionShape(call.world, reaction)) };
  });

const create = (find: Find): Handler =>
  onRepository((call) => {
    const subject = find(call);
    permitThread(call, subject.thread, 'write');
    assertUnlocked(call.credential, subject.thread, 'reaction');
    const { content } = bodyOf<{ content: string }>(call);
    const { reaction, created } = addReaction(call.world, subject, actorOf(call.credential), content);
    return { status: created ? 201 : 200, body: reactionShape(call.world, reaction) };
  });

const remove = (find: Find): Handler =>
  onRepository((call) => {
    const { thread, reactions } = find(call);
    permitThread(call, thread, 'write');
    const index = reactions.findIndex(({ id }) => id === Number(call.params.reaction_id));
    const reaction = reactions[index];
    if (reaction === undefined) throw notFound();
    if (reaction.user.id !== actorOf(call.credential).id) throw notAccessible();
    reactions.splice(index, 1);
    return { status: 204 };
  });

const onThread: Find = (call) => {
  const thread = threadOf(call);
  return { thread, reactions: thread.reactions };
};

export const reactionHandlers: Handlers = {
  'reactions/list-for-issue': list(onThread),
  'reactions/create-for-issue': create(onThread),
  'reactions/delete-for-issue': remove(onThread),
  'reactions/list-for-issue-comment': list(commentOf),
  'reactions/create-for-issue-comment': create(commentOf),
  'reactions/delete-for-issue-comment': remove(commentOf),
  'reactions/list-for-pull-request-review-comment': list(reviewCommentOf),
  'reactions/create-for-pull-request-review-comment': create(reviewCommentOf),
  'reactions/delete-for-pull-request-comment': remove(reviewCommentOf),
};
