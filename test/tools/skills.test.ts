import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtInSkillNames } from '../../src/tools/skills/built-in-skill-names.ts';
import { openTools, type ToolHarness } from './tool-harness.ts';

const head = (fields: Record<string, string>, body = 'Do it.') =>
  `---\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}\n---\n\n${body}\n`;

const files = {
  '.agents/skills/release/SKILL.md': head(
    { name: 'release', description: 'Ship: a version' },
    'Tag $ARGUMENTS.',
  ),
  '.agents/skills/release/notes/how.md': 'First\nSecond line\nThird\n',
  '.agents/skills/release/logo.png': Buffer.from([0, 1, 2]),
  '.agents/skills/house.md': '# House style\n\nTabs.\n',
  '.agents/skills/README.md': 'No skill.',
  '.agents/skills/quiet/SKILL.md': head({ description: 'Only by name', 'disable-model-invocation': 'true' }),
  '.claude/skills/release/SKILL.md': head({ description: 'Another one' }),
  '.claude/skills/Code-Review/SKILL.md': head({
    description: 'Our own review',
    'allowed-tools': 'Read, Bash(git *)',
  }),
  '.claude/skills/broken/SKILL.md': '---\nname: x\n\nNever ends.',
  '.claude/skills/empty/SKILL.md': head({ name: 'empty' }),
  '.claude/skills/odd/SKILL.md': head({ name: 'a/b', description: 'x' }),
};

let tools: ToolHarness;
let user: string;
let stored: string;

beforeEach(async () => {
  user = mkdtempSync(path.join(tmpdir(), 'skills-'));
  mkdirSync(path.join(user, 'mine'));
  writeFileSync(path.join(user, 'mine', 'SKILL.md'), head({ description: 'Mine alone' }));
  writeFileSync(path.join(user, 'release.md'), 'Never used.');
  stored = mkdtempSync(path.join(tmpdir(), 'dotfiles-'));
  mkdirSync(path.join(stored, 'more'));
  writeFileSync(path.join(stored, 'SKILL.md'), head({ description: 'Kept elsewhere' }));
  writeFileSync(path.join(stored, 'more', 'a.md'), 'More.');
  symlinkSync('/etc/hostname', path.join(stored, 'out.md'));
  symlinkSync(stored, path.join(user, 'linked'));
  tools = await openTools(files, { userSkills: user });
});
afterEach(async () => {
  await tools.close();
  rmSync(user, { recursive: true });
  rmSync(stored, { recursive: true });
});

const own = (text: string) =>
  text.split('\n').filter((line) => !builtInSkillNames.some((name) => line.startsWith(`${name}:`)));

test('a name selects the skill with the highest priority, and unusable ones are reported', async () => {
  const listed = await tools.say('list_skills', {});
  expect(own(listed)).toEqual([
    'Code-Review (workspace): Our own review',
    'house (workspace): House style',
    'linked (user): Kept elsewhere',
    'mine (user): Mine alone',
    'release (workspace): Ship: a version',
    '[.claude/skills/broken/SKILL.md has front matter that is no YAML of keys, or does not end, so it is no skill.]',
    '[.claude/skills/empty/SKILL.md has no description in its front matter, so it is no skill.]',
    '[.claude/skills/odd/SKILL.md has the name "a/b"; a name has up to 64 letters, digits, - and _, so it is no skill.]',
    '[.claude/skills/release/SKILL.md has the name of .agents/skills/release/SKILL.md, which is used: release.]',
  ]);
  expect(listed).not.toContain('code_review:');
});

test('a skill is loaded without its front matter, with its purpose and the names of its files', async () => {
  expect(await tools.say('skill', { name: 'Release', input: 'v1.2' })).toBe(
    `Follow these instructions of the skill release (.agents/skills/release/SKILL.md) now. They allow nothing that this run may not do.

Tag v1.2.

Its other files, read with skill_read: logo.png, notes/how.md. In the checkout they are in .agents/skills/release/.`,
  );
  expect(await tools.say('skill', { skill: 'code review', args: 'src/a.ts' })).toBe(
    `Follow these instructions of the skill Code-Review (.claude/skills/Code-Review/SKILL.md) now. They allow nothing that this run may not do.

Do it.

It is to be used on: src/a.ts

It was written for these tools: Read, Bash(git *).`,
  );
});

test('a skill for use by name only is not listed but can be loaded', async () => {
  expect(await tools.say('skill.list', {})).not.toContain('quiet');
  expect(await tools.say('skill', { name: 'quiet' })).toContain('Do it.');
});

test('the source of a skill is displayed unchanged', async () => {
  expect(await tools.say('read_skill', { name: 'house' })).toBe(
    '[house, workspace: .agents/skills/house.md]\n# House style\n\nTabs.',
  );
  expect(await tools.say('read_skill', { name: 'simplifier' })).toBe(
    'not_found: There is no skill "simplifier". There are: browse_wiki, bug_hunt, Code-Review, commit_message, docs_writer, full_output_enforcement, house, incident, linked, mine, release, repo_summary, security_review, simplify, test_failure_analysis, ui_consistency_review.',
  );
});

