import {
  type Comment,
  isPull,
  type Label,
  nodeId,
  type Reaction,
  type Repository,
  type Thread,
  type World,
} from '../world.ts';
import { accountShape, appOrNull, authorShape } from './account.ts';
import { apiBase, association, pageBase } from './repository.ts';

const reactionNames = ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'] as const;

/** The count of reactions by kind (`reaction-rollup`). */
export function reactionRollup(url: string, reactions: readonly Reaction[]): Record<string, unknown> {
  const counts = reactionNames.map((name) => [
    name,
    reactions.filter(({ content }) => content === name).length,
  ]);
  return { url: `${url}/reactions`, total_count: reactions.length, ...Object.fromEntries(counts) };
}

/** One reaction. */
export const reactionShape = (world: World, reaction: Reaction) => ({
  id: reaction.id,
  node_id: nodeId('REA', reaction.id),
  user: accountShape(world, reaction.user),
  content: reaction.content,
  created_at: reaction.createdAt,
});

/** One label of a repository. */
export const labelShape = (world: World, repository: Repository, label: Label) => ({
  id: label.id,
  node_id: label.nodeId,
  url: `${apiBase(world, repository)}/labels/${encodeURIComponent(label.name)}`,
  name: label.name,
  description: label.description,
  color: label.color,
  default: false,
});

/** The labels of a thread, as the repository holds them. */
export const threadLabels = (world: World, thread: Thread) =>
  [...thread.labels].flatMap((name) => {
    const label = thread.repository.labels.get(name.toLowerCase());
    return label === undefined ? [] : [labelShape(world, thread.repository, label)];
  });

/** The address of a thread's page. */
export const threadPage = (world: World, thread: Thread) =>
  `${pageBase(world, thread.repository)}/${thread.pull === null ? 'issues' : 'pull'}/${thread.number}`;

/** A thread as the issues API gives it; a pull request is one with `pull_request`. */
export function issueShape(world: World, thread: Thread): Record<string, unknown> {
  const { repository } = thread;
  const api = `${apiBase(world, repository)}/issues/${thread.number}`;
  const pull = `${apiBase(world, repository)}/pulls/${thread.number}`;
  const assignees = [...thread.assignees].map((account) => accountShape(world, account));
  return {
    id: thread.id,
    node_id: thread.nodeId,
    url: api,
    repository_url: apiBase(world, repository),
    labels_url: `${api}/labels{/name}`,
    comments_url: `${api}/comments`,
    events_url: `${api}/events`,
    timeline_url: `${api}/timeline`,
    html_url: threadPage(world, thread),
    number: thread.number,
    state: thread.state,
    state_reason: thread.stateReason,
    title: thread.title,
    body: thread.body,
    user: authorShape(world, thread.author),
    labels: threadLabels(world, thread),
    assignee: assignees[0] ?? null,
    assignees,
    milestone: null,
    locked: thread.locked,
    active_lock_reason: thread.locked ? 'resolved' : null,
    comments: repository.comments.filter((comment) => comment.thread === thread).length,
    ...(isPull(thread)
      ? {
          draft: thread.pull.draft,
          pull_request: {
            url: pull,
            html_url: threadPage(world, thread),
            diff_url: `${threadPage(world, thread)}.diff`,
            patch_url: `${threadPage(world, thread)}.patch`,
            merged_at: thread.pull.mergedAt,
          },
        }
      : {}),
    created_at: thread.createdAt,
    updated_at: thread.updatedAt,
    closed_at: thread.closedAt,
    author_association: association(repository, thread.author),
    performed_via_github_app: appOrNull(world, thread.app),
    reactions: reactionRollup(api, thread.reactions),
  };
}

/** A comment on an issue or a pull request's conversation. */
export function commentShape(world: World, comment: Comment): Record<string, unknown> {
  const { thread } = comment;
  const api = `${apiBase(world, thread.repository)}/issues/comments/${comment.id}`;
  return {
    id: comment.id,
    node_id: comment.nodeId,
    url: api,
    html_url: `${threadPage(world, thread)}#issuecomment-${comment.id}`,
    issue_url: `${apiBase(world, thread.repository)}/issues/${thread.number}`,
    user: authorShape(world, comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    body: comment.body,
    author_association: association(thread.repository, comment.author),
    performed_via_github_app: appOrNull(world, comment.app),
    reactions: reactionRollup(api, comment.reactions),
  };
}
