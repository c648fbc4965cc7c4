import { expect, test } from 'vitest';
import type { KnownFinding } from '../../../src/contract/review-record.ts';
import { createHunkMap } from '../../../src/reporting/diff/hunk-map.ts';
import { findFixingCommit } from '../../../src/reporting/findings/find-fixing-commit.ts';
import { contextOf } from '../../../src/reporting/findings/line-context.ts';
import { numbered, textSource } from '../../../src/reporting/findings/text-source.ts';

const text = 'first line\nsecond line\nthird line\n';
const known: KnownFinding = {
  ...{
    id: 'f',
    path: 'a',
    side: 'RIGHT',
    line: 2,
    severity: 'high',
    category: 'bug',
    title: 't',
    check: null,
  },
  ...contextOf({ path: 'a', side: 'RIGHT', line: 2 }, { lines: () => numbered(text) }),
  ...{ state: 'open', run_id: 'r', dismissed_by: null, fixed: null },
};
/** Commits, the newest first, with the text of the file in each. */
const fixedBy = (commits: Readonly<Record<string, string | null>>, more: Partial<KnownFinding> = {}) =>
  findFixingCommit(
    { ...known, ...more },
    {
      readText: async (path, sha) => (path === 'a' ? (commits[sha] ?? null) : null),
      commitsOf: async (path) => (path === 'a' ? Object.keys(commits) : []),
    },
  );
const beside = text.replace('first', 'changed');
const gone = text.replace('second', 'mended');

test('The oldest commit after which the lines are not as they were fixed a finding.', async () => {
  expect(
    await Promise.all([
      fixedBy({ newest: gone, middle: gone, old: text }),
      fixedBy({ newest: beside, middle: gone, old: text }),
      fixedBy({ newest: null, middle: gone, old: text, older: gone }),
      fixedBy({ newest: gone, old: text }),
    ]),
  ).toEqual(['middle', 'middle', 'middle', 'newest']);
});

test('Where history does not tell, the newest that touched the file did; without one nothing is said.', async () => {
  expect(
    await Promise.all([
      fixedBy({ newest: text, old: gone }),
      fixedBy({ newest: gone, old: gone }),
      fixedBy({ newest: gone, middle: gone, old: text }, { side: 'LEFT' }),
      fixedBy({ newest: gone, middle: gone, old: text }, { anchor: '' }),
      fixedBy({}),
      fixedBy({ newest: gone }, { path: 'b' }),
    ]),
  ).toEqual(['newest', 'newest', 'newest', 'newest', null, null]);
});

test('Lines are those of the head, else of the diff; deleted ones are the diff’s.', async () => {
  const map = createHunkMap(
    ['a', 'b']
      .map(
        (name) => `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -4 +4 @@\n-old\n+new\n`,
      )
      .join(''),
  );
  const asked: string[] = [];
  const source = await textSource(['a', 'b', 'a', 'c'], 'head', map, {
    readText: async (path, sha) => {
      asked.push(`${path}@${sha}`);
      return path === 'a' ? 'x\ny' : null;
    },
  });
  expect([
    asked,
    ...(['a', 'b', 'c'] as const).map((path) => [source.lines(path, 'RIGHT'), source.lines(path, 'LEFT')]),
  ]).toEqual([
    ['a@head', 'b@head', 'c@head'],
    [
      new Map([
        [1, 'x'],
        [2, 'y'],
      ]),
      new Map([[4, 'old']]),
    ],
    [new Map([[4, 'new']]), new Map([[4, 'old']])],
    [null, null],
  ]);
});
