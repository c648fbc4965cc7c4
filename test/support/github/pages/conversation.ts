import { closingIssues } from '../actions/pulls.ts';
import { parseHunks } from '../git/diff.ts';
import { type CommitRecord, readCommits } from '../git/read-commit.ts';
import {
  type Account,
  isPull,
  type Reaction,
  type Review,
  type ReviewComment,
  type Thread,
  type TimelineEvent,
} from '../world.ts';
import { renderMarkdown, escapeHtml as text } from './markdown.ts';

const emoji: Readonly<Record<string, string>> = {
  '+1': '👍',
  '-1': '👎',
  laugh: '😄',
  hooray: '🎉',
  confused: '😕',
  heart: '❤️',
  rocket: '🚀',
  eyes: '👀',
};

const name = (account: Account) =>
  `<strong>${text(account.login.replace(/\[bot\]$/, ''))}</strong>${account.type === 'Bot' ? ' <span class="bot">bot</span>' : ''}`;

const when = (at: string) =>
  `<time datetime="${text(at)}">${text(at.replace('T', ' ').replace('Z', ' UTC'))}</time>`;

function reactionLine(reactions: readonly Reaction[]): string {
  if (reactions.length === 0) return '';
  const counts = new Map<string, number>();
  for (const { content } of reactions) counts.set(content, (counts.get(content) ?? 0) + 1);
  const displayed = [...counts].map(([content, count]) => `<span>${emoji[content] ?? ''} ${count}</span>`);
  return `<p class="reactions">${displayed.join('')}</p>`;
}

interface Said {
  readonly author: Account;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly reactions: readonly Reaction[];
}

function box(
  reply: Said,
  body: string | null,
  verb: string,
  anchor: string,
  minimized: string | null = null,
): string {
  const edited = reply.updatedAt === reply.createdAt ? '' : ' · edited';
  const displayedText = renderMarkdown(body ?? '') || '<p><em>No description provided.</em></p>';
  const content =
    minimized === null
      ? displayedText
      : `<details><summary>Marked as ${text(minimized)}</summary>${displayedText}</details>`;
  return `<div class="box" id="${anchor}"><div class="head">${name(reply.author)} ${verb} ${when(reply.createdAt)}${edited}</div><div class="body">${content}${reactionLine(reply.reactions)}</div></div>`;
}

/** A piece of a diff as a table with the line numbers of both sides: its header and its last lines. */
export function diffTable(hunkText: string, lastLines = 8): string {
  const rows = parseHunks(hunkText).flatMap((hunk) => {
    let oldLine = hunk.oldStart;
    let newLine = hunk.newStart;
    return hunk.lines.map((line) => {
      if (line.startsWith('@@'))
        return `<tr class="hunk"><td class="n"></td><td class="n"></td><td>${text(line)}</td></tr>`;
      const kind = line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : '';
      const left = kind === 'add' || line.startsWith('\\') ? '' : String(oldLine++);
      const right = kind === 'del' || line.startsWith('\\') ? '' : String(newLine++);
      return `<tr class="${kind}"><td class="n">${left}</td><td class="n">${right}</td><td>${text(line)}</td></tr>`;
    });
  });
  const displayedLines = [...rows.slice(0, 1), ...rows.slice(1).slice(-Math.min(lastLines, rows.length))];
  return `<table class="diff">${displayedLines.join('')}</table>`;
}

function remark(thread: Thread, root: ReviewComment): string {
  const { repository } = thread;
  const state = repository.reviewThreads.find((one) => one.root === root);
  const replies = repository.reviewComments.filter((comment) => comment.inReplyTo === root);
  const flags = [
    ...(root.subjectType === 'line' && root.line === null ? ['outdated'] : []),
    ...(state?.resolvedBy == null ? [] : [`resolved by ${text(state.resolvedBy.login)}`]),
  ];
  const replyText = [root, ...replies].map((comment) =>
    box(comment, comment.body, 'commented', `discussion_r${comment.id}`, comment.minimized),
  );
  const flag = flags.length === 0 ? '' : ` · ${flags.join(', ')}`;
  return `<div class="thread"><div class="path">${text(root.path)}${flag}</div>${root.diffHunk === '' ? '' : diffTable(root.diffHunk)}${replyText.join('')}</div>`;
}

