import type { KnownFinding } from '../../contract/review-record.ts';
import type { ReviewPorts } from '../posting/ports.ts';
import { standingOf } from './line-context.ts';
import { numbered } from './text-source.ts';

/**
 * The commit of the pull request in which the lines of a finding changed: the oldest after which they are not as they
 * were. Where history does not tell, because it was written anew, the newest that touched the file; else null.
 */
export async function findFixingCommit(
  known: KnownFinding,
  { readText, commitsOf }: Pick<ReviewPorts, 'readText' | 'commitsOf'>,
): Promise<string | null> {
  const commits = await commitsOf(known.path);
  let candidate: string | null = null;
  if (known.side === 'RIGHT') {
    for (const sha of commits) {
      const text = await readText(known.path, sha);
      const lines = text === null ? null : numbered(text);
      const { kind } = standingOf(known, { lines: () => lines });
      if (kind === 'untouched' || kind === 'unknown') break;
      candidate = sha;
    }
  }
  return candidate === null || candidate === commits.at(-1) ? (commits[0] ?? null) : candidate;
}
