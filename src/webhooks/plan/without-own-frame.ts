import type { ThreadEntry, ThreadSnapshot } from './thread-context.ts';

/** How comments of a run begin; the report takes the place of its progress. */
const ofRun = /^<!-- anode:(?:progress|report) v\d+ [^\n]*-->\s*/;
/** Comments of boxes to tick. */
const boxes = /^<!-- anode:controls v\d+ /;
/** Turns, tokens and the like, in the last line. */
const footer = /(?<!\n)\n*<sub>[^\n]*<\/sub>\s*$/;

/**
 * A thread without what we write around our words on it: that a run waits, boxes to tick, and the line of figures below a report. It is
 * nothing to a model, and would fill what it is shown. Under a name that is shared with others only what begins with our marker is ours.
 */
export function withoutOwnFrame(thread: ThreadSnapshot, ownLogins: readonly string[]): ThreadSnapshot {
  const own = new Set(ownLogins.map((login) => login.toLowerCase()));
  const entries = thread.entries.flatMap((entry): ThreadEntry[] => {
    const { author, body } = entry;
    if (!own.has(author.toLowerCase()) || !body.startsWith('<!-- anode:')) return [entry];
    if (boxes.test(body)) return [];
    if (!ofRun.test(body)) return [entry];
    if (body.replace(ofRun, '').startsWith('**Waiting for ')) return [];
    return [{ ...entry, body: body.replace(footer, '') }];
  });
  return { ...thread, entries };
}
