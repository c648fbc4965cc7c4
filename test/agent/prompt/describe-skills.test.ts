import { expect, test } from 'vitest';
import { describeSkills } from '../../../src/agent/prompt/context-pack.ts';

test('skills that were found have a line each, ours their names, and too much is cut with a word', () => {
  const found = Array.from({ length: 32 }, (_, at) => ({
    name: `s${at}`,
    description: 'x'.repeat(at === 0 ? 300 : 1),
  }));
  const lines = describeSkills(found, ['code_review', 'simplify'])?.split('\n') ?? [];
  expect([lines[0], lines[1]?.length, lines[1]?.endsWith('x…'), ...lines.slice(30)]).toEqual([
    'Skills, instructions for kinds of work (use_tool skill {name}):',
    160,
    true,
    's29: x',
    '[… 2 more; list_skills names them …]',
    'code_review, simplify',
  ]);
});

test('where there are none, nothing is said', () => {
  expect(describeSkills([], [])).toBeNull();
});
