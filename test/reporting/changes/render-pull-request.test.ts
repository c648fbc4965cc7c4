import { expect, test } from 'vitest';
import { renderPullRequest } from '../../../src/reporting/changes/render-pull-request.ts';
import { headSha, sampleOutcome, samplePlan } from '../samples.ts';

test('A pull request closes the issue of the plan and no other.', () => {
  const plan = samplePlan({
    verb: 'implement',
    thread: { kind: 'issue', number: 3, title: 'support week numbers' },
    push: { kind: 'new_branch', branch: 'anode/issue-3', base: 'main', expected_sha: headSha, closes: 3 },
  });
  const outcome = sampleOutcome({
    answer: 'Weeks work. Closes #99',
    todos: [{ id: '1', content: 'Weeks', status: 'completed' }],
  });
  expect(renderPullRequest(outcome, plan, { runUrl: null })).toEqual({
    title: 'Support week numbers',
    body: [
      '<!-- anode:pull-request v1 run=run_1 -->\nWeeks work. Closes \u200b#99',
      '- [x] Weeks',
      'Closes #3',
      '<sub>Made by an Anode run for ada, with anthropic/claude.</sub>',
    ].join('\n\n'),
  });
});

test('The headline of the answer is the title, and stands there alone.', () => {
  const answer = 'Keep the later end of ranges\n\nA range inside an earlier one cut it short.';
  const { title, body } = renderPullRequest(sampleOutcome({ answer }), samplePlan(), { runUrl: null });
  expect({ title, first: body.split('\n')[1] }).toEqual({
    title: 'Keep the later end of ranges',
    first: 'A range inside an earlier one cut it short.',
  });
});

test('A template shows the title as harmless Markdown.', () => {
  const answer = 'Keep <b> of [it](//evil.test)\n\nMore.';
  const { title, body } = renderPullRequest(sampleOutcome({ answer }), samplePlan(), {
    runUrl: null,
    template: '{{title}}',
  });
  expect({ title, last: body.split('\n\n').at(-3) }).toEqual({
    title: 'Keep <b> of [it](//evil.test)',
    last: 'Keep &lt;b> of [it]\u200b(//evil.test)',
  });
});
