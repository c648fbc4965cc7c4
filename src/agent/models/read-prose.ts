import { readBareCalls, type TextDirective } from './read-calls.ts';

const opening = /^(`{3,}|~{3,})([\w+-]*)[ \t]*$/;
const hereDocument = /(?<!<)<<(?!<)(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([A-Za-z_][\w.-]*))/g;

/**
 * The line that opens a code fence: its marker, which also closes it, and its language in lower
 * case.
 */
export interface Fence {
  readonly marker: string;
  readonly language: string;
}

/** The fence a line opens, or null. */
export function fenceOf(line: string): Fence | null {
  const [, marker, language = ''] = opening.exec(line) ?? [];
  return marker === undefined ? null : { marker, language: language.toLowerCase() };
}

/** Returns true if a fence is marked as a shell script. */
export function holdsShell(fence: Fence | null): boolean {
  return /^(?:bash|sh|shell|zsh)$/.test(fence?.language ?? '');
}

/**
 * Counts the lines from index `from` that belong to here-documents of the shell line before,
 * including terminators (POSIX, Shell Command Language, 2.7.4). One without its terminator does not
 * count: `<<` has other meanings. It lowers `searches.most`; at 0 the search ends.
 */
export function countHereDocumentLines(
  line: string,
  lines: readonly string[],
  from: number,
  searches: { most: number },
): number {
  let length = 0;
  for (const [, dash, single, double, bare] of line.matchAll(hereDocument)) {
    const word = single ?? double ?? bare;
    let end = from + length;
    if (searches.most > 0)
      while (end < lines.length && ended(lines[end] ?? '', dash === '-') !== word) end += 1;
    if (searches.most <= 0 || end >= lines.length) {
      searches.most -= 1;
      break;
    }
    length = end + 1 - from;
  }
  return length;
}

/** A line as it may end a here-document. */
function ended(line: string, dash: boolean): string {
  return dash ? line.replace(/^\t+/, '') : line;
}

/**
 * Returns the index of the line that closes a fence, or of the end of the lines. A here-document in
 * a shell fence may contain fences of its own.
 */
export function endOfFence(lines: readonly string[], from: number, fence: Fence, shell: boolean): number {
  const searches = { most: 100 };
  for (let index = from; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line.trimEnd() === fence.marker) return index;
    if (shell) index += countHereDocumentLines(line, lines, index + 1, searches);
  }
  return lines.length;
}

/** Prose that asks a person to run the script after it, which is then part of the answer. */
const instructs =
  /\byou(?:'ll| (?:can|could|should|may|might|need|must|have to|want to|would|will))\b|\byourself\b/i;

/**
 * Reads text without a directive, which may still end in an action. An action is JSON of calls,
 * fenced or not, or the only shell fence at the `last` position of a reply. Everything else is
 * prose.
 */
export function readProse(lines: readonly string[], last: boolean): TextDirective[] {
  const text = lines.join('\n').trimEnd().split('\n');
  const fences = findFences(text);
  const final = fences.at(-1);
  const ending =
    final !== undefined && final.end >= text.length - 1
      ? readFenced(text, final, last && fences.length === 1)
      : readTrailingCalls(text, final === undefined ? 0 : final.end + 1);
  return ending ?? proseOf(text.join('\n'));
}

/** Reads an action in the fence that ends a text; null for none. A script must be `alone`. */
function readFenced(
  text: readonly string[],
  { fence, start, end }: FoundFence,
  alone: boolean,
): TextDirective[] | null {
  const before = text.slice(0, start).join('\n');
  const body = text.slice(start + 1, end).join('\n');
  if (alone && holdsShell(fence) && body.trim() !== '' && !instructs.test(before)) {
    return [...proseOf(before), { kind: 'bash', command: body.trim() }];
  }
  const calls = /^(?:json\w*|tool\w*|)$/.test(fence.language) ? readBareCalls(body) : null;
  return calls && [...proseOf(before), ...calls];
}

/** Reads calls that end a text and begin in a line from the index `from` on; null without them. */
function readTrailingCalls(text: readonly string[], from: number): TextDirective[] | null {
  for (let index = from; index < text.length; index += 1) {
    // The first line of JSON only, not each line of a long list of it.
    const begins = /^\s*[{[]/.test(text[index] ?? '') && !/[{}[\],]\s*$/.test(text[index - 1] ?? '');
    const calls = begins ? readBareCalls(text.slice(index).join('\n')) : null;
    if (calls !== null) return [...proseOf(text.slice(0, index).join('\n')), ...calls];
  }
  return null;
}

function proseOf(text: string): TextDirective[] {
  return text.trim() === '' ? [] : [{ kind: 'prose', text: text.trim() }];
}

/** A fence with the indexes of its first and last line. */
interface FoundFence {
  readonly fence: Fence;
  readonly start: number;
  readonly end: number;
}

function findFences(lines: readonly string[]): FoundFence[] {
  const fences: FoundFence[] = [];
  for (let start = 0; start < lines.length; start += 1) {
    const fence = fenceOf(lines[start] ?? '');
    if (fence === null) continue;
    const end = endOfFence(lines, start + 1, fence, holdsShell(fence));
    fences.push({ fence, start, end });
    start = end;
  }
  return fences;
}
