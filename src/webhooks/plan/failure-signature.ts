import { createHash } from 'node:crypto';
import { tellingLines } from './failure-excerpt.ts';

/** Lines of a check that count. */
const mostLines = 40;

/**
 * Returns a name for what failed: 16 hexadecimal digits. Two builds have the same if the same
 * checks failed with the same errors. Numbers, hashes, addresses, temporary paths and the order of
 * lines make no difference.
 */
export function failureSignature(
  checks: readonly { readonly name: string; readonly text: string }[],
): string {
  const told = checks.map(({ name, text }) => [
    normalised(name),
    ...[...new Set(tellingLines(text).map(normalised))].slice(0, mostLines).toSorted(),
  ]);
  const whole = told.toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(whole)).digest('hex').slice(0, 16);
}

function normalised(line: string): string {
  return line
    .toLowerCase()
    .replaceAll(/\/(?:tmp|var\/folders|home\/runner\/work\/_temp)\/[^\s'":)]+/gu, '<temporary>')
    .replaceAll(/\b(?:0x)?[0-9a-f]{7,}\b/gu, '#')
    .replaceAll(/\d+(?:[.,:]\d+)*/gu, '#')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
