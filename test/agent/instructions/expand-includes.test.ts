import { expect, test } from 'vitest';
import { expandIncludes } from '../../../src/agent/instructions/expand-includes.ts';
import { treeOf } from './trees.ts';

test('a named file follows the text with the files it names, each once, with paths relative to the naming file', async () => {
  const tree = treeOf({
    'docs/style.md': 'Tabs. See @../shared/words.md, and @more.md.',
    'docs/more.md': 'More.',
    'shared/words.md': 'Plain words (@../docs/more.md).\n',
  });
  expect(await expandIncludes(tree, 'AGENTS.md', 'Mind @docs/style.md.\nAnd @./docs/more.md\n')).toBe(
    `Mind @docs/style.md.
And @./docs/more.md

[docs/style.md, included by AGENTS.md]
Tabs. See @../shared/words.md, and @more.md.

[shared/words.md, included by docs/style.md]
Plain words (@../docs/more.md).

[docs/more.md, included by shared/words.md]
More.`,
  );
});

test('people, packages, addresses and code are not taken for files', async () => {
  const text = `Ask @ada or team@example.com about @types/node and @acme/shop.
Write \`@docs/a.md\` so.

\`\`\`
@docs/a.md
\`\`\`
`;
  expect(await expandIncludes(treeOf({ 'docs/a.md': 'A' }), 'AGENTS.md', text)).toBe(text.trim());
});

test('a text full of names is scanned in linear time, and few files are looked up', async () => {
  const tree = treeOf({});
  const names = Array.from({ length: 30_000 }, (_, index) => `@u${index}`).join(' ');
  const text = `@${'.'.repeat(60_000)}x @${'../'.repeat(20_000)}\n${names}`;
  expect((await expandIncludes(tree, 'AGENTS.md', text)).slice(text.length)).toBe(
    '\n\n[@u100 in AGENTS.md is not included: no more than 100 names are looked for]',
  );
  expect(tree.asked).toHaveLength(100);
});

test('a file that cannot be included is reported in its place and never read', async () => {
  const tree = treeOf({
    'a.md': 'Back to @AGENTS.md',
    '.env': 'KEY=1',
    'keys/id_rsa': 'KEY',
    'image.md': '\0',
  });
  const named = ['a.md', '../up.md', '/etc/passwd', '~/.claude/me.md', '.git/config', '.env', 'keys/id_rsa'];
  const text = [...named, 'gone.md', 'image.md'].map((name) => `@${name}`).join('\n');
  expect((await expandIncludes(tree, 'AGENTS.md', text)).split('\n\n').slice(1)).toEqual([
    '[a.md, included by AGENTS.md]\nBack to @AGENTS.md',
    '[@AGENTS.md in a.md is not included: it is put in already above, and would go round in a circle]',
    '[@../up.md in AGENTS.md is not included: it leads out of the repository]',
    '[@/etc/passwd in AGENTS.md is not included: it leads out of the repository]',
    '[@~/.claude/me.md in AGENTS.md is not included: it leads out of the repository]',
    "[@.git/config in AGENTS.md is not included: it is git's own]",
    '[@.env in AGENTS.md is not included: credentials are kept there]',
    '[@keys/id_rsa in AGENTS.md is not included: credentials are kept there]',
    '[@gone.md in AGENTS.md is not included: there is no such text file of at most 256 KiB]',
    '[@image.md in AGENTS.md is not included: there is no such text file of at most 256 KiB]',
  ]);
  expect(tree.asked).toEqual(['a.md', 'gone.md', 'image.md']);
});

test('includes are limited to five levels and twenty files', async () => {
  const chain = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`${at}.md`, `@${at + 1}.md`]));
  const deep = await expandIncludes(treeOf(chain), '0.md', '@1.md');
  expect(deep.match(/^\[.*\]$/gm)?.slice(4)).toEqual([
    '[5.md, included by 4.md]',
    '[@6.md in 5.md is not included: files are put in at most 5 deep]',
  ]);
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}.md`, 'x']));
  const wide = await expandIncludes(
    treeOf(many),
    'AGENTS.md',
    Object.keys(many)
      .map((name) => `@${name}`)
      .join(' '),
  );
  expect(wide.match(/^\[.*\]$/gm)?.slice(19)).toEqual([
    '[f19.md, included by AGENTS.md]',
    '[@f20.md in AGENTS.md is not included: files are put in at most 20 of them]',
  ]);
});
