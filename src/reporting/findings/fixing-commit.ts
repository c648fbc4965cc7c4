import type { PreviousFinding } from '../../contract/review-record.ts';
import type { ReviewPorts } from '../posting/ports.ts';
import { type LineStatus, lineStatusOf, numbered } from './line-context.ts';

type History = Pick<ReviewPorts, 'readText' | 'commitsOf' | 'renamed'>;

/**
 * Returns the commit that changed the code of a finding, up to `head`: its parents have the code,
 * and it has not. Null if no commit since the last review did so alone, as after a rewritten
 * history, or if several changed the lines around.
 */
export async function findFixingCommit(
  previous: PreviousFinding,
  head: string,
  history: History,
): Promise<string | null> {
  if (previous.anchor === '') return null;
  const paths = namesOf(previous.path, history);
  const statusAt = statusReader(previous, paths, history);
  const isChanged = changeTest(previous, await statusAt(head));
  if (isChanged === null) return null;
  const changes: string[] = [];
  for (const { sha, parents } of await history.commitsOf(paths)) {
    if (parents.length === 0 || !isChanged(await statusAt(sha))) continue;
    const before = await Promise.all(parents.map(statusAt));
    if (before.some(isChanged)) continue;
    changes.push(sha);
  }
  const [newest = null] = changes;
  const isGone = (await statusAt(head)) === 'gone';
  // Any of several changes around the lines may be the one that counts.
  return changes.length === 1 || isGone || previous.side === 'LEFT' ? newest : null;
}

/** Returns the name of a file and those that it had at the last review. */
function namesOf(path: string, { renamed }: History): string[] {
  return [path, ...[...renamed].flatMap(([before, now]) => (now === path ? [before] : []))];
}

/** Returns the test for a changed state of the code; null if the code at the head is unchanged. */
function changeTest(
  { side }: PreviousFinding,
  head: LineStatus['kind'],
): ((status: LineStatus['kind']) => boolean) | null {
  // A finding about deleted lines ends when they are back.
  if (side === 'LEFT') return head === 'gone' ? null : (status) => status !== 'gone';
  if (head === 'gone') return (status) => status === 'gone';
  return head === 'touched' ? (status) => status !== 'untouched' : null;
}

/** Reads each commit once. */
function statusReader(
  previous: PreviousFinding,
  paths: readonly string[],
  { readText }: History,
): (sha: string) => Promise<LineStatus['kind']> {
  const known = new Map<string, Promise<LineStatus['kind']>>();
  const read = async (sha: string) => {
    for (const path of paths) {
      const text = await readText(path, sha);
      if (text !== null) return lineStatusOf(previous, { lines: () => numbered(text) }).kind;
    }
    return 'gone';
  };
  return (sha) => {
    const status = known.get(sha) ?? read(sha);
    known.set(sha, status);
    return status;
  };
}
