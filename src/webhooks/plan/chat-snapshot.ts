import type { ThreadLocation } from '../../contract/plan.ts';
import type { Chat, ChatMessage } from '../../contract/thread.ts';
import type { TextOrigin } from '../../contract/untrusted.ts';
import type { Trigger } from '../commands/trigger.ts';
import {
  entriesBefore,
  originIn,
  originOf,
  type ThreadEntry,
  type ThreadSnapshot,
} from './thread-context.ts';

/** All texts together; a plan is kept in a database, and with each session that waits. */
const mostCharacters = 400_000;

/** What the API takes as one comment; a description of GitHub's own may be longer. */
const mostInOne = 65_536;

export interface ChatOptions {
  readonly ownLogins: readonly string[];
  readonly sanitise: (text: string, origin?: TextOrigin) => string;
  /** Names the images in a text that is sanitised already; asked for the newest comment first. */
  readonly markImages?: (text: string, place: ThreadLocation) => string;
}

/**
 * The thread for the tools that search and read it: title and description, what was written before the trigger, and the comment
 * of the trigger itself, in the words of the event. The newest are kept where all together have more than 400,000 characters.
 */
export function chatSnapshot(thread: ThreadSnapshot, trigger: Trigger, options: ChatOptions): Chat {
  const { sanitise, markImages = (text: string) => text } = options;
  const roleOf = (author: string, bot: boolean): ChatMessage['role'] => {
    const own = options.ownLogins.some((login) => login.toLowerCase() === author.toLowerCase());
    return own ? 'assistant' : bot ? 'system' : 'user';
  };
  const entries = entriesBefore(thread, trigger.at);
  const asked = requestOf(trigger);
  const all = asked === null ? entries : [...entries, asked];
  const kept: ChatMessage[] = [];
  let characters = 0;
  for (const [at, entry] of [...all.entries()].reverse()) {
    const place = { kind: entry.kind, id: entry.id };
    const text = markImages(sanitise(entry.body, originOf(entry)), place)
      .trim()
      .slice(0, mostInOne);
    characters += text.length;
    if (characters > mostCharacters) break;
    kept.unshift({
      index: at + 1,
      role: roleOf(entry.author, entry.bot === true),
      author: sanitise(entry.author),
      kind: entry.kind,
      at: entry.created_at,
      ...(entry.place === null ? {} : { place: sanitise(entry.place) }),
      text,
    });
  }
  const { author } = thread;
  const title = sanitise(thread.title, originIn(thread, 'the title'));
  const body = markImages(sanitise(thread.body, originIn(thread, 'the description')), {
    kind: 'description',
  });
  const described: ChatMessage = {
    index: 0,
    role: roleOf(author, thread.bot === true),
    author: sanitise(author),
    kind: 'description',
    at: '',
    text: `# ${title}\n\n${body}`.trim().slice(0, mostInOne),
  };
  return [described, ...kept];
}

/** The comment that started the run, as the event has it: an edit since then changes nothing. */
function requestOf(trigger: Trigger): ThreadEntry | null {
  const { comment, actor, at, location } = trigger;
  if (comment === null || trigger.text.trim() === '' || trigger.edited !== undefined) return null;
  return {
    kind: comment.kind === 'issue_comment' ? 'comment' : 'review_comment',
    id: comment.id,
    author: actor.login,
    bot: actor.type === 'Bot',
    body: trigger.text,
    created_at: at,
    updated_at: at,
    place:
      location === null ? null : location.line === null ? location.path : `${location.path}:${location.line}`,
  };
}
