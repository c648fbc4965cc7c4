import { expect, test } from 'vitest';
import { RunPlan } from '../../../src/contract/plan.ts';
import { plannedRun } from '../../../src/pipeline/context/planned-run.ts';
import { samplePlan } from '../../reporting/samples.ts';

test('a run on a pull request includes its diff, less of it for a plain request, and one on an issue none', () => {
  const shown = (kind: 'issue' | 'pull_request') =>
    Object.fromEntries(
      RunPlan.shape.verb.options.flatMap((verb) => {
        const plan = samplePlan({ verb, thread: { number: 7, kind, title: 'Seven' } });
        const { diffBytes } = plannedRun(plan);
        return diffBytes === 0 ? [] : [[verb, diffBytes]];
      }),
    );
  const [whole, short] = [160 * 1024, 32 * 1024];
  expect([shown('pull_request'), shown('issue')]).toEqual([
    { ask: short, describe: whole, fix: whole, improve: whole, plan: whole, review: whole, task: short },
    {},
  ]);
});
