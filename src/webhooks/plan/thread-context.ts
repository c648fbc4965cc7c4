import type { ThreadLocation } from '../../contract/plan.ts';
import { fenced, type TextOrigin } from '../../contract/untrusted.ts';

/** One thing somebody wrote on a thread, as the API gave it. Times are ISO 8601. */
export interface ThreadEntry {
  readonly kind: 'comment' | 'review' | 'review_comment';
  readonly id: number;
  readonly author: string;
  /** True where no person wrote it; left out, a person did. */
  readonly bot?: boolean;
  readonly body: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** `src/a.ts:12` for a review comment; null otherwise. */
  readonly place: string | null;
}

/** A thread as it was when the event was sent: title and body come from the event itself. */
export interface ThreadSnapshot {
  readonly title: string;
  readonly author: string;
  readonly bot?: boolean;
  readonly body: string;
  readonly entries: readonly ThreadEntry[];
}

const botOf = (bot: boolean | undefined): Pick<TextOrigin, 'bot'> => (bot === true ? { bot } : {});

/** Where the text of a thread itself stood. */
export function originIn(
  { author, bot }: Pick<ThreadSnapshot, 'author' | 'bot'>,
  where: 'the title' | 'the description',
): TextOrigin {
  return { where, author, ...botOf(bot) };
}

export interface ThreadContextOptions {
  /** What the thread is (`pull request #7`), and the branch of the checkout that holds its base (`origin/main`). */
  readonly about?: { readonly of: string; readonly base?: string };
  /**
   * What was written or edited at this time or later is left out: it may be there to mislead the run. That leaves out
   * the comment that started it too, which is the prompt already.
   */
  readonly at: string;
  /** Takes out what a reader of the page would not see, and takes note of it where it is told whose words they are. */
  readonly sanitise: (text: string, origin?: TextOrigin) => string;
  /** Names the images in a text that is sanitised already; asked for the newest comment first, and only for what is shown. */
  readonly markImages?: (text: string, place: ThreadLocation) => string;
  /** The newest entries that fit are kept; the rest is for the tools that read the thread. */
  readonly maxBytes?: number;
}

/** Every request of the run carries this much, so more of a long thread is read by tools. */
const defaultMaxBytes = 32_000;
const maxEntryBytes = 8_000;

/**
 * The conversation for the model: title, body and comments in order, each in a fence that names its author and that its
 * text cannot close. Who may do what on GitHub is not told, so that no author's words weigh more than another's.
 */
export function threadContext(thread: ThreadSnapshot, options: ThreadContextOptions): string {
  const { sanitise, markImages = (text: string) => text, maxBytes = defaultMaxBytes } = options;
  const { author } = thread;
  // Names of people and files are others' words too.
  const label = (attributes: Record<string, string>, text: string) =>
    fenced(
      Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, sanitise(value)])),
      text,
    );
  const head = [
    label({ kind: 'title', author, ...options.about }, sanitise(thread.title, originIn(thread, 'the title'))),
    label(
      { kind: 'description', author },
      cut(
        markImages(sanitise(thread.body, originIn(thread, 'the description')), { kind: 'description' }),
        maxBytes / 2,
        'chat.read_messages has the whole, index 0',
      ),
    ),
  ];
  const entries = entriesBefore(thread, options.at);
  const kept = newestWithin(entries, maxBytes - byteLength(head.join('\n')), (entry, index) =>
    label(
      describe(entry),
      cut(
        markImages(sanitise(entry.body, originOf(entry)), { kind: entry.kind, id: entry.id }),
        maxEntryBytes,
        `chat.read_messages has the whole, index ${index + 1}`,
      ),
    ),
  );
  return [...head, ...leftOutNote(entries.length - kept.length), ...kept].join('\n');
}

function leftOutNote(left: number): string[] {
  if (left === 0) return [];
  const [count, which] =
    left === 1 ? ['1 older comment is', 'index 1'] : [`${left} older comments are`, `index 1 to ${left}`];
  return [`(${count} left out; chat.search and chat.read_messages have them, ${which})`];
}

/** What was written before a time and not edited since, oldest first, without what is empty. */
export function entriesBefore({ entries }: ThreadSnapshot, time: string): ThreadEntry[] {
  const at = Date.parse(time);
  return entries
    .filter((entry) => entry.body.trim() !== '')
    .filter((entry) => Date.parse(entry.created_at) < at && Date.parse(entry.updated_at) < at)
    .sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
}

function describe(entry: ThreadEntry): Record<string, string> {
  const { kind, author, created_at: at, place } = entry;
  return place === null ? { kind, author, at } : { kind, author, at, place };
}

/** Where an entry stands, in words for a report. */
export function originOf({ kind, place, author, bot }: ThreadEntry): TextOrigin {
  const by = { author, ...botOf(bot) };
  if (kind === 'review') return { where: 'a review', ...by };
  return { where: place === null ? 'a comment' : `a comment on ${place}`, ...by };
}

function newestWithin(
  entries: readonly ThreadEntry[],
  maxBytes: number,
  render: (entry: ThreadEntry, index: number) => string,
): string[] {
  const kept: string[] = [];
  let bytes = 0;
  for (const [index, entry] of [...entries.entries()].reverse()) {
    const text = render(entry, index);
    bytes += byteLength(text) + 1;
    if (bytes > maxBytes) break;
    kept.unshift(text);
  }
  return kept;
}

function cut(text: string, maxBytes: number, rest: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return `${bytes
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')}\n(cut: it has ${bytes.length} bytes; ${rest})`;
}

const byteLength = (text: string): number => Buffer.byteLength(text);
