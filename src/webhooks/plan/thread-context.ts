import type { ThreadPlace } from '../../contract/plan.ts';

/** One thing somebody wrote on a thread, as the API gave it. Times are ISO 8601. */
export interface ThreadEntry {
  readonly kind: 'comment' | 'review' | 'review_comment';
  readonly id: number;
  readonly author: string;
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
  readonly body: string;
  readonly entries: readonly ThreadEntry[];
}

/** Where a text stood on GitHub, in words for a report: `the description`, `a comment`; and who wrote it. */
export interface TextOrigin {
  readonly where: string;
  readonly author: string;
}

export interface ThreadContextOptions {
  /**
   * What was written or edited at this time or later is left out: it may be there to mislead the run. That leaves out
   * the comment that started it too, which is the prompt already.
   */
  readonly at: string;
  /** Takes out what a reader of the page would not see, and takes note of it where it is told whose words they are. */
  readonly sanitise: (text: string, origin?: TextOrigin) => string;
  /** Names the images in a text that is sanitised already; asked for the newest comment first, and only for what is shown. */
  readonly markImages?: (text: string, place: ThreadPlace) => string;
  /** The newest entries that fit are kept, whole. */
  readonly maxBytes?: number;
}

const defaultMaxBytes = 60_000;

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
  const at = Date.parse(options.at);
  const head = [
    label({ kind: 'title', author }, sanitise(thread.title, { where: 'the title', author })),
    label(
      { kind: 'description', author },
      cut(
        markImages(sanitise(thread.body, { where: 'the description', author }), { kind: 'description' }),
        maxBytes / 2,
      ),
    ),
  ];
  const entries = thread.entries
    .filter((entry) => entry.body.trim() !== '')
    .filter((entry) => Date.parse(entry.created_at) < at && Date.parse(entry.updated_at) < at)
    .sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  const kept = newestWithin(entries, maxBytes - byteLength(head.join('\n')), (entry) =>
    label(
      describe(entry),
      markImages(sanitise(entry.body, originOf(entry)), { kind: entry.kind, id: entry.id }),
    ),
  );
  const left = entries.length - kept.length;
  const note = left === 0 ? [] : [`(${left} older ${left === 1 ? 'comment is' : 'comments are'} left out)`];
  return [...head, ...note, ...kept].join('\n');
}

function describe(entry: ThreadEntry): Record<string, string> {
  const { kind, author, created_at: at, place } = entry;
  return place === null ? { kind, author, at } : { kind, author, at, place };
}

function originOf({ kind, place, author }: ThreadEntry): TextOrigin {
  if (kind === 'review') return { where: 'a review', author };
  return { where: place === null ? 'a comment' : `a comment on ${place}`, author };
}

/** A text of others in a fence that names where it is from and that it cannot end. */
export function fenced(attributes: Record<string, string>, text: string): string {
  const names = Object.entries(attributes).map(
    ([name, value]) => `${name}="${value.replace(/["<>\n]/g, '')}"`,
  );
  // The text must not be able to end its own fence and speak from outside it.
  const held = text.trim().replace(/<(?=\s*\/?\s*untrusted)/gi, '&lt;');
  return `<untrusted ${names.join(' ')}>\n${held}\n</untrusted>`;
}

function newestWithin(
  entries: readonly ThreadEntry[],
  maxBytes: number,
  render: (entry: ThreadEntry) => string,
): string[] {
  const kept: string[] = [];
  let bytes = 0;
  for (const entry of entries.toReversed()) {
    const text = render(entry);
    bytes += byteLength(text) + 1;
    if (bytes > maxBytes) break;
    kept.unshift(text);
  }
  return kept;
}

function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return `${bytes
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')}\n(cut: it has ${bytes.length} bytes)`;
}

const byteLength = (text: string): number => Buffer.byteLength(text);
