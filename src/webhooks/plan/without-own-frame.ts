import type { ThreadEntry, ThreadSnapshot } from './thread-context.ts';

/** How comments of a run begin; the report takes the place of its progress. */
const ofRun = /^<!-- anode:(?:progress|report) v\d+ [^\n]*-->\s*/;
/** Comments of boxes to tick, and requests that wait for a yes. */
const boxes = /^<!-- anode:(?:controls|head) v\d+ /;
/** Turns, tokens and the like, in the last line. */
const footer = /(?<!\n)\n*<sub>[^\n]*<\/sub>\s*$/;

/** The part of a report that quotes what was hidden from readers, which no model is to get from us instead. */
const hiddenText =
  /(?<!\n)\n*<details><summary>(?:⚠️ )?Hidden text [^\n<]*<\/summary>(?:\n(?:(?:- |Readers of )[^\n]*)?)*\n<\/details>/g;

/**
 * A thread without what we write around our words on it: that a run waits, boxes to tick, hidden text that a report quotes, and the line of
 * figures and signed links below a report or a description. It is nothing to a model, and would fill what it is shown. Under a name that is
 * shared with others only what begins with our marker is ours.
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
  const ours = isOurs(thread);
  return { ...thread, ...(ours ? { body: thread.body.replace(footer, '') } : {}), entries };
}
