import type { ThreadEntry, ThreadSnapshot } from './thread-context.ts';

/** Marker of a run's comment; the report replaces the progress. */
const ofRun = /^<!-- anode:(?:progress|report) v\d+ [^\n]*-->\s*/;
/** Marker of comments with boxes, and of pending requests. */
const boxes = /^<!-- anode:(?:controls|head) v\d+ /;
/** The last line, with turns and tokens. */
const footer = /(?<!\n)\n*<sub>[^\n]*<\/sub>\s*$/;

/** The part of a report that quotes hidden text, which no model may get from us. */
const hiddenText =
  /(?<!\n)\n*<details><summary>(?:⚠️ )?Hidden text [^\n<]*<\/summary>(?:\n(?:(?:- |Readers of )[^\n]*)?)*\n<\/details>/g;

/**
 * Removes the parts of our comments that only people need: waiting notices, boxes, quoted hidden
 * text, and the footer of figures and links. Under a shared account only comments with our marker
 * are ours.
 */
export function withoutOwnFrame(thread: ThreadSnapshot, ownLogins: readonly string[]): ThreadSnapshot {
  const own = new Set(ownLogins.map((login) => login.toLowerCase()));
  const isOurs = ({ author, body }: Pick<ThreadEntry, 'author' | 'body'>) =>
    own.has(author.toLowerCase()) && body.startsWith('<!-- anode:');
  const entries = thread.entries.flatMap((entry): ThreadEntry[] => {
    const { body } = entry;
    if (!isOurs(entry)) return [entry];
    if (boxes.test(body)) return [];
    if (!ofRun.test(body)) return [entry];
    if (body.replace(ofRun, '').startsWith('**Waiting for ')) return [];
    return [{ ...entry, body: body.replace(footer, '').replaceAll(hiddenText, '') }];
  });
  const body = isOurs(thread) ? thread.body.replace(footer, '') : thread.body;
  return { ...thread, body, entries };
}
