const units = { h: 3600, m: 60, s: 1 };

/**
 * Reads a duration such as "1h 30m" or "45s" and returns seconds. Each unit stands at most once,
 * the larger before the smaller. Throws a RangeError for any other text.
 */
export function parseDuration(text) {
  const match = /^\s*(?:(\d+)h)?\s*(?:(\d+)m)?\s*(?:(\d+)s)?\s*$/.exec(text);
  if (match === null || match.slice(1).every((part) => part === undefined))
    throw new RangeError(`not a duration: ${text}`);
  const [, hours = 0, minutes = 0, seconds = 0] = match;
  return Number(hours) * units.h + Number(minutes) * units.m + Number(seconds) * units.s;
}
