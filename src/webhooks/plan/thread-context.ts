import type { ThreadLocation } from '../../contract/plan.ts';
import { fenced, type TextOrigin } from '../../contract/untrusted.ts';

/** One comment or review of a thread from the API. Times are ISO 8601. */
export interface ThreadEntry {
  readonly kind: 'comment' | 'review' | 'review_comment';
  readonly id: number;
  readonly author: string;
  /** True if a bot wrote it. Default: false. */
  readonly bot?: boolean;
  readonly body: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** `src/a.ts:12` for a review comment; null otherwise. */
  readonly location: string | null;
  /** The first comment of the review thread that it answers in. Default: it answers none. */
  readonly root_id?: number;
  /** True for a finished comment of ours, such as a report. Default: false. */
  readonly own?: true;
}

/** A thread at the time of the event, whose payload has the title and body. */
export interface ThreadSnapshot {
  readonly title: string;
  readonly author: string;
  readonly bot?: boolean;
  readonly body: string;
  readonly entries: readonly ThreadEntry[];
}

const botOf = (bot: boolean | undefined): Pick<TextOrigin, 'bot'> => (bot === true ? { bot } : {});

/** Returns the origin of a title or description, for a report. */
export function originIn(
  { author, bot }: Pick<ThreadSnapshot, 'author' | 'bot'>,
  where: 'the title' | 'the description',
): TextOrigin {
  return { where, author, ...botOf(bot) };
}

interface ThreadContextOptions {
  /** The thread (`pull request #7`) and the checkout's branch of its base (`origin/main`). */
  readonly about?: { readonly of: string; readonly base?: string };
  /**
   * Later texts and edits of others are excluded, since they may be written to mislead the run. Our
   * own are included: runs may have ended while the request waited. The triggering comment is
   * excluded: it is the prompt.
   */
  readonly at: string;
  /**
   * Removes text that is invisible on the page. With an origin it also records the removed parts.
   */
  readonly sanitise: (text: string, origin?: TextOrigin) => string;
  /**
   * Names the images in a sanitised text. Called for the newest comment first, and for displayed
   * ones only.
   */
  readonly markImages?: (text: string, location: ThreadLocation) => string;
  /** Entries to cut to their first line, if they are long. Default: none. */
  readonly brief?: ReadonlySet<ThreadEntry>;
  /** Maximum bytes; older entries are left to the tools that read the thread. Default: 32,000. */
  readonly maxBytes?: number;
}

/** Part of every model request, so tools read the rest of a long thread. */
const defaultMaxBytes = 32_000;
const maxEntryBytes = 8_000;
/** Least bytes that a short form saves, and its most characters. */
const leastSaved = 60;
const briefCharacters = 200;

/**
 * Returns the conversation for the model: title, body and comments in order. Each is in a fence
 * that names its author and cannot be closed by its text. Permissions are not shown, so that no
 * author's text weighs more.
 */
export function threadContext(thread: ThreadSnapshot, options: ThreadContextOptions): string {
  const { sanitise, markImages = (text: string) => text, maxBytes = defaultMaxBytes, brief } = options;
  const { author } = thread;
  // Names of people and files are untrusted too.
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
        'chat_read_messages has the whole, index 0',
      ),
    ),
  ];
  const entries = entriesBefore(thread, options.at);
  let isCut = false;
  const newest = newestWithin(entries, maxBytes - byteLength(head.join('\n')), (entry, index) => {
    const rest = `chat_read_messages has the whole, index ${index + 1}`;
    const whole = sanitise(entry.body, originOf(entry));
    const text = brief?.has(entry) ? firstLine(whole, index + 1) : whole;
    isCut ||= text !== whole;
    return label(
      describe(entry),
      cut(markImages(text, { kind: entry.kind, id: entry.id }), maxEntryBytes, rest),
    );
  });
  const note = isCut ? [briefNote] : [];
  return [...head, ...omittedNote(entries.length - newest.length), ...note, ...newest].join('\n');
}

const briefNote =
  '(Of long comments of yours there is the first line; chat_read_messages has the whole, by index)';

function omittedNote(left: number): string[] {
  if (left === 0) return [];
  const [count, which] =
    left === 1 ? ['1 older comment is', 'index 1'] : [`${left} older comments are`, `index 1 to ${left}`];
  return [`(${count} left out; chat_search and chat_read_messages have them, ${which})`];
}

/**
 * Returns the entries written before a time and not edited since, and all finished ones of ours.
 * Oldest first, without empty ones.
 */
export function entriesBefore({ entries }: ThreadSnapshot, time: string): ThreadEntry[] {
  const at = Date.parse(time);
  return entries
    .filter((entry) => entry.body.trim() !== '')
    .filter(
      ({ own, created_at, updated_at }) =>
        own === true || (Date.parse(created_at) < at && Date.parse(updated_at) < at),
    )
    .sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
}

function describe(entry: ThreadEntry): Record<string, string> {
  const { kind, author, created_at: at, location } = entry;
  return location === null ? { kind, author, at } : { kind, author, at, place: location };
}

/** Returns the origin of an entry, for a report. */
export function originOf({
  kind,
  location,
  author,
  bot,
}: Pick<ThreadEntry, 'kind' | 'location' | 'author' | 'bot'>): TextOrigin {
  const by = { author, ...botOf(bot) };
  if (kind === 'review') return { where: 'a review', ...by };
  return { where: location === null ? 'a comment' : `a comment on ${location}`, ...by };
}

function newestWithin(
  entries: readonly ThreadEntry[],
  maxBytes: number,
  render: (entry: ThreadEntry, index: number) => string,
): string[] {
  const newest: string[] = [];
  let bytes = 0;
  for (const [index, entry] of [...entries.entries()].reverse()) {
    const text = render(entry, index);
    bytes += byteLength(text) + 1;
    if (bytes > maxBytes) break;
    newest.unshift(text);
  }
  return newest;
}

function cut(text: string, maxBytes: number, rest: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return `${bytes
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')}\n(cut: it has ${bytes.length} bytes; ${rest})`;
}

/** Cuts a long text to its first line, with its index for the tools. */
function firstLine(text: string, index: number): string {
  const bytes = byteLength(text.trim());
  const [line = ''] = text.trim().split('\n', 1);
  const short = `${line.slice(0, briefCharacters).toWellFormed()}\n(${bytes} bytes, index ${index})`;
  return bytes - byteLength(short) < leastSaved ? text : short;
}

const byteLength = (text: string): number => Buffer.byteLength(text);
