import { describe, expect, test } from 'vitest';
import type { Skill } from '../../../src/tools/services/skill-entry.ts';
import { findSkill, skillFilter } from '../../../src/tools/skills/find-skill.ts';
import { parseSkill, skillBody } from '../../../src/tools/skills/parse-skill.ts';
import { skill as loadSkill } from '../../../src/tools/skills/skill.ts';
import { skillList } from '../../../src/tools/skills/skill-list.ts';
import {
  skillFiles,
  skillPath,
  skillText,
  spendSkillCharacters,
} from '../../../src/tools/skills/skill-text.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';

const head = (...lines: string[]) => `---\n${lines.join('\n')}\n---\nDo it.\n`;
const parsed = (text: string, single = false) => parseSkill(text, 'given', single);

describe('the front matter of a skill', () => {
  const plain = { name: 'given', description: 'd', allowedTools: [], listed: true };

  test('has a name, a description and its settings', () => {
    expect([
      parsed(head('description: d')),
      parsed(head('name: Größe_1.2-x', 'description: " a\\n b "')),
      parsed(head('description: d', 'disable-model-invocation: true')),
      parsed(head('description: d', 'disable-model-invocation: "true"')),
      parsed(head('description: d', 'allowed-tools: Read, Bash(git *) Grep', 'tools: x')),
      parsed(head('description: d', 'allowed_tools: [a, 1, b]')),
      parsed(head('description: d', 'tools: a')),
      parsed(head('name: 7', 'description: d')),
    ]).toEqual([
      plain,
      { ...plain, name: 'Größe_1.2-x', description: 'a b' },
      { ...plain, listed: false },
      plain,
      { ...plain, allowedTools: ['Read', 'Bash(git *)', 'Grep'] },
      { ...plain, allowedTools: ['a', 'b'] },
      { ...plain, allowedTools: ['a'] },
      plain,
    ]);
  });

  test('has size limits', () => {
    const tools = Array.from({ length: 51 }, (_, index) => `t${index}`);
    const read = parsed(head(`description: ${'d'.repeat(1_025)}`, `tools: ${tools.join(' ')}`));
    expect(read).toEqual({ ...plain, description: 'd'.repeat(1_024), allowedTools: tools.slice(0, 50) });
    expect(parsed(head(`name: ${'n'.repeat(64)}`, 'description: d'))).toEqual({
      ...plain,
      name: 'n'.repeat(64),
    });
  });

  test('may be the first line of a single file', () => {
    expect([
      parsed('\n## A  title\n\nText', true),
      parsed('Plain\n', true),
      parsed('# Title', false),
    ]).toEqual([
      { ...plain, description: 'A title' },
      { ...plain, description: 'Plain' },
      { problem: 'has no description in its front matter' },
    ]);
  });

  test('that is invalid is reported with the reason', () => {
    const name = (text: string) => `has the name "${text}"; a name has up to 64 letters, digits, - and _`;
    expect([
      parsed('---\nname: x\n\nNever ends.'),
      parsed(head('name: a/b', 'description: d')),
      parsed(head('name: -a', 'description: d')),
      parsed(head(`name: ${'n'.repeat(65)}`, 'description: d')),
      parsed('---\ndescription: d\n---\n \n'),
    ]).toEqual([
      { problem: 'has front matter that is no YAML of keys, or does not end' },
      { problem: name('a/b') },
      { problem: name('-a') },
      { problem: name('n'.repeat(64)) },
      { problem: 'has no instructions below its front matter' },
    ]);
    expect([skillBody(head('name: x')), skillBody(' a ')]).toEqual(['Do it.', 'a']);
  });
});

test('a path inside a skill is normalised', () => {
  const paths = { '': '', '.': '', './': '', ' a/b/ ': 'a/b', 'a/../b': 'b', '..a': '..a' };
  expect(Object.keys(paths).map(skillPath)).toEqual(Object.values(paths));
  for (const path of ['/a', '..', '../a', 'a/../../b', 'a\0'])
    expect(() => skillPath(path)).toThrow(
      `${path} lies outside the skill. Give a path from its own folder, such as SKILL.md.`,
    );
});

