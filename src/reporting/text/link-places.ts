import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { codeRegions } from '../../untrusted-text/code-regions.ts';

/** A place in a text: `src/a.ts:12` or `src/a.ts:12-20`, also as a code span. */
const place =
  /(?<![\w/.:@[\]-])(`?)((?:[\w@.+-]+\/)*[\w@.+-]*[\w]\.?[\w-]*):(\d{1,6})(?:-(\d{1,6}))?\1(?![\w`/:]|\]\()/gu;

const mostPaths = 30;

/** A file at the commit that its links name. */
interface LinkedFile {
  /** Number of lines. */
  readonly lines: number;
  /** The file's page, without a line. */
  readonly url: string;
}

/** Returns the paths of the places in a text, each once. */
function placesIn(text: string): string[] {
  const paths = prose(text).flatMap((part) => [...part.matchAll(place)].map((found) => found[2] ?? ''));
  return [...new Set(paths)].filter((path) => !path.split('/').includes('..')).slice(0, mostPaths);
}

/** The text without fences and longer spans of code, which stay as they are. */
const prose = (text: string): string[] => splitCode(text).flatMap(({ code, part }) => (code ? [] : [part]));

/** Splits a text into prose and code. A code span that is only a place counts as prose. */
function splitCode(text: string): { readonly code: boolean; readonly part: string }[] {
  const parts: { code: boolean; part: string }[] = [];
  let last = 0;
  for (const { start, end } of codeRegions(text, { html: false })) {
    const part = text.slice(start, end);
    if (new RegExp(`^(?:${place.source})$`, 'u').test(part)) continue;
    parts.push({ code: false, part: text.slice(last, start) }, { code: true, part });
    last = end;
  }
  return [...parts, { code: false, part: text.slice(last) }];
}

/** Links each place in a text whose file has that line. Pure. */
export function linkPathLines(text: string, files: ReadonlyMap<string, LinkedFile>): string {
  const linked = (whole: string, ...[, path, from, to]: (string | undefined)[]): string => {
    const file = files.get(path ?? '');
    const [first, last] = [Number(from), Number(to ?? from)];
    if (file === undefined || first < 1 || last < first || last > file.lines) return whole;
    return `[${whole}](${file.url}#L${first}${last > first ? `-L${last}` : ''})`;
  };
  return splitCode(text)
    .map(({ code, part }) => (code ? part : part.replace(place, linked)))
    .join('');
}

type ReadHeadFile = (path: string) => Promise<string | null>;

/**
 * Returns the outcome with links for places in its answer. A changed file is linked at the run's
 * commit, if there is one; any other at the head. Without `readHeadFile` the outcome is returned as
 * it is.
 */
export async function withPlaceLinks(
  outcome: Outcome,
  plan: RunPlan,
  commit: string | null,
  readHeadFile: ReadHeadFile | undefined,
): Promise<Outcome> {
  if (readHeadFile === undefined) return outcome;
  const site = `${plan.repository.clone_url.replace(/\.git$/u, '')}/blob/${commit ?? plan.checkout.sha}`;
  const files = new Map<string, LinkedFile>();
  for (const path of placesIn(outcome.answer)) {
    const text = await textAfter(path, outcome, commit !== null, readHeadFile);
    if (text === null) continue;
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    files.set(path, { lines, url: `${site}/${path.split('/').map(encodeURIComponent).join('/')}` });
  }
  return files.size === 0 ? outcome : { ...outcome, answer: linkPathLines(outcome.answer, files) };
}

/** Returns a file's text at the linked commit; null for a file that is not there, or differs. */
async function textAfter(
  path: string,
  { changes }: Outcome,
  isCommitted: boolean,
  readHeadFile: ReadHeadFile,
): Promise<string | null> {
  const change = changes.files.find((file) => file.path === path || file.old_path === path);
  if (change === undefined) return readHeadFile(path);
  if (!isCommitted || change.path !== path || change.content === null) return null;
  return Buffer.from(change.content, 'base64').toString('utf8');
}
