// biome-ignore-all lint/suspicious/noTemplateCurlyInString: GitHub's own syntax
import { expect, test } from 'vitest';
import { condition, evaluate, interpolate } from './evaluate-expression.ts';

const contexts = {
  github: { event: { issue: { number: 7 }, labels: ['Bug'], body: 'Ask @Anode' }, 'ref-name': 'v1' },
  steps: { a: { outputs: { path: '' } } },
};

test.for([
  ['github.event.issue.number || github.event.pull_request.number', 7],
  ['github.event.pull_request.number || github.event.issue.number', 7],
  ["contains(github.event.body, '@anode') && !github.event.issue.draft", true],
  ["contains(github.event.labels, 'bug')", true],
  ["github.event.body == 'ask @ANODE' && 1 == '1' && null == ''", true],
  ["(github.event.issue.number != 7 || 2 > 1) && 'it''s'", "it's"],
  ["github['ref-name']", 'v1'],
  ["format('refs/heads/{0}', github.ref-name)", 'refs/heads/v1'],
  ["fromJSON('[1]')[0]", 1],
  ['github.none.none', null],
] as const)('%s', ([expression, value]) => {
  expect(evaluate(expression, contexts)).toEqual(value);
});

test.for(['github.', 'none.a', 'hashFiles(1)', '1 +', "'open", 'a b'])('%s is refused', (expression) => {
  expect(() => evaluate(expression, contexts)).toThrow();
});

test('a text takes values in, and a condition regards the steps before it', () => {
  expect([
    interpolate('anode-${{ github.event.issue.number }}-${{ github.none }}', contexts),
    condition(undefined, contexts, false),
    condition(undefined, contexts, true),
    condition('${{ always() && steps.a.outputs.path }}', contexts, true),
    condition('always()', contexts, true),
    condition('failure()', contexts, true),
    condition("steps.a.outputs.path == ''", contexts, false),
    condition("steps.a.outputs.path == ''", contexts, true),
  ]).toEqual(['anode-7-', true, false, false, true, true, true, false]);
});
