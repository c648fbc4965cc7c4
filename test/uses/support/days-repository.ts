/** The files of a small library, and of a pull request on it that has five defects. */
export const baseFiles = {
  'package.json': '{ "name": "days", "type": "module", "scripts": { "test": "node --test" } }\n',
  'README.md': '# Days\n\nCounts days.\n',
  'src/days.js': `export const msPerDay = 86_400_000;

/** Full days between two dates. */
export function daysBetween(from, to) {
  return Math.round((to - from) / msPerDay);
}
`,
  '.github/anode.yml':
    'sandbox: preferred\nreport:\n  controls: true\nreview:\n  sarif: true\n  checks: { linters: false }\n',
};

export const rangesFile = 'src/ranges.js';

/** The file that the pull request adds. */
export const ranges = `import { daysBetween } from './days.js';

/** The days of a range, both ends included. */
export function daysIn(range) {
  const days = [];
  for (let day = 0; day < daysBetween(range.from, range.to); day++)
    days.push(new Date(range.from.getTime() + day * 86400000));
  return days;
}

/** True if two ranges share a day. */
export function overlaps(a, b) {
  return a.from < b.to && b.from < a.to;
}

/** Reads a range such as "2026-01-01..2026-01-31". */
export function parseRange(text) {
  const [from, to] = text.split('..');
  return { from: new Date(from), to: new Date(to) };
}
`;

/** A defect: the code that shows it, its repair, and the finding of a reviewer who sees it. */
export interface Defect {
  readonly code: string;
  readonly repair: string;
  readonly severity: string;
  readonly category: string;
  readonly title: string;
  readonly body: string;
  readonly suggests: boolean;
}

export const defects = {
  lastDay: {
    code: '  for (let day = 0; day < daysBetween(range.from, range.to); day++)',
    repair: '  for (let day = 0; day <= daysBetween(range.from, range.to); day++)',
    severity: 'high',
    category: 'correctness',
    title: 'The last day of a range is missing',
    body: 'The comment says that both ends are included. The loop ends one day too early.',
    suggests: true,
  },
  constant: {
    code: '    days.push(new Date(range.from.getTime() + day * 86400000));',
    repair: '    days.push(new Date(range.from.getTime() + day * msPerDay));',
    severity: 'medium',
    category: 'maintainability',
    title: 'The number of milliseconds exists as `msPerDay`',
    body: '`src/days.js` exports it.',
    suggests: false,
  },
  touching: {
    code: '  return a.from < b.to && b.from < a.to;',
    repair: '  return a.from <= b.to && b.from <= a.to;',
    severity: 'medium',
    category: 'correctness',
    title: 'Ranges that touch share a day, but do not overlap here',
    body: 'Both ends belong to a range, so the last day of one may be the first of the other.',
    suggests: true,
  },
  unchecked: {
    code: "  const [from, to] = text.split('..');",
    repair: "  const [from, to = from] = text.split('..');",
    severity: 'medium',
    category: 'correctness',
    title: 'A text with one date gives an invalid range',
    body: 'Without `..` the end is `undefined`, which becomes an invalid date.',
    suggests: true,
  },
  logged: {
    code: '  console.log(range);',
    repair: '',
    severity: 'info',
    category: 'maintainability',
    title: 'A line of debugging is left',
    body: 'It writes to the standard output of every caller.',
    suggests: false,
  },
} as const satisfies Record<string, Defect>;

/** The findings of a reviewer who reads the file: each defect whose code is there, on its line. */
export function findingsIn(text: string) {
  const lines = text.split('\n');
  return Object.values<Defect>(defects).flatMap(({ code, repair, suggests, ...finding }) => {
    const line = lines.indexOf(code) + 1;
    if (line === 0) return [];
    const suggestion = suggests ? { suggestion: repair } : {};
    return [{ path: rangesFile, line, ...finding, ...suggestion }];
  });
}
