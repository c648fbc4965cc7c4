import { createLiteralSearch, type LiteralSearch } from './literal-search.ts';
import { base64Core } from './secret-forms.ts';
import type { TextRange } from './squeeze-text.ts';
import { tokenBeginnings } from './token-forms.ts';

/** How much of a run of base64 around a suspicious place is decoded, in characters each way. */
const reach = 4096;

/**
 * Makes a function that finds the runs of base64 (RFC 4648, both alphabets) in which a token stands, by what `holdsToken` says of the decoded text; of a very
 * long run the part around it. Only decoded where the beginning of a token shows, so that an image costs next to nothing.
 */
export function createEncodedTokenFinder(
  holdsToken: (decoded: string) => boolean,
): (text: string) => TextRange[] {
  const beginnings = [...tokenBeginnings.map(({ begins }) => begins), 'PRIVATE KEY-----'].map((text) =>
    Buffer.from(text),
  );
  const cores = beginnings.flatMap((bytes) => [0, 1, 2].map((offset) => base64Core(bytes, offset)));
  const search = createLiteralSearch([...new Set(cores)].filter((core) => core.length >= 4));
  return (text) => findRuns(text, search, holdsToken);
}

function findRuns(
  text: string,
  search: LiteralSearch,
  holdsToken: (decoded: string) => boolean,
): TextRange[] {
  const ranges: TextRange[] = [];
  let looked = 0;
  search(text, (at) => {
    if (at < looked) return;
    const run = runAround(text, at);
    if (run.end - run.start < 24) return;
    looked = run.end;
    const characters = text.slice(run.start, run.end);
    for (let offset = 0; offset < 4; offset++) {
      const decoded = Buffer.from(characters.slice(offset), 'base64').toString('latin1');
      if (!holdsToken(decoded) && !/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(decoded)) continue;
      ranges.push(run);
      return;
    }
  });
  return ranges;
}

function runAround(text: string, at: number): TextRange {
  let start = at;
  while (start > 0 && at - start < reach && isBase64(text.charCodeAt(start - 1))) start--;
  let end = at;
  while (end < text.length && end - at < reach && isBase64(text.charCodeAt(end))) end++;
  return { start, end };
}

function isBase64(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x2f ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x5f
  );
}
