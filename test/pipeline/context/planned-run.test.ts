import { expect, test } from 'vitest';
import { RunPlan } from '../../../src/contract/plan.ts';
import { plannedRun } from '../../../src/pipeline/context/planned-run.ts';
import { samplePlan } from '../../reporting/samples.ts';

test('a question or a plan about a pull request includes its diff, one about an issue does not', () => {
  const shown = (kind: 'issue' | 'pull_request') =>
    RunPlan.shape.verb.options.filter(
      (verb) => plannedRun(samplePlan({ verb, thread: { number: 7, kind, title: 'Seven' } })).showDiff,
    );
  expect([shown('pull_request').toSorted(), shown('issue')]).toEqual([
    ['ask', 'describe', 'fix', 'improve', 'plan'],
    [],
  ]);
});
