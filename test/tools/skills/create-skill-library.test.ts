import { expect, test } from 'vitest';
import { findSkills, type SkillLocation } from '../../../src/tools/skills/create-skill-library.ts';

const skill = (name: string, description = 'For it.') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`;

/** A source whose tree is a table of paths; undefined is an unreadable file. */
function place(
  files: Readonly<Record<string, string | Buffer | undefined>>,
  more: Partial<Omit<SkillLocation, 'tree'>> = {},
): SkillLocation {
  const below: unknown[] = [];
  const tree = {
    asked: below,
    async below(...requested: unknown[]) {
      below.push(requested);
      return Object.keys(files).map((path) => ({ path }));
    },
    async read(paths: readonly string[]) {
      return new Map(
        paths.flatMap((path) => {
          const content = files[path];
          return content === undefined ? [] : [[path, Buffer.from(content)] as const];
        }),
      );
    },
  };
  return {
    source: 'repository' as SkillLocation['source'],
    tree: tree as unknown as SkillLocation['tree'],
    folder: '.agents/skills',
    singles: false,
    render: (path) => `repo:${path}`,
    ...more,
  };
}
const names = ({ skills }: Awaited<ReturnType<typeof findSkills>>) =>
  skills.map(({ name, file, folder, location }) => [name, file, folder, location]);

test('a skill is a folder with SKILL.md, or a single Markdown file if permitted', async () => {
  const files = {
    '.agents/skills/one/SKILL.md': skill('one'),
    '.agents/skills/two/skill.md': skill('two'),
    '.agents/skills/two/notes.md': skill('notes'),
    '.agents/skills/two/xSKILL.md': skill('x'),
    '.agents/skills/two/SKILL.mdx': skill('y'),
    '.agents/skills/three.MD': '# Three\n\nWhat it is for.\n',
    '.agents/skills/README.md': '# Read\n\nMe.\n',
    '.agents/skills/index.md': '# Index\n\nOf it.\n',
    '.agents/skills/myindex.md': '# Mine\n\nOf it.\n',
    '.agents/skills/four.txt': '# Four\n\nText.\n',
  };
  const [plain, singles] = [place(files), place(files, { singles: true })];
  const one = [
    'one',
    '.agents/skills/one/SKILL.md',
    '.agents/skills/one',
    'repo:.agents/skills/one/SKILL.md',
  ];
  const two = [
    'two',
    '.agents/skills/two/skill.md',
    '.agents/skills/two',
    'repo:.agents/skills/two/skill.md',
  ];
  expect(names(await findSkills([plain]))).toEqual([one, two]);
  const both = await findSkills([singles]);
  expect(names(both).map(([, file, folder]) => [file, folder])).toEqual([
    ['.agents/skills/one/SKILL.md', '.agents/skills/one'],
    ['.agents/skills/two/skill.md', '.agents/skills/two'],
    ['.agents/skills/three.MD', null],
    ['.agents/skills/myindex.md', null],
  ]);
  expect((plain.tree as unknown as { asked: unknown }).asked).toEqual([['.agents/skills', 2, 4_000]]);
});

test('a source may be the top of its tree', async () => {
  expect(names(await findSkills([place({ 'one/SKILL.md': skill('one') }, { folder: '' })]))).toEqual([
    ['one', 'one/SKILL.md', 'one', 'repo:one/SKILL.md'],
  ]);
});

test('an invalid skill is reported, and of equal names the highest priority is used', async () => {
  const ours = place(
    { 'one/SKILL.md': skill('one'), 'two/SKILL.md': skill('two') },
    {
      folder: '',
      source: 'built-in' as SkillLocation['source'],
      render: (path) => `ours:${path}`,
    },
  );
  const theirs = place({
    '.agents/skills/one/SKILL.md': skill('one', 'Theirs.'),
    '.agents/skills/again/SKILL.md': skill('one'),
    '.agents/skills/binary/SKILL.md': Buffer.from('a\0b'),
    '.agents/skills/large/SKILL.md': undefined,
    '.agents/skills/empty/SKILL.md': '',
  });
  const { skills, problems } = await findSkills([theirs, ours]);
  expect(
    skills.map(({ name, source, location, description }) => [name, source, location, description]),
  ).toEqual([
    ['one', 'repository', 'repo:.agents/skills/one/SKILL.md', 'Theirs.'],
    ['two', 'built-in', 'ours:two/SKILL.md', 'For it.'],
  ]);
  const [again, binary, large, empty, ...rest] = problems;
  expect([again, binary, large, rest]).toEqual([
    expect.stringMatching(/^repo:\.agents\/skills\/again\/SKILL\.md /),
    'repo:.agents/skills/binary/SKILL.md is no text of at most 256 KiB, so it is no skill.',
    'repo:.agents/skills/large/SKILL.md is no text of at most 256 KiB, so it is no skill.',
    [],
  ]);
  expect(empty).toMatch(/^repo:\.agents\/skills\/empty\/SKILL\.md .*, so it is no skill\.$/);
});

test('a source has at most a hundred skills', async () => {
  const many = (count: number) =>
    place(
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`s${index}/SKILL.md`, skill(`s${index}`)]),
      ),
      {
        folder: '',
      },
    );
  const [full, over] = [await findSkills([many(100)]), await findSkills([many(101)])];
  expect([full.skills.length, full.problems, over.skills.length, over.problems]).toEqual([
    100,
    [],
    100,
    ['repo: holds more than 100 skills; the others are left out.'],
  ]);
});
