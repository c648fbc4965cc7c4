import { inputProblems } from '../config/input-problems.ts';
import type { RuleFacts, WorkflowRemark, WorkflowRule } from './workflow-remark.ts';

/** Rules on the inputs of a step of Anode CI. */
export const inputRules: readonly WorkflowRule[] = [
  { name: 'wrong-input', check: wrongInput },
  { name: 'state-without-secret', check: stateWithoutSecret },
];

/** Applies the checks that a step makes when it starts, to the values known before. */
function wrongInput({ uses }: RuleFacts): WorkflowRemark[] {
  return uses
    .filter(({ step }) => step !== null)
    .flatMap(({ inputs, line }) => {
      const given = [...inputs].map(([name, { text }]) => [name, text.includes('${{') ? null : text]);
      return inputProblems(Object.fromEntries(given)).map(({ input, message }) => ({
        line: inputs.get(input)?.line ?? line,
        level: 'error' as const,
        what: message,
        why: 'The step stops before the run.',
        write: ['# docs/action.md has the table of inputs'],
      }));
    });
}

function stateWithoutSecret({ uses }: RuleFacts): WorkflowRemark[] {
  return uses.flatMap(({ inputs }) => {
    const folder = inputs.get('state_dir');
    if (folder === undefined || inputs.has('state_secret')) return [];
    return [
      {
        line: folder.line,
        level: 'warning' as const,
        what: 'The input state_dir has no state_secret beside it.',
        why: 'Anyone could forge a folder without signatures, so nobody can be asked and no session waits.',
        write: [`state_secret: \${{ secrets.ANODE_STATE_SECRET }}`],
      },
    ];
  });
}
