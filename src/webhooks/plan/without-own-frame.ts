import { showsWork } from '../records/shows-work.ts';
import type { ThreadEntry, ThreadSnapshot } from './thread-context.ts';

/** Marker of a run's comment; the report replaces the progress. */
const ofRun = /^<!-- anode:(?:progress|report) v\d+ [^\n]*-->\s*/;
/** Marker of comments with boxes, of pending requests, and of replies such as the help. */
const forPeople = /^<!-- anode:(?:controls|head|reply) v\d+ /;
/** The last line, with turns and tokens. */
const footer = /(?<!\n)\n*<sub>[^\n]*<\/sub>\s*$/;

/** The part of a report that quotes hidden text, which no model may get from us. */
const hiddenText =
  /(?<!\n)\n*<details><summary>(?:⚠️ )?Hidden text [^\n<]*<\/summary>(?:\n(?:(?:- |Readers of )[^\n]*)?)*\n<\/details>/g;

/** Returns true for a text of ours with our marker. Others under a shared account are people's. */
export function isOwnComment(
  { author, body }: Pick<ThreadEntry, 'author' | 'body'>,
  ownLogins: readonly string[],
): boolean {
  const isOwn = ownLogins.some((login) => login.toLowerCase() === author.toLowerCase());
  return isOwn && body.startsWith('<!-- anode:');
}

/**
 * Removes the parts of our comments that only people need: waiting notices, boxes, replies without
 * a run, quoted hidden text, and the footer of figures and links. Marks those of ours that are
 * finished.
 */
export function withoutOwnFrame(thread: ThreadSnapshot, ownLogins: readonly string[]): ThreadSnapshot {
  const entries = thread.entries.flatMap((entry): ThreadEntry[] => {
    const { body } = entry;
    if (!isOwnComment(entry, ownLogins)) return [entry];
    if (forPeople.test(body)) return [];
    if (!ofRun.test(body)) return [{ ...entry, own: true }];
    if (body.replace(ofRun, '').startsWith('**Waiting for ')) return [];
    const text = { ...entry, body: body.replace(footer, '').replaceAll(hiddenText, '') };
    return [showsWork(body) ? text : { ...text, own: true }];
  });
  const body = isOwnComment(thread, ownLogins) ? thread.body.replace(footer, '') : thread.body;
  return { ...thread, body, entries };
}
