import { expect, test } from 'vitest';
import { mergeWalkthrough } from '../../../src/reporting/summary/merge-walkthrough.ts';
import { renderDiagram, renderWalkthrough } from '../../../src/reporting/summary/render-walkthrough.ts';
import { readWalkthrough, statedWalkthrough } from '../../../src/tools/review/read-walkthrough.ts';

const group = (title: string, ...files: string[]) => ({ title, files, what: `About ${title}.` });

test('draws three or more parts, with names that mean nothing to Mermaid', () => {
  const arrows = [
    { from: 'Queue', to: 'Worker', label: 'hands "out"; click p0' },
    { from: 'Worker', to: 'https://evil.test\n%%{init}%%' },
  ];
  expect([renderDiagram(arrows), renderDiagram(arrows.slice(0, 1)), renderDiagram([])]).toEqual([
    [
      '```mermaid',
      'flowchart LR',
      '  p0["Queue"]',
      '  p1["Worker"]',
      '  p2["https /evil.test init"]',
      '  p0 -->|"hands out click p0"| p1',
      '  p1 --> p2',
      '```',
    ].join('\n'),
    '',
    '',
  ]);
});

test('neutralises the text of a walkthrough', () => {
  const text = renderWalkthrough(
    { overview: 'Fixes #1 for @everyone.', groups: [group('Dates', 'src/a.js')] },
    ['github.com'],
  );
  expect([/@everyone|Fixes #1\b/.test(text), text.split('\n').at(-1)]).toEqual([
    false,
    '- **Dates** (`src/a.js`): About Dates.',
  ]);
});

test('includes the earlier description of files that an incremental review did not read', () => {
  const before = { overview: 'Adds dates.', groups: [group('Dates', 'a', 'b'), group('Gone', 'c')] };
  const now = { overview: 'Fixes b.', groups: [group('Repair', 'b')] };
  const files = ['a', 'b'];
  expect([
    mergeWalkthrough({ before, now, incremental: true, files })?.groups,
    mergeWalkthrough({ before, now, incremental: false, files })?.overview,
    mergeWalkthrough({ before, now: null, incremental: true, files })?.groups,
    mergeWalkthrough({ before: null, now: null, incremental: false, files }),
  ]).toEqual([
    [{ ...group('Dates', 'a') }, { ...group('Repair', 'b') }],
    'Fixes b.',
    [group('Dates', 'a', 'b')],
    null,
  ]);
});

test('joins parts of one title, with the newest text', () => {
  const before = { overview: 'Adds dates.', groups: [group('Dates', 'a', 'b'), group('Tests', 'c')] };
  const now = { overview: 'Adds dates.', groups: [{ ...group('dates', 'd'), what: 'More dates.' }] };
  const merged = mergeWalkthrough({ before, now, incremental: true, files: ['a', 'b', 'c', 'd'] });
  expect(merged?.groups).toEqual([
    { ...group('dates', 'a', 'b', 'd'), what: 'More dates.' },
    group('Tests', 'c'),
  ]);
});

test('takes an overview alone, and keeps the parts of the change', () => {
  const before = { overview: 'Adds dates.', groups: [group('Dates', 'a')] };
  const read = (stated: unknown) => readWalkthrough(statedWalkthrough().parse(stated), (file) => file);
  const now = read({ overview: 'Adds dates and weeks.' });
  const merge = (incremental: boolean) => mergeWalkthrough({ before, now, incremental, files: ['a'] });
  const merged = { overview: 'Adds dates and weeks.', groups: [group('Dates', 'a')] };
  expect([now, read('Adds dates and weeks.'), merge(true), merge(false)]).toEqual([
    { overview: 'Adds dates and weeks.', groups: [] },
    { overview: 'Adds dates and weeks.', groups: [] },
    merged,
    merged,
  ]);
});

test('bounds what a model states, and drops what has no text or ends', () => {
  const stated = {
    overview: ` ${'x'.repeat(2_000)}`,
    groups: [group('Dates', 'b/src/a.js', 'b/src/a.js'), { title: ' ', files: [], what: 'Nothing.' }],
    diagram: [{ from: '', to: 'B' }],
  };
  const read = readWalkthrough(stated, (file) => file.replace(/^b\//, ''));
  expect([read?.overview.length, read?.groups, read?.diagram]).toEqual([
    1_200,
    [{ title: 'Dates', files: ['src/a.js'], what: 'About Dates.' }],
    undefined,
  ]);
  expect(readWalkthrough(undefined, (file) => file)).toBeNull();
});
