import { expect, test } from 'vitest';
import { renderProof } from '../../../src/reporting/report/render-proof.ts';

const proven = (...commands: string[]) => commands.map((command) => ({ command, before: 1, after: 0 }));

test.for([
  [[], ''],
  [['npm test'], '`npm test` failed before the change and passes after it.'],
  [['npm test', 'a\nb'], '`npm test`, `a b` failed before the change and pass after it.'],
  [['echo `x` @ada'], '``echo `x` @ada`` failed before the change and passes after it.'],
  [['x'.repeat(200)], `\`${'x'.repeat(99)}…\` failed before the change and passes after it.`],
] as const)('%j are named in one line', ([commands, line]) => {
  expect(renderProof({ proven: proven(...commands) })).toBe(line);
});

test('a report without a proof has no such line', () => {
  expect(renderProof({})).toBe('');
});
