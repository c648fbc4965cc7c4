import { isUtf8 } from 'node:buffer';
import type { ChangedText } from '../../checks/linters/check-program.ts';
import type { FileStates } from '../../workspace/changes/unified-diff.ts';
import { isBinary } from '../text/text-file.ts';

const longestFile = 4 * 1024 * 1024;

/** Returns the file as text in a list; empty if it cannot be checked or did not change. */
export function changedText({ path, before, after }: FileStates): ChangedText[] {
  if (after === null || before?.content.equals(after.content) === true) return [];
  const { content } = after;
  if (content.length > longestFile || isBinary(content) || !isUtf8(content)) return [];
  if (/(?:^|\/)node_modules\//.test(path)) return [];
  const earlier = before !== null && isUtf8(before.content) ? before.content.toString('utf8') : null;
  return [{ path, before: earlier, after: content.toString('utf8') }];
}
