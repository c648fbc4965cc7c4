import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/contract/outcome.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { successWord } from '../../../src/reporting/report/success-word.ts';
import { finding, sampleOutcome, samplePlan } from '../samples.ts';

const word = (
  outcome: Partial<Outcome>,
  plan: Partial<RunPlan> = {},
  posted: Parameters<typeof successWord>[2] = null,
) => successWord(sampleOutcome(outcome), samplePlan(plan), posted);
const files = [{ path: 'a' }];
const changes = { base_sha: 'a', patch: '', files } as unknown as Outcome['changes'];
const leftOut = { base_sha: 'a', patch: '', files: [], left_out: ['big.bin'] };

test('a free task that left nothing was answered, whatever its answer claims', () => {
  expect({
    question: word({ answer: 'Twelve lines.' }),
    claim: word({ answer: 'Rename x to y\n\nI renamed it in a.ts.' }),
    step: word({}, { verb: 'step' }),
    continued: word({}, { verb: 'answer', work: 'task' }),
    findings: word({ findings: [finding] }),
    changed: word({ changes }),
    leftOut: word({ changes: leftOut }),
    handedOver: word({ handoffs: [{}] as never }),
  }).toEqual({
    question: 'Answered, nothing changed',
    claim: 'Answered, nothing changed',
    step: 'Answered, nothing changed',
    continued: 'Answered, nothing changed',
    ...{ findings: 'Done', changed: 'Done', leftOut: 'Done', handedOver: 'Done' },
  });
});

test('a verb for changes cannot be a question, and a verb for words leaves no change', () => {
  const byVerb = (verb: RunPlan['verb']) => word({}, { verb });
  expect({
    fix: byVerb('fix'),
    implement: byVerb('implement'),
    continued: word({}, { verb: 'answer', work: 'fix' }),
    ask: byVerb('ask'),
    plan: byVerb('plan'),
    improve: byVerb('improve'),
    review: byVerb('review'),
  }).toEqual({
    ...{ fix: 'Nothing changed', implement: 'Nothing changed', continued: 'Nothing changed' },
    ...{ ask: 'Done', plan: 'Done', improve: 'Done', review: 'Done' },
  });
});

test('changes that became neither a commit nor suggestions are called that', () => {
  const review = { id: 1, url: 'https://github.test/r', comments: 1 };
  const withheld = 'Not committed: Ada may no longer write here.';
  expect({
    patch: word({ changes }, {}, { patch: 'x' }),
    issue: word({ changes }, {}, { patch: '', changes_issue: { number: 4, url: 'https://github.test/4' } }),
    withheld: word({ changes }, {}, { patch: 'x', withheld }),
    proposal: word({}, {}, { patch: 'x' }),
    suggested: word({ changes }, {}, { patch: 'x', review }),
    step: word({ changes }, { verb: 'step' }, { patch: 'x' }),
  }).toEqual({
    patch: 'Not committed',
    issue: 'Not committed',
    withheld: 'Not committed: Ada may no longer write here',
    proposal: 'Answered, nothing changed',
    suggested: 'Done',
    step: 'Done',
  });
});
