import { afterEach, expect, test } from 'vitest';
import { createSkill } from '../../../src/tools/skills/create-skill.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness;
afterEach(() => tools.close());

const given = {
  name: 'release-notes',
  description: 'Write notes: "what is new",\nfor users',
  instructions: '# How\n\n1. Read the log.',
};
const path = '.agents/skills/release-notes/SKILL.md';
const text =
  '---\nname: release-notes\ndescription: "Write notes: \\"what is new\\", for users"\n---\n\n# How\n\n1. Read the log.\n';

test('a skill that the run may not write is stored as a patch without changing files', async () => {
  tools = await openTools({ 'a.txt': 'a' });
  const prepared = await tools.prepare('create_skill', given);
  expect({ targets: prepared.targets, text: prepared.diff.includes('+1. Read the log.') }).toEqual({
    targets: { what: path },
    text: true,
  });
  expect(await tools.say('create_skill', given)).toBe(
    `The skill is stored as a patch of ${path} in the report, for a person to apply. No file was changed, and it cannot be used in this run.`,
  );
  expect(tools.tree()).toEqual({ 'a.txt': 'a' });
  expect(tools.entries).toEqual([
    {
      type: 'approval.required',
      approval: {
        tool: 'create_skill',
        what: path,
        reason: `${path} instructs agents, so a person has to apply it; protected.allow lets runs write it.`,
        hash: expect.stringMatching(/^[0-9a-f]{16}$/),
        diff: prepared.diff,
        call_id: 'call_1',
      },
    },
  ]);
});

test('an opted-in path is written like any file, through the gate', async () => {
  tools = await openTools({}, { mayWriteSkills: true });
  const { targets } = await tools.prepare('create_skill', given);
  expect(targets).toEqual({ what: path, paths: [{ path, access: 'write' }] });
  expect(await tools.say('create_skill', given)).toContain('It is used by runs that start once it is merged');
  expect(tools.tree()).toEqual({ [path]: text });
  expect(await tools.say('create_skill', given)).toContain(`file_exists: ${path} exists already.`);
  const other = { ...given, content: 'Other.', instructions: '', overwrite: 'true' };
  expect(await tools.say('create_skill', other)).toContain('Wrote');
  expect(tools.tree()[path]).toContain('\n\nOther.\n');
  expect(await tools.say('skill', { name: 'release_notes' })).toContain('Other.');
});

test('a name that is no valid folder name is refused', async () => {
  tools = await openTools({}, { mayWriteSkills: true });
  for (const name of ['../x', 'A B', '-x', 'x'.repeat(65)])
    expect(await tools.say('create_skill', { ...given, name })).toMatch(/^invalid_input: /);
});

test.each([
  ['a', true],
  ['a-b_c9', true],
  ['9', true],
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['-a', false],
  ['a-', false],
  ['_', false],
  ['A', false],
  ['a b', false],
  ['a/b', false],
  ['', false],
])('the name %j is valid for a skill: %j', (name, may) => {
  expect(createSkill.input.safeParse({ name, description: 'For it.', content: 'Do it.' }).success).toBe(may);
});
