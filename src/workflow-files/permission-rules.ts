import {
  neededPermissions,
  taskPermissions,
  usefulPermissions,
  widestPermissions,
} from './needed-permissions.ts';
import type { OwnUse } from './own-uses.ts';
import type { TokenPermissions, WorkflowFile } from './parse-workflow.ts';
import type { RuleFacts, WorkflowRemark, WorkflowRule } from './workflow-remark.ts';

/** Scopes that Anode CI or a usual step beside it can use; any other is a mistake of a copy. */
const usedScopes = [
  'actions',
  'checks',
  'contents',
  'issues',
  'pull-requests',
  'security-events',
  'statuses',
];
/** Actions that sign in to a cloud with the job's identity, for which `id-token: write` stands. */
export const signIn =
  /^(?:aws-actions\/configure-aws-credentials|google-github-actions\/auth|azure\/login)@/i;

/** Rules on the permissions of the job's token. */
export const permissionRules: readonly WorkflowRule[] = [
  { name: 'permissions-not-stated', check: eachJob(notStated) },
  { name: 'permission-missing', check: eachJob(missing) },
  { name: 'permission-too-wide', check: eachJob(tooWide) },
];

type Check = (use: OwnUse, facts: RuleFacts) => WorkflowRemark[];

/** Applies a check to the first use of each job: its steps share one token. */
function eachJob(check: Check): WorkflowRule['check'] {
  return (facts) =>
    facts.uses
      .filter(({ job }, index) => facts.uses.findIndex((other) => other.job === job) === index)
      .flatMap((use) => check(use, facts));
}

/** Returns the permissions that a job has: its own replace all of the workflow's. */
const permissionsOf = (use: OwnUse, workflow: WorkflowFile): TokenPermissions | null =>
  use.job.permissions ?? workflow.permissions;

function neededBy(
  { job }: OwnUse,
  { workflow, uses }: RuleFacts,
): Readonly<Record<string, 'read' | 'write'>> {
  const own = uses.filter((use) => use.job === job && !use.hasOwnToken);
  const events = workflow.triggers.filter(({ name }) => !/^workflow_(?:call|dispatch)$/.test(name));
  return widestPermissions(
    own.flatMap((use) => [
      { contents: 'read' as const },
      ...(use.isTask ? [taskPermissions(use)] : events.map(({ name }) => neededPermissions(name, use))),
      ...(findsState(use) ? [stateRead] : []),
    ]),
  );
}

const stateRead = { actions: 'read' } as const;

/** True if the state of a thread comes from the artifacts of earlier runs. */
const findsState = ({ isTask, inputs }: OwnUse): boolean =>
  !isTask && (inputs.get('state_secret')?.text ?? '') !== '' && !inputs.has('state_dir');

/** Returns the permissions to write where none are stated. */
function suggestedFor(use: OwnUse, facts: RuleFacts): Readonly<Record<string, 'read' | 'write'>> {
  const useful = facts.workflow.triggers.map(({ name }) => usefulPermissions(name));
  return widestPermissions([neededBy(use, facts), ...(use.isTask ? [] : useful)]);
}

function linesOf(scopes: Readonly<Record<string, string>>): string[] {
  const sorted = Object.entries(scopes).sort(([a], [b]) => a.localeCompare(b));
  return ['permissions:', ...sorted.map(([scope, level]) => `  ${scope}: ${level}`)];
}

function notStated(use: OwnUse, facts: RuleFacts): WorkflowRemark[] {
  if (permissionsOf(use, facts.workflow) !== null) return [];
  return [
    {
      line: use.job.line,
      level: 'error',
      what: `The job ${use.job.name} does not state the permissions of its token.`,
      why: 'It then has the default of the repository, which may be write access to everything.',
      write: linesOf(suggestedFor(use, facts)),
    },
  ];
}

function missing(use: OwnUse, facts: RuleFacts): WorkflowRemark[] {
  const stated = permissionsOf(use, facts.workflow);
  if (stated === null) return [];
  const lacking = Object.entries(neededBy(use, facts)).filter(([scope, level]) => {
    const has = stated.scopes.get(scope) ?? stated.scopes.get('all') ?? 'none';
    return has !== 'write' && has !== level;
  });
  if (lacking.length === 0) return [];
  const names = lacking.map(([scope, level]) => `${scope}: ${level}`).join(', ');
  const events = facts.workflow.triggers.map(({ name }) => name).join(', ');
  return [
    {
      line: stated.line,
      level: 'error',
      what: `The token of the job ${use.job.name} lacks ${names}.`,
      why: lacking.every(([scope]) => scope === 'actions')
        ? 'The state of a thread is not found: answers do not arrive, and settled findings are posted again.'
        : `For ${events}, Anode CI could not read or publish what the run is about.`,
      write: linesOf(Object.fromEntries(lacking)),
    },
  ];
}

function tooWide(use: OwnUse, facts: RuleFacts): WorkflowRemark[] {
  const stated = permissionsOf(use, facts.workflow);
  if (stated === null) return [];
  if (stated.scopes.get('all') === 'write')
    return [
      {
        line: stated.line,
        level: 'error',
        what: `The token of the job ${use.job.name} may write everything.`,
        why: 'A mistake in any step can then change releases, packages, settings of deployments and more.',
        write: linesOf(suggestedFor(use, facts)),
      },
    ];
  const used = usesIdentity(use, facts) ? [...usedScopes, 'id-token'] : usedScopes;
  const unused = [...stated.scopes].filter(([scope, level]) => level === 'write' && !used.includes(scope));
  if (unused.length === 0 || stated.scopes.has('all')) return [];
  return [
    {
      line: stated.line,
      level: 'warning',
      what: `The token of the job ${use.job.name} has ${unused.map(([scope]) => `${scope}: write`).join(', ')}.`,
      why: 'No step of this job uses it.',
      write: ['Remove it, or give it to the job that needs it.'],
    },
  ];
}

/** Returns true if a step of a job signs in to a cloud, or signs commits. */
function usesIdentity({ job }: OwnUse, { uses, signsKeyless }: RuleFacts): boolean {
  const signsIn = job.steps.some(({ uses: action }) => signIn.test(action?.text ?? ''));
  return signsIn || (signsKeyless && uses.some((use) => use.job === job && mayCommit(use)));
}

/** A job that only calls a workflow of ours cannot sign: those ask for no identity token. */
const mayCommit = ({ step, isReview, isAgentJob, isTask, createsPull }: OwnUse): boolean =>
  step !== null && !isReview && !isAgentJob && (!isTask || createsPull);
