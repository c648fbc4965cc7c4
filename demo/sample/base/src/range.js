import { parseDay } from './day.js';

/** The range from one date to another; both belong to it. Throws a RangeError when it would end before it starts. */
export function createRange(from, to) {
  const range = { from: parseDay(from), to: parseDay(to) };
  if (range.to < range.from) throw new RangeError(`A range cannot end (${to}) before it starts (${from}).`);
  return range;
}

/** How many days a range holds, both ends included. */
export function countDays(range) {
  return range.to - range.from + 1;
}

/** True when the date lies in the range. */
export function contains(range, date) {
  const day = parseDay(date);
  return range.from <= day && day <= range.to;
}
