import { endOfFence, type Fence, fenceOf, holdsShell } from './fenced-text.ts';
import { readBareCalls } from './read-call-text.ts';
import type { TextDirective } from './text-directive.ts';

/** Prose that tells a person what to run: the script below it is part of the answer. */
const instructs =
  /\byou(?:'ll| (?:can|could|should|may|might|need|must|have to|want to|would|will))\b|\byourself\b/i;

/**
 * Text without a directive, which may still end in an action: JSON of calls, fenced or not, or the one fence
 * of shell in it, that only where it may be the `last` word of a reply. Everything else is prose.
 */
export function readProse(lines: readonly string[], last: boolean): TextDirective[] {
  const text = lines.join('\n').trimEnd().split('\n');
  const fences = findFences(text);
  const final = fences.at(-1);
  if (final !== undefined && final.end >= text.length - 1) {
    const before = text.slice(0, final.start).join('\n');
    const body = text.slice(final.start + 1, final.end).join('\n');
    const alone = last && fences.length === 1 && holdsShell(final.fence);
    if (alone && body.trim() !== '' && !instructs.test(before)) {
      return [...prose(before), { kind: 'bash', command: body.trim() }];
    }
    const calls = /^(?:json\w*|tool\w*|)$/.test(final.fence.language) ? readBareCalls(body) : null;
    return calls === null ? prose(text.join('\n')) : [...prose(before), ...calls];
  }
  const from = final === undefined ? 0 : final.end + 1;
  for (let index = from; index < text.length; index += 1) {
    // The first line of JSON only, not each line of a long list of it.
    const begins = /^\s*[{[]/.test(text[index] ?? '') && !/[{}[\],]\s*$/.test(text[index - 1] ?? '');
    const calls = begins ? readBareCalls(text.slice(index).join('\n')) : null;
    if (calls !== null) return [...prose(text.slice(0, index).join('\n')), ...calls];
  }
  return prose(text.join('\n'));
}

function prose(text: string): TextDirective[] {
  return text.trim() === '' ? [] : [{ kind: 'prose', text: text.trim() }];
}

/** The fences of a text, by the indexes of their first and last line. */
function findFences(lines: readonly string[]): { fence: Fence; start: number; end: number }[] {
  const fences: { fence: Fence; start: number; end: number }[] = [];
  for (let start = 0; start < lines.length; start += 1) {
    const fence = fenceOf(lines[start] ?? '');
    if (fence === null) continue;
    const end = endOfFence(lines, start + 1, fence, holdsShell(fence));
    fences.push({ fence, start, end });
    start = end;
  }
  return fences;
}
