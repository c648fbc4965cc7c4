import { addComment, deleteComment, editComment } from '../actions/threads.ts';
import { assertMayEdit, permit, permitThread } from '../protocol/authorize.ts';
import { actorOf, appOf, bodyOf, type Handlers, onRepository } from '../protocol/call.ts';
import { assertUnlocked } from '../rules/conditions.ts';
import { commentShape } from '../shapes/thread.ts';
import { commentOf, sorted, threadOf, updatedSince } from './find.ts';

export const commentHandlers: Handlers = {
  'issues/list-comments': onRepository((call) => {
    const thread = threadOf(call);
    permitThread(call, thread, 'read');
    const own = call.repository.comments.filter((comment) => comment.thread === thread);
    return {
      status: 200,
      list: updatedSince(own, call.query).map((comment) => commentShape(call.world, comment)),
    };
  }),

  'issues/list-comments-for-repo': onRepository((call) => {
    permit(call, 'issues', 'read');
    const { world, repository, query } = call;
    const found = sorted(updatedSince(repository.comments, query), query, 'asc');
    return { status: 200, list: found.map((comment) => commentShape(world, comment)) };
  }),

  'issues/get-comment': onRepository((call) => {
    const comment = commentOf(call);
    permitThread(call, comment.thread, 'read');
    return { status: 200, body: commentShape(call.world, comment) };
  }),

  'issues/create-comment': onRepository((call) => {
    const thread = threadOf(call);
    permitThread(call, thread, 'write');
    assertUnlocked(call.credential, thread, 'comment');
    const by = { account: actorOf(call.credential), app: appOf(call.credential) };
    const comment = addComment(call.world, thread, by, bodyOf<{ body: string }>(call).body);
    return { status: 201, body: commentShape(call.world, comment) };
  }),

  'issues/update-comment': onRepository((call) => {
    const comment = commentOf(call);
    permitThread(call, comment.thread, 'write');
    assertUnlocked(call.credential, comment.thread, 'comment');
    assertMayEdit(call.credential, call.repository, comment.author);
    editComment(call.world, comment, actorOf(call.credential), bodyOf<{ body: string }>(call).body);
    return { status: 200, body: commentShape(call.world, comment) };
  }),

  'issues/delete-comment': onRepository((call) => {
    const comment = commentOf(call);
    permitThread(call, comment.thread, 'write');
    assertUnlocked(call.credential, comment.thread, 'comment');
    assertMayEdit(call.credential, call.repository, comment.author);
    deleteComment(call.world, comment, actorOf(call.credential));
    return { status: 204 };
  }),
};
