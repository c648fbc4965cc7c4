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

/** Maximum characters of all texts; the plan is stored in a database and with each session. */
const mostCharacters = 400_000;

/** Maximum characters of one comment in the API; a description may be longer. */
const mostInOne = 65_536;

interface ChatOptions {
  readonly ownLogins: readonly string[];
  readonly sanitise: (text: string, origin?: TextOrigin) => string;
  /** Names the images in a sanitised text. Called for the newest comment first. */
  readonly markImages?: (text: string, place: ThreadLocation) => string;
}

/**
 * Returns the thread for tools that search and read it: title, description, earlier comments, and
 * the trigger's own comment as in its event. Above 400,000 characters only the newest comments are
 * included.
 */
export function chatSnapshot(thread: ThreadSnapshot, trigger: Trigger, options: ChatOptions): Chat {
  const { sanitise, markImages = (text: string) => text } = options;
  const roleOf = (author: string, bot: boolean): ChatMessage['role'] => {
    const own = options.ownLogins.some((login) => login.toLowerCase() === author.toLowerCase());
    if (own) return 'assistant';
    return bot ? 'system' : 'user';
  };
  const entries = entriesBefore(thread, trigger.at);
  const request = requestOf(trigger);
  const all = request === null ? entries : [...entries, request];
  const messages: ChatMessage[] = [];
  let characters = 0;
  for (const [at, entry] of [...all.entries()].reverse()) {
    const place = { kind: entry.kind, id: entry.id };
    const text = markImages(sanitise(entry.body, originOf(entry)), place)
      .trim()
      .slice(0, mostInOne);
    characters += text.length;
    if (characters > mostCharacters) break;
    messages.unshift({
      index: at + 1,
      role: roleOf(entry.author, entry.bot === true),
      author: sanitise(entry.author),
      kind: entry.kind,
      at: entry.created_at,
      place: entry.location === null ? undefined : sanitise(entry.location),
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
  return [described, ...messages];
}

/** Returns the comment that started the run, as in the event; later edits change nothing. */
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
    location: location && (location.line === null ? location.path : `${location.path}:${location.line}`),
  };
}