const verbs: Readonly<Record<Review['state'], string>> = {
  PENDING: 'started a review',
  COMMENTED: 'reviewed',
  APPROVED: 'approved these changes',
  CHANGES_REQUESTED: 'requested changes',
  DISMISSED: 'had a review dismissed',
};

function reviewPart(thread: Thread, review: Review): string {
  const roots = thread.repository.reviewComments.filter(
    (comment) => comment.review === review && comment.inReplyTo === null,
  );
  const at = review.submittedAt ?? review.createdAt;
  const said = { author: review.author, createdAt: at, updatedAt: at, reactions: [] };
  const head =
    review.body === ''
      ? `<div class="event">${name(review.author)} ${verbs[review.state]} ${when(at)}</div>`
      : box(said, review.body, verbs[review.state], `pullrequestreview-${review.id}`);
  return head + roots.map((root) => remark(thread, root)).join('');
}

function commitPart(commit: CommitRecord): string {
  const [headline = '', ...rest] = commit.message.split('\n');
  const body = rest.join('\n').trim();
  const more = body === '' ? '' : `<br><small>${text(body).replaceAll('\n', '<br>')}</small>`;
  return `<div class="event">⎇ <strong>${text(commit.author.name)}</strong> committed <code>${commit.sha.slice(0, 7)}</code> ${text(headline)}${more}</div>`;
}

function eventPart(event: TimelineEvent): string {
  const what =
    event.label !== undefined
      ? `${event.event} <span class="label">${text(event.label)}</span>`
      : `${text(event.event.replaceAll('_', ' '))}${event.assignee === undefined ? '' : ` ${text(event.assignee.login)}`}`;
  return `<div class="event">${name(event.actor)} ${what} ${when(event.createdAt)}</div>`;
}

/** Everything below a thread's title, oldest first. */
export async function conversation(thread: Thread): Promise<string> {
  const { repository } = thread;
  const own = <Item extends { readonly thread: Thread }>(items: readonly Item[]) =>
    items.filter((item) => item.thread === thread);
  const commits = isPull(thread)
    ? await readCommits(
        repository.directory,
        [`${thread.pull.baseSha}..${thread.pull.headSha}`],
        ['--reverse'],
      )
    : [];
  const reviews = own(repository.reviews).filter(
    (review) =>
      review.state !== 'PENDING' &&
      (review.body !== '' ||
        review.state !== 'COMMENTED' ||
        repository.reviewComments.some((comment) => comment.review === review && comment.inReplyTo === null)),
  );
  const parts = [
    ...commits.map((commit) => ({ at: commit.committer.date, id: 0, html: commitPart(commit) })),
    ...own(repository.comments).map((comment) => ({
      at: comment.createdAt,
      id: comment.id,
      html: box(comment, comment.body, 'commented', `issuecomment-${comment.id}`, comment.minimized),
    })),
    ...reviews.map((review) => ({
      at: review.submittedAt ?? review.createdAt,
      id: review.id,
      html: reviewPart(thread, review),
    })),
    ...thread.events.map((event) => ({ at: event.createdAt, id: event.id, html: eventPart(event) })),
  ].sort((a, b) => a.at.localeCompare(b.at) || a.id - b.id);
  const closes = isPull(thread) ? closingIssues(thread) : [];
  const links = closes.map(
    (issue) =>
      `<a href="/${repository.fullName}/issues/${issue.number}">#${issue.number} ${text(issue.title)}</a>`,
  );
  const linked = links.length === 0 ? '' : `<div class="event">Closes ${links.join(', ')} when merged</div>`;
  return box(thread, thread.body, 'wrote', 'description') + linked + parts.map(({ html }) => html).join('\n');
}
