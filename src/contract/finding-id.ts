/** An id at the start of a text, as people type it, with what separates it from their reason. */
const typedId = /^`?([0-9a-f]{7,16}(?:-\d{1,4})?)`?(?:[\s,;:.]+|$)/iu;

/** Digits of an id that people see, if no other id begins with them. */
const shownDigits = 7;

/** Reads the id of a finding and the words behind it; null for a text that begins otherwise. */
export function readFindingId(text: string): { readonly id: string; readonly reason: string } | null {
  const [start, id] = typedId.exec(text) ?? [];
  if (start === undefined || id === undefined) return null;
  return { id: id.toLowerCase(), reason: text.slice(start.length).trim() };
}

/** Returns the id as people see it: its beginning, or the whole if another one begins so. */
export function shownFindingId(id: string, all: readonly { readonly id: string }[]): string {
  const shown = id.slice(0, shownDigits);
  return all.some((other) => other.id !== id && other.id.startsWith(shown)) ? id : shown;
}

/** Returns the finding that a typed id names; null if none or several begin with it. */
export function findByTypedId<Named extends { readonly id: string }>(
  findings: readonly Named[],
  typed: string,
): Named | null {
  const exact = findings.find(({ id }) => id === typed);
  const [one = null, ...more] = findings.filter(({ id }) => id.startsWith(typed));
  return exact ?? (more.length === 0 ? one : null);
}
