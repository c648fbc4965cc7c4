import { expect, test } from 'vitest';
import { renderContextPack } from '../../src/agent/context-pack.ts';

const nothing = {
  entries: [],
  branch: 'main',
  status: [],
  untrackedListed: true,
  instructions: [],
  scripts: [],
};

test('the pack says what is there, what is changed, how it is run and how to work', () => {
  expect(
    renderContextPack({
      entries: ['src/', 'package.json'],
      branch: 'work',
      status: [' M src/a.js'],
      untrackedListed: true,
      scripts: ['test: node --test'],
      instructions: [{ path: 'AGENTS.md', text: 'Be brief.\n' }],
    }),
  ).toBe(`<repository>
Top level:
src/
package.json

Git: work, changed:
 M src/a.js

npm scripts:
test: node --test

Instructions of this repository (AGENTS.md):
Be brief.
</repository>`);
});

test('what is too much is cut, and says so', () => {
  const many = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => `${name}${index}`);
  const pack = renderContextPack({
    ...nothing,
    entries: many(100, 'f'),
    status: many(50, '?? g'),
    scripts: many(20, 's: '),
    instructions: [{ path: 'AGENTS.md', text: 'x'.repeat(40_000) }],
  });
  expect(pack.match(/\[…[^\]]*…\]/g)).toEqual([
    '[… 20 more entries …]',
    '[… 10 more changed files …]',
    '[… 8 more scripts …]',
    '[… cut at 32 KB …]',
  ]);
  expect(pack).not.toContain('f80');
});

test('other repositories are named with how to get at them', () => {
  const repositories = [
    { name: 'shared', shown: '../shared-lib' },
    { name: 'docs', shown: '/srv/docs' },
  ];
  expect(renderContextPack({ ...nothing, repositories })).toContain(
    'Other repositories, for reading only: ../shared-lib/ (shared), /srv/docs/ (docs). Searches without a path cover them.',
  );
});

test('a folder without git, a detached head and an unfinished look are told as they are', () => {
  expect(renderContextPack({ ...nothing, status: null })).toContain('Git: not a repository.');
  expect(renderContextPack({ ...nothing, branch: null })).toContain('Git: detached HEAD, clean');
  expect(renderContextPack({ ...nothing, untrackedListed: false })).toContain(
    'Git: main, clean (untracked files not looked for)',
  );
});
