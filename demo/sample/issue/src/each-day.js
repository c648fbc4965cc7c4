import { formatDay } from './day.js';

/** Every date of a range, in order, as YYYY-MM-DD. Lazy: a range may be longer than memory. */
export function* eachDay(range) {
  for (let day = range.from; day <= range.to; day += 1) yield formatDay(day);
}
