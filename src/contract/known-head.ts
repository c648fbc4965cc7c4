import * as z from 'zod';
import { parseJson } from './json.ts';

/** A commit that was the head of a pull request, with its time. ISO 8601. */
const SeenHead = z.strictObject({ sha: z.string(), at: z.iso.datetime() });

/** Time of a head that no event reported yet: no comment has seen it. */
export const notYetTold = '9999-12-31T00:00:00.000Z';

/**
 * The last known head of a pull request. `under` is the last head by someone else, if our commits
 * are on top of it; `made` are these commits, the newest last.
 */
export const HeadRecord = SeenHead.extend({
  under: SeenHead.optional(),
  made: z.array(z.string()).max(100).optional(),
});
export type HeadRecord = z.infer<typeof HeadRecord>;

/** Reads a stored record; null if it is missing or unreadable. */
export function parseHeadRecord(text: string | null): HeadRecord | null {
  return text === null ? null : (HeadRecord.safeParse(parseJson(text)).data ?? null);
}

/** A commit that we put on the head of a pull request. */
interface OwnHead {
  readonly sha: string;
  /** The head before. */
  readonly onto: string;
  /** The time since when that head is known, if no event reported it; `notYetTold` for unknown. */
  readonly ontoSince: string;
  readonly now: Date;
}

/** Most commits of ours in a record. */
const mostMade = 100;

/** Returns the record of a head that we made. Pure. */
export function recordOfOwnHead(
  before: HeadRecord | null,
  { sha, onto, ontoSince, now }: OwnHead,
): HeadRecord {
  if (before?.sha === sha) return before;
  const isKnown = before?.sha === onto;
  const seen = isKnown ? { sha: before.sha, at: before.at } : { sha: onto, at: ontoSince };
  return {
    sha,
    at: now.toISOString(),
    under: isKnown ? (before.under ?? seen) : seen,
    made: [...(isKnown ? (before.made ?? []) : []), sha].slice(-mostMade),
  };
}

/**
 * Returns the record of a head that was known at a time already, if it says a later one; else null.
 * The head counts under commits of ours too. Pure.
 */
export function knownEarlier(
  record: HeadRecord | null,
  { sha, at }: { readonly sha: string; readonly at: string },
): HeadRecord | null {
  const seen = record?.under ?? record;
  if (record === null || seen?.sha !== sha || Date.parse(seen.at) <= Date.parse(at)) return null;
  return record.under === undefined ? { ...record, at } : { ...record, under: { sha, at } };
}
