import { expect, test } from 'vitest';
import { branchHead, createBranch, deleteBranch } from '../../../src/reporting/changes/branches.ts';
import { headSha, samplePlan } from '../samples.ts';
import { apiError, place, type World, world } from './pull-world.ts';

test('finds, creates and deletes a branch without commits', async () => {
  const plan = samplePlan();
  const at = { branch: 'bot/a', expected_sha: headSha };
  const head = async (branch: string) => branchHead(plan, branch, world({}).ports as never);
  expect([await head('a'), await head('none')]).toEqual([headSha, null]);
  await expect(head('broken')).rejects.toThrow('Refused');
  const make = async (given: World) => createBranch(plan, at, world(given).ports as never);
  expect([await make({ head: null }), await make({ head: 'other' })]).toEqual([headSha, 'other']);
  const remove = async (given: World) => {
    const { asked, ports } = world(given);
    return [await deleteBranch(plan, at, ports as never), asked];
  };
  const deleted = ['delete', { ...place, ref: 'heads/bot/a' }];
  expect([
    await remove({}),
    await remove({ head: 'other' }),
    await remove({ remove: apiError(422) }),
  ]).toEqual([
    [true, [deleted]],
    [true, []],
    [false, [deleted]],
  ]);
  await expect(remove({ remove: apiError(500, 'Down') })).rejects.toThrow('Down');
  await expect(remove({ remove: new Error('ours') })).rejects.toThrow('ours');
});
