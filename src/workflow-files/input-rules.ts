import { type InputProblem, inputProblems } from '../config/input-problems.ts';
import type { OwnUse } from './own-uses.ts';
import { signIn } from './permission-rules.ts';
import type { RuleFacts, WorkflowRemark, WorkflowRule } from './workflow-remark.ts';

/** Rules on the inputs of a step of Anode CI. */
export const inputRules: readonly WorkflowRule[] = [
  { name: 'wrong-input', check: wrongInput },
  { name: 'state-without-secret', check: stateWithoutSecret },
  { name: 'no-model-key', check: noModelKey },
];

/** Applies the checks that a step makes when it starts, to the values known before. */
function wrongInput({ uses }: RuleFacts): WorkflowRemark[] {
  return uses
    .filter(({ step }) => step !== null)
    .flatMap(({ inputs, line }) => {
      const given = [...inputs].map(([name, { text }]) => [name, text.includes('${{') ? null : text]);
      return inputProblems(Object.fromEntries(given)).map((problem) => ({
        line: inputs.get(problem.input)?.line ?? line,
        level: 'error' as const,
        what: problem.message,
        why: 'The step stops before the run.',
        write: [rightLine(problem, inputs)],
      }));
    });
}

/** Returns the line in the place of a wrong one, as far as it is known. */
function rightLine(
  { input, message, meantInput, meantValue }: InputProblem,
  inputs: OwnUse['inputs'],
): string {
  if (meantInput !== undefined) return `${meantInput}: ${inputs.get(input)?.text ?? ''}`;
  if (meantValue !== undefined) return `${input}: ${meantValue}`;
  if (/Remove (?:it|one of them)\.$/.test(message)) return `Remove the line of ${input}.`;
  return `Correct the line of ${input}. docs/action.md has the table of inputs.`;
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

/** Variables by which a provider takes its key. */
const keyVariable = /_(?:KEY|TOKEN|TOKEN_BEDROCK)$|^AWS_|CREDENTIALS/;
/** Providers whose key is an input. Others may need none. */
const withKeyInput = /^(?:anthropic|openai|gemini|openrouter)\//;

/** True if something gives a step the key of a model, or may do so unseen. */
function mayHaveKey({ job, inputs, step }: OwnUse, { workflow }: RuleFacts): boolean {
  const given = [...inputs].filter(([, { text }]) => text !== '').map(([name]) => name);
  const names = [workflow.variables, job.variables, step?.variables ?? []].flatMap((one) => [...one]);
  const model = inputs.get('model')?.text ?? '';
  return (
    given.some((name) => name.endsWith('_api_key') || name === 'base_url' || name === 'config') ||
    names.some(([name]) => keyVariable.test(name)) ||
    (model.includes('/') && !model.includes('${{') && !withKeyInput.test(model)) ||
    job.steps.some(({ uses }) => signIn.test(uses?.text ?? '')) ||
    // The machine may have a key of its own.
    /self-hosted|\$\{\{/.test(job.runsOn)
  );
}

function noModelKey(facts: RuleFacts): WorkflowRemark[] {
  return facts.uses
    .filter((use) => {
      const publishes = use.inputs.get('job')?.text === 'publish';
      return use.step !== null && !use.isChecksOnly && !publishes && !mayHaveKey(use, facts);
    })
    .map(({ line }) => ({
      line,
      level: 'warning' as const,
      what: 'No input and no variable gives this step the key of a model.',
      why: 'The run stops, unless the configuration names a model that needs no key, or `review.checksOnly`.',
      write: ['with:', `  anthropic_api_key: \${{ secrets.ANTHROPIC_API_KEY }}`],
    }));
}
