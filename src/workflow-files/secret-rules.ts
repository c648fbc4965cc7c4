import { injectedValues, isFixedReference } from '../checks/workflows.ts';
import { isOwnReference } from './own-uses.ts';
import type { JobStep, WorkflowText } from './parse-workflow.ts';
import { pinnedInstead } from './pinned-actions.ts';
import type { RuleFacts, WorkflowRemark, WorkflowRule } from './workflow-remark.ts';

/** Rules on credentials, and on text that reaches a script. */
export const secretRules: readonly WorkflowRule[] = [
  { name: 'credentials-in-checkout', check: credentialsInCheckout },
  { name: 'secret-for-all-steps', check: secretForAllSteps },
  { name: 'secret-in-file', check: secretInFile },
  { name: 'text-in-script', check: textInScript },
  { name: 'action-not-pinned', check: notPinned },
];

function credentialsInCheckout({ uses }: RuleFacts): WorkflowRemark[] {
  const jobs = new Set(uses.map(({ job }) => job));
  const checkouts = [...jobs].flatMap(({ steps }) =>
    steps.filter((step) => /^actions\/checkout@/i.test(step.uses?.text ?? '')),
  );
  return checkouts
    .filter(({ inputs }) => inputs.get('persist-credentials')?.text !== 'false')
    .map((step) => ({
      line: step.line,
      level: 'error' as const,
      what: 'The checkout stores its token in `.git/config`.',
      why: 'What the agent can read, a hostile pull request can make it repeat.',
      write: ['with:', '  persist-credentials: false'],
    }));
}

function secretForAllSteps({ workflow, uses }: RuleFacts): WorkflowRemark[] {
  const homes = [workflow.variables, ...new Set(uses.map(({ job }) => job.variables))];
  return homes
    .flatMap((variables) => [...variables])
    .filter(([, { text }]) => /\bsecrets\s*[.[]/.test(text))
    .map(([name, { text, line }]) => ({
      line,
      level: 'error' as const,
      what: `The secret ${name} is in the environment of every step.`,
      why: 'Every action and script of the job can read it, not only the step that needs it.',
      write: [`# at the step of Anode CI`, 'env:', `  ${name}: ${text}`],
    }));
}

function secretInFile({ uses }: RuleFacts): WorkflowRemark[] {
  return uses.flatMap(({ inputs }) =>
    [...inputs]
      .filter(
        ([name, { text }]) => /_(?:key|token|secret)$/.test(name) && text !== '' && !text.includes('${{'),
      )
      .map(([name, { line }]) => ({
        line,
        level: 'error' as const,
        what: `The input ${name} has its value in the file.`,
        why: 'Everyone who can read the repository can use it. Revoke it.',
        write: [`${name}: \${{ secrets.${secretName(name)} }}`],
      })),
  );
}

/** The secret for an input, by the name that it has everywhere. */
const secretName = (input: string): string =>
  input === 'state_secret' ? 'ANODE_STATE_SECRET' : input.toUpperCase();

/** Outputs whose text is the agent's or a stranger's. */
const freeOutputs = ['answer', 'branch_name', 'final_message', 'structured_output'];

/** Returns the expressions of agents' text: of a step, and of a job that hands it on. */
function agentText({ workflow, uses }: RuleFacts): string[] {
  const steps = uses.flatMap(({ step, job }) => (step?.id ? [{ id: step.id, job }] : []));
  return steps.flatMap(({ id, job }) => {
    const own = freeOutputs.map((output) => `steps.${id}.outputs.${output}`);
    const handedOn = [...job.outputs].filter(([, { text }]) => own.some((name) => text.includes(name)));
    const outside = handedOn.map(([name]) => `needs.${job.name}.outputs.${name}`);
    return workflow.jobs.length === 1 ? own : [...own, ...outside];
  });
}

function textInScript(facts: RuleFacts): WorkflowRemark[] {
  const agents = agentText(facts);
  return facts.workflow.jobs.flatMap(({ steps }) =>
    steps.flatMap(({ script }) => {
      if (script === null) return [];
      const expressions = [...script.text.matchAll(/\$\{\{([\s\S]*?)\}\}/g)].map(([whole]) => whole);
      const values = [
        ...injectedValues(script.text),
        ...agents.filter((name) => expressions.some((expression) => expression.includes(name))),
      ];
      return [...new Set(values)].map((name) => injection(script, name));
    }),
  );
}

function injection(script: WorkflowText, name: string): WorkflowRemark {
  const before = script.text.slice(0, Math.max(0, script.text.indexOf(name)));
  const variable = (name.split('.').at(-1) ?? 'value').replaceAll(/\W/g, '_').toUpperCase();
  return {
    line: script.line + before.split('\n').length - 1,
    level: 'error',
    what: `\`${name}\` becomes a part of a script.`,
    why: 'Whoever writes that text writes the script.',
    write: ['env:', `  ${variable}: \${{ ${name} }}`, `# and in the script: "$${variable}"`],
  };
}

function notPinned({ workflow }: RuleFacts): WorkflowRemark[] {
  const steps = workflow.jobs.flatMap((job) => [
    ...(job.calls === null ? [] : [job.calls]),
    ...job.steps.flatMap(({ uses }: JobStep) => (uses === null ? [] : [uses])),
  ]);
  return steps
    .filter(({ text }) => !isFixedReference(text) && !(isOwnReference(text) && /@v\d+(?:\.\d+)*$/.test(text)))
    .map(({ text, line }) => ({
      line,
      level: /^(?:actions|github)\//i.test(text) ? ('warning' as const) : ('error' as const),
      what: `\`${text}\` is not pinned to a commit.`,
      why: 'It is whatever its owner puts there next, beside your secrets.',
      write: [`uses: ${pinnedInstead(text)}`],
    }));
}
