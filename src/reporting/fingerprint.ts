import { createHash } from 'node:crypto';
import type { Finding } from '../contract/findings.ts';
import type { HunkMap } from './hunk-map.ts';
import { oneLine } from './markdown.ts';
import type { Suggestion } from './suggestions.ts';

/**
 * A name for a finding that survives pushes, rebases and moved lines: its path, its category, and the line it
 * stands on without white space, or its title where that line says too little to tell it from others.
 */
export function fingerprintFinding(finding: Finding, map: HunkMap): string {
  const line = (map.text(finding.path, finding.side, finding.line) ?? '').replace(/\s+/gu, '');
  const telling = line.replace(/[^\p{L}\p{N}]/gu, '').length >= 6;
  const context = telling ? `line:${line}` : `title:${normalise(finding.title)}`;
  return digest(['finding', finding.path, normalise(finding.category), context]);
}

/** A name for a suggested change: what it replaces where, by what. */
export function fingerprintSuggestion({ path, before, after }: Suggestion): string {
  return digest(['suggestion', path, before.join('\n'), after.join('\n')]);
}

function normalise(text: string): string {
  return oneLine(
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' '),
  );
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
