export { formatDay, parseDay } from './day.js';
export { mergeRanges } from './merge-ranges.js';
export { contains, countDays, createRange } from './range.js';
