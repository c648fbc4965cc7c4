import type { Trigger } from '../commands/trigger.ts';
import { entriesBefore, type ThreadEntry, type ThreadSnapshot } from './thread-context.ts';
import { isOwnComment } from './without-own-frame.ts';

/**
 * Returns our own comments that the first message has in short form, as tools read the rest. The
 * model gets those whole that the request is about: it quotes them, follows them directly in the
 * conversation, or stands in their review thread. A fix and a review are about all findings. Pure.
 */
export function briefComments(
  thread: ThreadSnapshot,
  request: Pick<Trigger, 'kind' | 'text' | 'location' | 'comment' | 'at'>,
  ownLogins: readonly string[],
): ReadonlySet<ThreadEntry> {
  const { kind, text, location, comment, at } = request;
  const entries = entriesBefore(thread, at);
  const last = entries.findLast(({ kind }) => kind === 'comment');
  const quotes = quotedLines(text);
  const root = location?.root_id ?? null;
  const isOnFindings = location === null && (kind === 'fix' || kind === 'review');
  const isMeant = (entry: ThreadEntry) => {
    if (entry.kind === 'review_comment' && isOnFindings) return true;
    if (root !== null && entry.root_id === root) return true;
    if (quotes.some((quote) => plain(entry.body).includes(quote))) return true;
    return entry === last && comment?.kind === 'issue_comment' && text.trim() !== '';
  };
  return new Set(entries.filter((entry) => isOwnComment(entry, ownLogins) && !isMeant(entry)));
}

/** Characters from which a quoted line names what it is from. */
const tellingLength = 12;

function quotedLines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('>'))
    .map(plain)
    .filter((line) => line.length >= tellingLength);
}

/** Without the marks that a quote adds, and the white space that it loses. */
const plain = (text: string): string =>
  text
    .replaceAll(/^[>\s]+/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
