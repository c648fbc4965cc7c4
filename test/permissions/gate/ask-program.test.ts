import { expect, test } from 'vitest';
import { questionOf, saidBy, settleAnswer } from '../../../src/permissions/gate/ask-program.ts';

const answer = (exitCode: number | null, stderr = '', problem: string | null = null) => ({
  ...{ exitCode, stderr, problem },
});
const settle = (...of: Parameters<typeof answer>) => settleAnswer('check.sh', 'the rule 2', answer(...of));
const settlePart = (...of: Parameters<typeof answer>) =>
  settleAnswer('check.sh', 'the rule 2', answer(...of), 'rm a');

test('what a program said follows as a sentence, and is bounded', () => {
  expect([
    saidBy(answer(0, ' \n')),
    saidBy(answer(0, ' no \n')),
    saidBy(answer(0, 'x'.repeat(2_000))),
    saidBy(answer(0, 'x'.repeat(2_001))),
  ]).toEqual(['', ' no', ` ${'x'.repeat(2_000)}`, ` ${'x'.repeat(2_000)}…`]);
});

test('0 allows, 1 asks, and everything else rejects', () => {
  expect([settle(0), settle(1, 'Ask Ada.'), settle(2), settle(null), settle(-1)]).toEqual([
    { action: 'allow', reason: '`check.sh` allows it, asked by the rule 2.' },
    { action: 'ask', reason: '`check.sh` wants a person to be asked, asked by the rule 2. Ask Ada.' },
    { action: 'reject', reason: '`check.sh` rejects it, asked by the rule 2.' },
    { action: 'reject', reason: '`check.sh` rejects it, asked by the rule 2.' },
    { action: 'reject', reason: '`check.sh` rejects it, asked by the rule 2.' },
  ]);
});

test('of one command of a script it is said which', () => {
  expect([settlePart(0), settlePart(1, 'Ask Ada.'), settlePart(2)]).toEqual([
    { action: 'allow', reason: '`rm a` is allowed, says `check.sh` for the rule 2.' },
    {
      action: 'ask',
      reason: '`rm a` needs the agreement of a person, says `check.sh` for the rule 2: Ask Ada.',
    },
    { action: 'reject', reason: '`rm a` is rejected, says `check.sh` for the rule 2.' },
  ]);
});

test('without an answer nothing is done, whatever the exit code', () => {
  const why = '`check.sh`, which the rule 2 names, took too long, and without its answer nothing is done.';
  expect([settle(0, '', 'took too long'), settlePart(0, 'wait', 'took too long')]).toEqual([
    { action: 'reject', reason: why },
    { action: 'reject', reason: `\`rm a\` is rejected: ${why} wait` },
  ]);
});

test('a program is told the arguments, what would change, and the command', () => {
  const input = { command: 'rm a', diff: 'given' };
  expect([
    questionOf({ input }),
    questionOf({ input, diff: '' }),
    questionOf({ input, diff: '+a' }),
    questionOf({ input }, 'rm a'),
  ]).toEqual([input, input, { ...input, diff: '+a' }, { ...input, command_part: 'rm a' }]);
});
