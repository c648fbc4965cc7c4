import { expect, test } from 'vitest';
import { renderContextPack } from '../../../src/agent/prompt/context-pack.ts';

const nothing = {
  entries: [],
  branch: 'main',
  status: [],
  untrackedListed: true,
  instructions: [],
  commands: [],
};

test('the pack describes the files, the changes, the commands and the work method', () => {
  expect(
    renderContextPack({
      entries: ['src/', 'package.json'],
      branch: 'work',
      status: [' M src/a.js'],
      untrackedListed: true,
      commands: ['npm scripts:\ntest: node --test', 'make targets: all'],
      instructions: [{ ref: 'AGENTS.md', applies: 'this repository', text: 'Be brief.' }],
      skills: 'Skills: deploy',
    }),
  ).toBe(`<repository>
Top level:
src/
package.json

Git: work, changed:
 M src/a.js

npm scripts:
test: node --test

make targets: all

Skills: deploy

Instructions of this repository (AGENTS.md):
Be brief.
</repository>`);
});

test('long lists are cut with a notice', () => {
  const many = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => `${name}${index}`);
  const pack = renderContextPack({
    ...nothing,
    entries: many(100, 'f'),
    status: many(50, '?? g'),
    instructions: ['AGENTS.md', 'a/AGENTS.md', 'b/AGENTS.md'].map((ref) => ({
      ref,
      applies: 'x',
      text: 'x'.repeat(30_000),
    })),
  });
  expect(pack.match(/\[…[^\]]*…\]/g)).toEqual(['[… 20 more entries …]', '[… 10 more changed files …]']);
  expect(pack).not.toContain('f80');
  expect(pack).toMatch(
    /More instructions hold; read them with worldinfo.read_activated, called through use_tool: b\/AGENTS.md \(for x\)/,
  );
});

test('other repositories are listed with their access', () => {
  const repositories = [
    { name: 'shared', displayPath: '../shared-lib' },
    { name: 'docs', displayPath: '/srv/docs' },
  ];
  expect(renderContextPack({ ...nothing, repositories })).toContain(
    'Other repositories, for reading only: ../shared-lib/ (shared), /srv/docs/ (docs). Searches without a path cover them.',
  );
});

test('a folder without git, a detached head and an incomplete scan are described', () => {
  expect(renderContextPack({ ...nothing, status: null })).toContain('Git: not a repository.');
  expect(renderContextPack({ ...nothing, branch: null })).toContain('Git: detached HEAD, clean');
  expect(renderContextPack({ ...nothing, untrackedListed: false })).toContain(
    'Git: main, clean (untracked files not looked for)',
  );
});
