import type { OwnUse } from './own-uses.ts';
import type { JobStep } from './parse-workflow.ts';
import { pinnedAction } from './pinned-actions.ts';
import type { RuleFacts, WorkflowRemark, WorkflowRule } from './workflow-remark.ts';

/** Rules on the job around a step of Anode CI. */
export const jobRules: readonly WorkflowRule[] = [
  { name: 'runner-not-linux', check: runnerNotLinux },
  { name: 'no-timeout', check: noTimeout },
  { name: 'job-ends-first', check: jobEndsFirst },
  { name: 'no-checkout', check: noCheckout },
  { name: 'no-history', check: noHistory },
  { name: 'condition-without-phrase', check: conditionWithoutPhrase },
  { name: 'condition-without-field', check: conditionWithoutField },
  { name: 'commit-starts-no-ci', check: commitStartsNoCi },
];

/** Minutes after which GitHub ends a job without a limit of its own. */
const defaultMinutes = 360;

const isCheckout = ({ uses }: JobStep): boolean => /^actions\/checkout@/i.test(uses?.text ?? '');
const isLiteral = (text: string): boolean => text !== '' && !text.includes('${{');

function runnerNotLinux({ uses }: RuleFacts): WorkflowRemark[] {
  const jobs = [...new Set(uses.filter(({ step }) => step !== null).map(({ job }) => job))];
  return jobs
    .filter(({ runsOn }) => /\b(?:macos|windows)\b/i.test(runsOn))
    .map(({ name, line, runsOn }) => ({
      line,
      level: 'error',
      what: `The job ${name} runs on ${runsOn}.`,
      why: 'An agent needs Linux: only checks without a model look at a pull request, and any other step fails.',
      write: ['runs-on: ubuntu-24.04'],
    }));
}

function noTimeout({ uses }: RuleFacts): WorkflowRemark[] {
  const jobs = [...new Set(uses.filter(({ step }) => step !== null).map(({ job }) => job))];
  return jobs
    .filter(({ timeoutMinutes }) => timeoutMinutes === null)
    .map(({ name, line }) => ({
      line,
      level: 'warning',
      what: `The job ${name} has no \`timeout-minutes\`.`,
      why: `A job that hangs is ended by GitHub after ${defaultMinutes} minutes, all of them paid.`,
      write: ['timeout-minutes: 30'],
    }));
}

function jobEndsFirst({ uses }: RuleFacts): WorkflowRemark[] {
  return uses.flatMap(({ job, inputs }) => {
    const [own, limit] = [inputs.get('timeout_minutes'), job.timeoutMinutes];
    if (own === undefined || !isLiteral(own.text)) return [];
    const minutes = Number(limit?.text ?? defaultMinutes);
    if (!(Number(own.text) >= minutes)) return [];
    return [
      {
        line: own.line,
        level: 'error',
        what: `The input timeout_minutes (${own.text}) is not below the job's limit (${minutes}).`,
        why: 'GitHub then ends the job before the run can publish its work.',
        write: [`timeout_minutes: ${Math.max(1, minutes - 5)}`],
      },
    ];
  });
}

function noCheckout({ uses }: RuleFacts): WorkflowRemark[] {
  return uses
    .filter(({ job, step, isTask, createsPull }) => {
      // A run for a pull request has a checkout of its own.
      if (step === null || !isTask || createsPull) return false;
      const before = job.steps.slice(0, job.steps.indexOf(step));
      return !before.some((one) => isCheckout(one) || /\bgit\s+clone\b/.test(one.script?.text ?? ''));
    })
    .map(({ line }) => ({
      line,
      level: 'error',
      what: 'A step with a prompt works on the checkout, and no step before it makes one.',
      why: 'The workspace is empty, so the step stops before the first turn.',
      write: [`- uses: ${pinnedAction('actions/checkout')}`, '  with:', '    persist-credentials: false'],
    }));
}

/** Words of a task that needs earlier commits. */
const aboutHistory = /\b(?:changelog|release notes|since|history|last tag|git log|git blame|commits)\b/i;

function noHistory({ uses }: RuleFacts): WorkflowRemark[] {
  return uses.flatMap(({ job, step, inputs }) => {
    if (step === null || !aboutHistory.test(inputs.get('prompt')?.text ?? '')) return [];
    const checkout = job.steps.slice(0, job.steps.indexOf(step)).find(isCheckout);
    if (checkout === undefined || checkout.inputs.has('fetch-depth')) return [];
    return [
      {
        line: checkout.line,
        level: 'error',
        what: 'The prompt asks for earlier commits, and the checkout has only the newest one.',
        why: '`fetch-depth` is 1 if it is not set, so the agent sees no history and no tags.',
        write: ['with:', '  fetch-depth: 0'],
      },
    ];
  });
}

