import { headOfPull } from '../checks/workflows.ts';
import type { ConcurrencySetting, JobStep } from './parse-workflow.ts';
import type { RuleFacts, WorkflowRemark, WorkflowRule } from './workflow-remark.ts';

/** Events of threads, for which `github.ref` is the default branch. */
const threadEvents = ['issue_comment', 'issues'];
/** Events by which people talk: each further comment starts the workflow again. */
const talkEvents = ['issue_comment', 'pull_request_review', 'pull_request_review_comment'];
/** Values that differ from thread to thread, or from run to run. */
const perThread =
  /\.number\b|github\.run_id|github\.event\.comment\.|\.issue\.id|\.pull_request\.id|\.node_id/;

/** Rules on events, what they check out, and which runs exclude each other. */
export const triggerRules: readonly WorkflowRule[] = [
  { name: 'event-starts-nothing', check: startsNothing },
  { name: 'type-starts-nothing', check: typeStartsNothing },
  { name: 'head-with-secrets', check: headWithSecrets },
  { name: 'concurrency-across-threads', check: (facts) => concurrencies(facts, acrossThreads) },
  { name: 'concurrency-cancels-tasks', check: (facts) => concurrencies(facts, cancelsTasks) },
];

function startsNothing({ workflow, uses, eventUse }: RuleFacts): WorkflowRemark[] {
  const step = uses.find(({ isTask }) => !isTask);
  if (step === undefined) return [];
  return workflow.triggers
    .filter(({ name }) => name !== 'workflow_call' && !eventUse(name).decides)
    .map(({ name, line }) => ({
      line,
      level: 'error' as const,
      what: `The event ${name} starts nothing, because line ${step.line} has no prompt.`,
      why: 'The event names no thread and no task.',
      write: ['with:', '  prompt: What to do.'],
    }));
}

function typeStartsNothing({ workflow, uses, eventUse }: RuleFacts): WorkflowRemark[] {
  if (uses.every(({ isTask }) => isTask)) return [];
  return workflow.triggers.flatMap(({ name, line, types }) => {
    const known = eventUse(name).types;
    const idle = (types ?? []).filter((type) => !known.includes(type));
    if (known.length === 0 || idle.length === 0) return [];
    const useful = (types ?? []).filter((type) => known.includes(type));
    const named = `The type${idle.length === 1 ? '' : 's'} ${idle.join(', ')} of ${name}`;
    return [
      {
        line,
        level: useful.length === 0 ? ('error' as const) : ('warning' as const),
        what: `${named} ${idle.length === 1 ? 'starts' : 'start'} nothing.`,
        why: 'Each such event starts a machine that ends without a run.',
        write: [`${name}:`, `  types: [${(useful.length === 0 ? known : useful).join(', ')}]`],
      },
    ];
  });
}

/** True for a checkout of what a pull request brings. */
const takesHead = ({ uses, inputs, script }: JobStep): boolean =>
  (/^actions\/checkout@/i.test(uses?.text ?? '') && headOfPull.test(inputs.get('ref')?.text ?? '')) ||
  /\bgh\s+pr\s+checkout\b|git\s+(?:fetch|checkout|pull)[^\n]*(?:refs\/)?pull\//.test(script?.text ?? '');

function headWithSecrets({ workflow }: RuleFacts): WorkflowRemark[] {
  const event = workflow.triggers.find(({ name }) => /^(?:pull_request_target|workflow_run)$/.test(name));
  if (event === undefined) return [];
  return workflow.jobs.flatMap(({ steps }) =>
    steps.filter(takesHead).map((step) => ({
      line: step.inputs.get('ref')?.line ?? step.script?.line ?? step.line,
      level: 'error' as const,
      what: `A job of ${event.name} checks out the head of a pull request.`,
      why: 'The job has secrets and the rights of the base branch; the code of a stranger lies beside them.',
      write: ['Remove `ref:`, or the whole step: Anode CI reads the pull request by itself.'],
    })),
  );
}

function concurrencies(
  { workflow, uses }: RuleFacts,
  check: (setting: ConcurrencySetting, events: readonly string[]) => WorkflowRemark[],
): WorkflowRemark[] {
  const events = workflow.triggers.map(({ name }) => name);
  const jobs = uses.map(({ job }) => job.concurrency);
  const settings = new Set([workflow.concurrency, ...jobs].filter((one) => one !== null));
  return [...settings].flatMap((setting) => check(setting, events));
}

function acrossThreads(setting: ConcurrencySetting, events: readonly string[]): WorkflowRemark[] {
  const found = events.filter((name) => threadEvents.includes(name));
  if (found.length === 0 || perThread.test(setting.group)) return [];
  return [
    {
      line: setting.line,
      level: 'error',
      what: `The concurrency group "${setting.group}" is the same for all threads.`,
      why: `For ${found.join(' and ')}, \`github.ref\` is the default branch: a comment on one thread cancels what waits on another.`,
      write: concurrencyLines,
    },
  ];
}

function cancelsTasks(setting: ConcurrencySetting, events: readonly string[]): WorkflowRemark[] {
  const found = events.filter((name) => talkEvents.includes(name));
  if (
    found.length === 0 ||
    !setting.cancels ||
    /github\.run_id|github\.event\.comment\.id/.test(setting.group)
  )
    return [];
  return [
    {
      line: setting.line,
      level: 'error',
      what: '`cancel-in-progress` ends a run at the next comment on its thread.',
      why: 'Any comment starts the workflow, also one that is no request, and the work so far is lost.',
      write: concurrencyLines,
    },
  ];
}

const concurrencyLines = [
  'concurrency:',
  `  group: anode-\${{ github.event.issue.number || github.event.pull_request.number }}`,
  '  cancel-in-progress: false',
];