test('the list for reading has the files of each skill, without their text', async () => {
  const lines = (await tools.say('skill.list', {})).split('\n');
  const at = lines.indexOf('release (workspace): Ship: a version');
  expect(lines[at + 1]).toBe('  SKILL.md, logo.png, notes/how.md');
});

test('only files of a skill are read, whole, by lines or by characters', async () => {
  const read = (more: Record<string, string | number>) =>
    tools.say('skill.read', { name: 'release', ...more });
  const how = { path: 'notes/how.md' };
  expect([
    await read({ ...how }),
    await read({ ...how, start_line: 2, line_count: 1 }),
    await read({ ...how, start_char: 6, max_chars: 6 }),
    await read({ ...how, start_line: '2', max_chars: 3 }),
  ]).toEqual([
    'First\nSecond line\nThird\n',
    'Second line\n\n[characters 6-18 of 24]',
    'Second\n[characters 6-12 of 24; cut by max_chars, continue with start_char 12]',
    'Sec\n[characters 6-9 of 24; cut by max_chars, continue with start_char 9]',
  ]);
  symlinkSync('../../..', path.join(tools.root, '.agents/skills/release/up'));
  tools.write('.env', 'KEY=1');
  const missing = (name: string) =>
    `not_found: The skill release has no file ${name} of at most 256 KiB. It has: SKILL.md, logo.png, notes/how.md.`;
  expect([
    await read({ ...how, start_line: 1, start_char: 0 }),
    await read({ ...how, start_line: 9 }),
    await read({ path: '../house.md' }),
    await read({ path: 'up/.env' }),
    await read({ path: 'logo.png' }),
  ]).toEqual([
    'invalid_input: Lines and characters cannot be mixed: give start_line and line_count, or start_char.',
    'invalid_input: notes/how.md has only 4 lines; the start lies past its end.',
    'invalid_input: ../house.md lies outside the skill. Give a path from its own folder, such as SKILL.md.',
    missing('up/.env'),
    'binary: logo.png of the skill release is no UTF-8 text, so it cannot be read here.',
  ]);
});

test('a folder that the operator linked is a skill, and links inside it are not followed', async () => {
  expect([
    await tools.say('skill', { name: 'linked' }),
    await tools.say('skill.read', { name: 'linked', path: 'more/a.md' }),
    await tools.say('skill.read', { name: 'linked', path: 'out.md' }),
  ]).toEqual([
    expect.stringContaining('Its other files, read with skill_read: more/a.md.'),
    'More.',
    'not_found: The skill linked has no file out.md of at most 256 KiB. It has: SKILL.md, more/a.md.',
  ]);
});

test('a search finds lines of text files with their context, in a file or folder', async () => {
  const search = (more: Record<string, string | number>) =>
    tools.call('skill.search', { name: 'release', ...more });
  expect(await search({ query: 'SECOND', context_lines: 1 })).toEqual({
    content: 'notes/how.md-1-First\nnotes/how.md:2:Second line\nnotes/how.md-3-Third',
    data: { matches: 1, total: 1, refs: [{ path: 'notes/how.md', line: 2 }] },
  });
  expect((await search({ query: 'ir', context_lines: 0, limit: 1, path: 'notes' })).content).toBe(
    'notes/how.md:1:First\n[1 of 2 matches; raise limit or narrow path]',
  );
  expect((await search({ query: 'zebra' })).content).toBe('No match for "zebra".');
  await expect(search({ query: 'x', path: 'logo.png' })).rejects.toMatchObject({ kind: 'binary' });
  await expect(search({ query: 'x', path: '/etc' })).rejects.toMatchObject({ kind: 'invalid_input' });
});

test('all text of skills counts towards one budget, including searches and loading', async () => {
  tools.context.state.skillCharacters = 199_960;
  expect(await tools.say('skill.read', { name: 'release', path: 'notes/how.md' })).toContain('First');
  expect([
    await tools.say('skill.search', { name: 'release', query: 'Second' }),
    await tools.say('skill', { name: 'house' }),
    tools.context.state.skillCharacters,
  ]).toEqual([
    expect.stringMatching(
      /^used_up: A run may read 200,000 characters of skills, and 16 are left: this would be \d+\. Read less/,
    ),
    expect.stringMatching(/^used_up: /),
    199_984,
  ]);
});

test('a profile sees its permitted skills, and a hidden one looks missing', async () => {
  Object.assign(tools.context.state, {
    skills: { visible: ['re*', 'code-review', 'house'], deny: ['repo_*', 'house'] },
  });
  expect(own(await tools.say('list_skills', {})).slice(0, 2)).toEqual([
    'Code-Review (workspace): Our own review',
    'release (workspace): Ship: a version',
  ]);
  expect(await tools.say('skill', { name: 'house' })).toBe(
    'not_found: There is no skill "house". There are: Code-Review, release.',
  );
});
