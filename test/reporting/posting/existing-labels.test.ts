import { expect, test } from 'vitest';
import { existingLabels } from '../../../src/reporting/posting/existing-labels.ts';

function octokitOf(status: number) {
  const asked: unknown[] = [];
  const getLabel = async (query: { name: string }) => {
    asked.push(query);
    if (query.name === 'missing') throw Object.assign(new Error('Refused'), { status });
    return {};
  };
  return { asked, ports: { octokit: { rest: { issues: { getLabel } } } } as never };
}
const place = { owner: 'acme', repo: 'shop' };

test('returns the labels that the repository has, in order', async () => {
  const { asked, ports } = octokitOf(404);
  expect([await existingLabels(['b', 'missing', 'a'], place, ports), asked]).toEqual([
    ['b', 'a'],
    ['b', 'missing', 'a'].map((name) => ({ ...place, name })),
  ]);
});

test('throws any other refusal', async () => {
  await expect(existingLabels(['missing'], place, octokitOf(403).ports)).rejects.toThrow('Refused');
});
