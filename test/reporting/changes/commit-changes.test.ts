import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrMakeRunCommit } from '../../../src/reporting/changes/commit-changes.ts';
import { runTrailer } from '../../../src/reporting/changes/commit-message.ts';
import { type Scene, startWorld, text, type World } from '../scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

const changed = { 'src/a.js': text((lines) => lines.with(9, 'const ten = 11;\n')) };
const commit = async (scene: Scene, changes = scene.changes(changed)) => {
  const plan = scene.plan();
  return findOrMakeRunCommit(
    {
      ...{ plan, branch: 'dates', expectedSha: scene.head, changes, via: 'api' as const },
      message: async () => ({ headline: 'Change ten', body: runTrailer(plan.run_id) }),
    },
    await scene.ports(),
  );
};

test('moves a renamed file', async () => {
  const scene = await world.scene();
  const content = Buffer.from('moved\n').toString('base64');
  const renamed = {
    ...{ path: 'src/b.js', old_path: 'src/a.js', kind: 'rename' as const, content, binary: false, diff: '' },
    ...({ mode: '100644', old_mode: '100644' } as const),
  };
  await commit(scene, { base_sha: scene.head, patch: '', files: [renamed] });
  expect(await scene.repository.git('ls-tree', '-r', '--name-only', 'dates')).toBe('src/b.js');
});

test('finds a commit whose answer was lost, and makes no second', async () => {
  const scene = await world.scene();
  world.github.failNext({ method: 'POST', path: /\/graphql$/u, status: 502, after: true });
  const first = await commit(scene);
  const head = await scene.repository.head('dates');
  expect(first).toMatchObject({ kind: 'committed', sha: head });
  expect(head).not.toBe(scene.head);
  expect([await commit(scene), await scene.repository.head('dates')]).toEqual([first, head]);
});

test('leaves a branch that another user pushed to', async () => {
  const scene = await world.scene();
  const pushed = await scene.repository.commit('dates', { files: { 'b.js': 'b\n' }, message: 'Add b' });
  expect([await commit(scene), await scene.repository.head('dates')]).toEqual([{ kind: 'moved' }, pushed]);
});