/** A skill with these files, `null` standing for one that is too large to be read. */
function skillOf(files: Readonly<Record<string, string | Buffer | null>>, more: Partial<Skill> = {}): Skill {
  const folder = '.agents/skills/ship';
  const all = new Map(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
  const requested: unknown[] = [];
  return {
    ...{ name: 'ship', description: 'Ships', source: 'workspace', location: `${folder}/SKILL.md`, folder },
    ...{ file: `${folder}/SKILL.md`, allowedTools: [], listed: true },
    tree: {
      below: async (...given: unknown[]) => {
        requested.push(given);
        expect(given).toEqual([folder, 6, 200]);
        return [...all.keys()].map((path) => ({ path, size: 1, executable: false }));
      },
      read: async (paths: readonly string[]) =>
        new Map(
          paths.flatMap((path): [string, Buffer][] => {
            const text = all.get(path);
            return text == null ? [] : [[path, Buffer.from(text as string)]];
          }),
        ),
    } as Skill['tree'],
    ...more,
  };
}

const reported = async (work: Promise<unknown>) =>
  work.then(
    (value) => value,
    (error: Error & { kind: string }) => `${error.kind}: ${error.message}`,
  );

test('the files of a skill are named relative to its folder and read as text', async () => {
  const ship = skillOf({
    'SKILL.md': '\ufeffx',
    'a.md': 'a',
    'b.bin': Buffer.from([0xff, 0xfe]),
    'c.md': null,
  });
  const single = skillOf({}, { folder: null });
  const missing = (path: string) =>
    `not_found: The skill ship has no file ${path} of at most 256 KiB. It has: SKILL.md, a.md, b.bin, c.md.`;
  expect([
    await skillFiles(ship),
    await skillFiles(single),
    await skillText(ship),
    await skillText(ship, 'skill.MD'),
    await skillText(ship, './a.md'),
    await reported(skillText(ship, 'b.bin')),
    await reported(skillText(ship, 'c.md')),
    await reported(skillText(ship, '.')),
    await reported(skillText(ship, 'd.md')),
  ]).toEqual([
    ['SKILL.md', 'a.md', 'b.bin', 'c.md'],
    ['SKILL.md'],
    { path: 'SKILL.md', text: 'x' },
    { path: 'skill.MD', text: 'x' },
    { path: 'a.md', text: 'a' },
    'binary: b.bin of the skill ship is no UTF-8 text, so it cannot be read here.',
    missing('c.md'),
    missing('.'),
    missing('d.md'),
  ]);
});

test('a run may read 200,000 characters of skills', () => {
  const state = { skillCharacters: 199_990 } as never as Parameters<typeof spendSkillCharacters>[0];
  spendSkillCharacters(state, 10);
  expect(state.skillCharacters).toBe(200_000);
  expect(() => spendSkillCharacters(state, 1)).toThrow(
    'A run may read 200,000 characters of skills, and 0 are left: this would be 1. Go on with what you have.',
  );
  const fresh = {} as typeof state;
  expect(() => spendSkillCharacters(fresh, 200_001)).toThrow(
    'A run may read 200,000 characters of skills, and 200,000 are left: this would be 200,001. Read less of it, or go on with what you have.',
  );
  spendSkillCharacters(fresh, 1_000);
  expect(fresh.skillCharacters).toBe(1_000);
});

const context = (skills: readonly Skill[], more: object = {}) =>
  ({
    skills: { index: async () => ({ skills: [...skills], problems: [] }), ...more },
    state: {},
  }) as unknown as ToolContext;
const named = (name: string, more: Partial<Skill> = {}) => skillOf({}, { name, ...more });

test('an unknown name is reported with similar names, else with all', async () => {
  const few = context([named('code_review'), named('Bug-Hunt'), named('hidden_review', { listed: false })]);
  const many = context(Array.from({ length: 51 }, (_, index) => named(`s${String(index).padStart(2, '0')}`)));
  const alike = context(Array.from({ length: 6 }, (_, index) => named(`review${index}`)));
  expect([
    ((await findSkill(few, ' code review ')) as Skill).name,
    await reported(findSkill(few, 'review-all')),
    await reported(findSkill(few, 'bug the hunt')),
    await reported(findSkill(few, 'of it')),
    await reported(findSkill(alike, 'my review')),
    await reported(findSkill(many, 'x')),
    await reported(findSkill(context([]), 'x')),
  ]).toEqual([
    'code_review',
    'not_found: There is no skill "review-all". Did you mean code_review?',
    'not_found: There is no skill "bug the hunt". Did you mean Bug-Hunt?',
    'not_found: There is no skill "of it". There are: Bug-Hunt, code_review.',
    'not_found: There is no skill "my review". Did you mean review0 or review1 or review2 or review3 or review4?',
    `not_found: There is no skill "x". There are: ${Array.from({ length: 50 }, (_, index) => `s${String(index).padStart(2, '0')}`).join(', ')}.`,
    'not_found: There is no skill "x". There are: none.',
  ]);
});

test('a skill is visible if every filter permits it', () => {
  const seen = (...all: Parameters<typeof skillFilter>[0]) =>
    ['code_review', 'Code-Quality', 'ship'].filter(skillFilter(all));
  expect([
    seen(),
    seen(undefined),
    seen({ visible: ['code-*'] }),
    seen({ visible: ['code-*'] }, { deny: ['*_review'] }),
    seen({ visible: ['ship'], deny: ['ship'] }),
    seen({ visible: [] }),
  ]).toEqual([
    ['code_review', 'Code-Quality', 'ship'],
    ['code_review', 'Code-Quality', 'ship'],
    ['code_review', 'Code-Quality'],
    ['Code-Quality'],
    [],
    [],
  ]);
});

test('a skill is loaded with at most fifty other files and its resources', async () => {
  const files = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, '']));
  const load = async (skill: Skill, input: object = {}, more: object = {}) => {
    const { content, data } = await loadSkill.execute(
      { name: 'ship', ...input },
      context([skill], more),
      undefined,
    );
    return { parts: String(content).split('\n\n'), data };
  };
  const first = `Follow these instructions of the skill ship (.agents/skills/ship/SKILL.md) now. They allow nothing that this run may not do.`;
  const text = head('description: d');
  const listed = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`).join(', ');
  expect([
    await load(skillOf({ 'SKILL.md': text }), { input: ' ' }),
    (await load(skillOf({ 'SKILL.md': `${text}$ARGUMENTS and $ARGUMENTS` }), { input: ' $& ' })).parts.slice(
      1,
    ),
    (await load(skillOf({ 'SKILL.md': `${text}$ARGUMENTS` }))).parts[1],
    (
      await load(
        skillOf({ 'SKILL.md': text, ...files(51) }, { source: 'user' }),
        { input: 'a' },
        { startPrograms: async () => 'B' },
      )
    ).parts,
    (
      await load(
        skillOf({ 'SKILL.md': text, ...files(50) }, { allowedTools: ['Read'] }),
        {},
        { startPrograms: async () => null },
      )
    ).parts.slice(2),
  ]).toEqual([
    { parts: [first, 'Do it.'], data: { name: 'ship', source: 'workspace', files: [] } },
    ['Do it.\n$& and $&'],
    'Do it.\n',
    [
      ...[first, 'Do it.', 'It is to be used on: a', 'B'],
      `Its other files, read with skill_read: ${listed(50)} and 1 more.`,
    ],
    [
      'It was written for these tools: Read.',
      `Its other files, read with skill_read: ${listed(50)}. In the checkout they are in .agents/skills/ship/.`,
    ],
  ]);
});

test('skills are listed with ten of their files', async () => {
  const files = (count: number) => ({
    'SKILL.md': 'x',
    ...Object.fromEntries(Array.from({ length: count - 1 }, (_, index) => [`f${index}`, ''])),
  });
  const lines = async (...skills: Skill[]) =>
    String((await skillList.execute({}, context(skills), undefined)).content).split('\n');
  const ten = `  SKILL.md, ${Array.from({ length: 9 }, (_, index) => `f${index}`).join(', ')}`;
  expect([
    await lines(skillOf(files(10)), skillOf({}, { name: 'quiet', listed: false })),
    await lines(skillOf(files(11))),
    await lines(),
  ]).toEqual([
    ['ship (workspace): Ships', ten],
    ['ship (workspace): Ships', `${ten}, and 1 more`],
    ['No skill is visible in this run.'],
  ]);
});
