import { expect, test } from 'vitest';
import { describeSkills } from '../../../src/agent/prompt/context-pack.ts';

test('other skills get a line each, ours only names, and a long list is cut with a notice', () => {
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

test('no skills give no text', () => {
  expect(describeSkills([], [])).toBeNull();
});
