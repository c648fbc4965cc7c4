export { formatDay, parseDay } from './day.js';
export { contains, countDays, createRange } from './range.js';
