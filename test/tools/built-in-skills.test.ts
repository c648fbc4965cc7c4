import { expect, test } from 'vitest';
import { builtinTools } from '../../src/tools/registry/builtin-tools.ts';
import { builtInSkillNames } from '../../src/tools/skills/built-in-skill-names.ts';
import { readBuiltInSkills } from '../../src/tools/skills/built-in-skills.ts';
import { parseSkill, skillBody } from '../../src/tools/skills/parse-skill.ts';

const texts = await readBuiltInSkills();
const tools = builtinTools.map(({ name }) => name);

test('there are twelve, each in a file with its name', () => {
  expect(Object.keys(texts)).toEqual(builtInSkillNames.map((name) => `${name}.md`));
  expect(builtInSkillNames.length).toBe(12);
});

test.each(Object.entries(texts))('%s is valid and short, and names only existing tools', (file, text) => {
  const name = file.replace('.md', '');
  const head = parseSkill(text, name, true);
  expect(head).toEqual({
    name,
    description: expect.stringMatching(/^.{60,220}$/),
    allowedTools: [],
    listed: true,
  });
  const words = [...skillBody(text).matchAll(/`([a-z]+(?:[_.][a-z]+)*)`/g)].map(([, word]) => word ?? '');
  expect(words.filter((word) => !tools.includes(word))).toEqual([]);
  // A model pays for each byte of it in every request that follows.
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_000);
  expect(text).not.toMatch(/[^\x20-\x7e\n…]/);
});