function conditionWithoutPhrase({ uses }: RuleFacts): WorkflowRemark[] {
  return uses.flatMap(({ job, step, inputs, isTask }) => {
    const phrase = inputs.get('trigger_phrase');
    if (isTask || phrase === undefined || !isLiteral(phrase.text)) return [];
    const conditions = [job.condition, step?.condition ?? null].filter((one) => one !== null);
    const word = phrase.text.replace(/^[@/]/, '');
    const comparing = conditions.filter((one) => /\b(?:comment|review)\.body\b/.test(one));
    if (comparing.length === 0 || comparing.some((one) => one.includes(word))) return [];
    return [
      {
        line: phrase.line,
        level: 'error',
        what: `The input trigger_phrase is "${phrase.text}", and the condition \`if:\` looks for another word.`,
        why: 'The job never starts for the phrase.',
        write: [`if: contains(github.event.comment.body, '${phrase.text}')`],
      },
    ];
  });
}

/** Fields of an event that conditions read, with the events that have them. */
const fieldEvents: Readonly<Record<string, readonly string[]>> = {
  comment: ['issue_comment', 'pull_request_review_comment', 'commit_comment', 'discussion_comment'],
  issue: ['issues', 'issue_comment'],
  label: ['issues', 'pull_request', 'pull_request_target', 'label', 'discussion'],
  pull_request: [
    ...['pull_request', 'pull_request_target', 'pull_request_review', 'pull_request_review_comment'],
    'pull_request_review_thread',
  ],
  review: ['pull_request_review'],
  workflow_run: ['workflow_run'],
};

/** Finds conditions on nothing but fields that no event of the workflow has. */
function conditionWithoutField({ workflow, uses }: RuleFacts): WorkflowRemark[] {
  const events = workflow.triggers.map(({ name }) => name);
  // The events of the callers are not known.
  if (events.includes('workflow_call')) return [];
  const has = (field: string) => fieldEvents[field]?.some((event) => events.includes(event)) ?? true;
  return uses.flatMap(({ job, step, line }) =>
    [
      { text: job.condition ?? '', at: job.line },
      { text: step?.condition ?? '', at: line },
    ].flatMap(({ text, at }) => {
      const fields = [...text.matchAll(/\bgithub\.event\.(\w+)/g)].map(([, field = '']) => field);
      const [first] = fields;
      if (first === undefined || fields.some(has)) return [];
      return [
        {
          line: at,
          level: 'warning' as const,
          what: `The condition \`if:\` reads github.event.${first}, which ${events.join(', ')} does not have.`,
          why: 'The field is always empty there, so the condition decides nothing.',
          write: ['Remove the condition, or add the event that it is about.'],
        },
      ];
    }),
  );
}

/** True if the job's own token pushes what the use changes. */
function pushesWithJobToken(use: OwnUse, { workflow }: RuleFacts): boolean {
  const scopes = (use.job.permissions ?? workflow.permissions)?.scopes;
  const mayPush = scopes?.get('contents') === 'write' || scopes?.get('all') === 'write';
  return mayPush && !use.hasOwnToken && !use.isReview && (use.createsPull || !use.isTask);
}

function commitStartsNoCi(facts: RuleFacts): WorkflowRemark[] {
  if (facts.otherWorkflows.length === 0) return [];
  const [use] = facts.uses.filter((one) => pushesWithJobToken(one, facts));
  if (use === undefined) return [];
  return [
    {
      line: use.inputs.get('github_token')?.line ?? use.line,
      level: 'warning',
      what: `A commit of the bot does not start ${facts.otherWorkflows.join(', ')}.`,
      why: "GitHub starts no workflow for what a job's own token pushed, so the commit has no checks.",
      write: [
        '# a step before, with an App of yours that may write contents and pull requests:',
        `- uses: ${pinnedAction('actions/create-github-app-token')}`,
        '  id: app',
        '  with:',
        `    app-id: \${{ vars.ANODE_APP_ID }}`,
        `    private-key: \${{ secrets.ANODE_APP_KEY }}`,
        '# at the step of Anode CI:',
        'with:',
        `  github_token: \${{ steps.app.outputs.token }}`,
      ],
    },
  ];
}
