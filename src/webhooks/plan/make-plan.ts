import {
  defaultBranchPrefix,
  defaultBranchTemplate,
  limitsOf,
  presetOf,
  sandboxOf,
} from '../../config/defaults.ts';
import { limitsByInput } from '../../config/limits-by-input.ts';
import type { Config } from '../../config/schema.ts';
import { omitUndefined } from '../../contract/json.ts';
import type { SandboxMode } from '../../contract/levels.ts';
import type {
  CheckoutTarget,
  PushTarget,
  RepositoryRef,
  Requester,
  RunPlan,
  ThreadImage,
} from '../../contract/plan.ts';
import { canWrite } from '../../contract/repository-permissions.ts';
import type { TriageChoices } from '../../contract/run-results.ts';
import type { SavedSession } from '../../contract/session.ts';
import type { Chat, PullFacts } from '../../contract/thread.ts';
import { runVerbs, storedVerb, verbOf } from '../../contract/verbs.ts';
import { isReview, workOf } from '../../contract/work-of.ts';
import type { ConfigFile } from '../authorize/read-config.ts';
import type { Trigger } from '../commands/trigger.ts';
import { branchName, slugOf } from './branch-name.ts';

/** Everything that a plan is made from. */
export interface PlanFacts {
  readonly trigger: Trigger;
  readonly source: RunPlan['source'];
  readonly repository: RepositoryRef;
  /** The base branch and its head, for threads without a pull request. */
  readonly baseBranch: string;
  readonly baseHead: string;
  readonly pull: PullFacts | null;
  /** The current head of the base branch of a closed pull request. Default: the pull request's. */
  readonly currentBase?: string | null;
  readonly title: string;
  readonly requester: Requester;
  readonly config: Config;
  readonly configSource: ConfigFile | null;
  /**
   * The configuration's branch and its head, if it is not the base branch. Default: the base
   * branch.
   */
  readonly trusted?: { readonly ref: string; readonly sha: string } | null;
  /** The least sandbox that the operator demands; null leaves it to the configuration. */
  readonly sandbox: SandboxMode | null;
  readonly prompt: string;
  readonly threadContext: string;
  /** The thread, for tools that read it. */
  readonly chat?: Chat;
  readonly attachments: readonly ThreadImage[];
  /** The session to continue; null for a new run. */
  readonly waiting: SavedSession | null;
  /** The requested reasoning effort. */
  readonly effort?: number | null;
  /** The requested model. */
  readonly model?: string | null;
  /** The choices of a triage. */
  readonly triage?: TriageChoices | null;
  /** Inputs of the workflow, which may have set limits. Default: none. */
  readonly overrides?: Config;
  /** Hash of the plan to carry out. */
  readonly approvedPlan?: string | null;
  /** The finding of ours whose thread the request stands in. */
  readonly finding?: RunPlan['finding'];
  /** The failed build to repair. */
  readonly build?: RunPlan['build'];
  /** Number of earlier runs in a chain of handoffs. */
  readonly autorunDepth?: number | null;
  readonly ids: { readonly runId: string; readonly sessionId: string };
  readonly now: Date;
}

/**
 * Makes the plan of a run. Pure. A resumed run keeps only the conversation: its rights come from
 * its verb and the answerer's permission.
 */
export function makePlan(facts: PlanFacts): RunPlan {
  const { trigger, repository, pull, requester, config, waiting, ids } = facts;
  const verb = planVerb(trigger.kind);
  const work = continuedVerb(verb, waiting);
  const push = pushTarget(facts, work);
  return omitUndefined<RunPlan>({
    version: 1,
    run_id: ids.runId,
    session_id: waiting?.session_id ?? ids.sessionId,
    source: facts.source,
    installation_id: trigger.installation_id,
    repository,
    thread: { ...trigger.thread, title: facts.title },
    verb,
    work: verb === 'answer' ? work : undefined,
    approved_plan: facts.approvedPlan ?? undefined,
    ...(verb === 'review' ? reviewOptions(trigger) : {}),
    build: facts.build,
    prompt: facts.prompt,
    thread_context: facts.threadContext,
    chat: facts.chat,
    attachments: [...facts.attachments],
    link_hosts: config.report?.links,
    requester,
    trigger_comment: trigger.comment,
    ...reviewPlace(facts),
    triggered_at: trigger.at,
    checkout: checkoutTarget(facts),
    ended: endOf(facts),
    push,
    profile: storedVerb(work)?.profile ?? config.profile ?? 'craft',
    effort: facts.effort ?? undefined,
    triage: facts.triage ?? undefined,
    model: facts.model ?? null,
    preset: presetOf(config),
    read_only: onlyReads(work) || isFork(repository, pull) || !canStartWriting(trigger, requester),
    sandbox: sandboxOf(config, facts.sandbox),
    limits: limitsOf(config),
    limits_by_input: limitsByInput(facts.overrides ?? {}, config),
    limits_by_flag: limitsByFlag(trigger),
    resume: waiting === null ? null : resumeOf(facts, waiting),
    autorun_depth: facts.autorunDepth || undefined,
    config_text: facts.configSource?.text ?? null,
    config_file: facts.configSource?.file ?? null,
  });
}

/** Lists the limits that the flags of a request set; undefined for none. */
function limitsByFlag({ flags: { turns, budget } = {} }: Trigger): string[] | undefined {
  const keys = [
    ...(turns === undefined ? [] : ['limits.maxTurns']),
    ...(budget === undefined ? [] : ['limits.maxCostUsd']),
  ];
  return keys.length === 0 ? undefined : keys;
}

/** Returns finding and review thread of a request, or of the question that it answers. */
function reviewPlace({ trigger, waiting, finding }: PlanFacts): Pick<RunPlan, 'finding' | 'review_thread'> {
  return omitUndefined({
    finding: waiting?.plan?.finding ?? finding ?? undefined,
    review_thread: waiting?.plan?.review_thread ?? reviewThread(trigger),
  });
}

/** Returns the first comment of the review thread that a request stands in. */
function reviewThread({ kind, location, comment }: Trigger): number | undefined {
  return location === null || kind === 'review' ? undefined : (location.root_id ?? comment?.id);
}

function reviewOptions({
  checksOnly,
  incremental,
  ownCommit,
}: Trigger): Pick<RunPlan, 'checks_only' | 'review_scope' | 'own_commit'> {
  return {
    checks_only: checksOnly || ownCommit === 'checks' || undefined,
    review_scope: incremental ? 'new' : undefined,
    own_commit: ownCommit,
  };
}

function resumeOf(
  { trigger, prompt }: PlanFacts,
  { run_id, session_id, stopped, approval }: SavedSession,
): NonNullable<RunPlan['resume']> {
  const { kind } = trigger;
  const decides = kind === 'approve' || kind === 'deny';
  return omitUndefined({
    run_id,
    session_id,
    answer: prompt,
    answered_by: trigger.timer === undefined ? trigger.actor.login : '',
    stopped: stopped === undefined ? undefined : true,
    approval: approval !== undefined && decides ? { verdict: kind, hash: approval.hash } : undefined,
  });
}

function onlyReads(work: string): boolean {
  return storedVerb(work)?.does === 'reads';
}

function planVerb(kind: Trigger['kind']): RunPlan['verb'] {
  const { does } = verbOf(kind);
  if (does === 'decides') return 'answer';
  const verb = runVerbs.find((one) => one === kind);
  if (verb === undefined) throw new Error(`\`${kind}\` starts no run, so it has no plan.`);
  return verb;
}

/** Returns the verb that a resumed run continues, else the verb itself. */
function continuedVerb(verb: RunPlan['verb'], waiting: SavedSession | null): string {
  if (verb !== 'answer') return verb;
  const work = workOf(waiting?.plan ?? { verb: 'task' });
  if (work !== 'answer') return work;
  return waiting !== null && isReview(waiting) ? 'review' : 'task';
}

/** Returns true if the requester may write. An allowed bot is trusted by name. */
function canStartWriting(trigger: Trigger, requester: Requester): boolean {
  const isWork = !trigger.automated || trigger.build !== undefined;
  return isWork && (canWrite(requester) || requester.type === 'Bot');
}

function isFork(repository: RepositoryRef, pull: PullFacts | null): boolean {
  return (
    pull !== null &&
    pull.head.repository?.toLowerCase() !== `${repository.owner}/${repository.name}`.toLowerCase()
  );
}

function checkoutTarget({
  repository,
  pull,
  baseBranch: base_ref,
  baseHead,
  trusted = null,
}: PlanFacts): CheckoutTarget {
  const fork = isFork(repository, pull);
  if (pull === null) {
    const checkout = { ref: `refs/heads/${base_ref}`, sha: baseHead, base_ref, base_sha: null, fork };
    return trusted === null ? checkout : { ...checkout, trusted };
  }
  const ref = `refs/pull/${pull.number}/head`;
  const { head, base } = pull;
  const checkout = { ref, sha: head.sha, base_ref: base.ref, base_sha: base.sha, fork };
  return trusted === null ? checkout : { ...checkout, trusted };
}

function endOf({ pull, currentBase }: PlanFacts): RunPlan['ended'] {
  if (pull === null || pull.state === 'open') return undefined;
  return { merged: pull.merged ?? null, base_head: currentBase ?? pull.base.sha };
}

function pushTarget(facts: PlanFacts, work: string): PushTarget {
  const { trigger, repository, pull, requester, baseBranch, baseHead } = facts;
  const none = (reason: string): PushTarget => ({ kind: 'none', reason });
  if (storedVerb(work)?.push === 'suggestions') return none('Only suggestions were asked for.');
  if (onlyReads(work)) return none(`\`${work}\` only reads.`);
  if (!canStartWriting(trigger, requester)) return none(`${requester.login} has no write permission.`);
  if (pull === null) {
    return {
      kind: 'new_branch',
      branch: newBranch(facts),
      base: baseBranch,
      expected_sha: baseHead,
      closes: closes(facts, work),
    };
  }
  if (isFork(repository, pull)) return none('The pull request comes from a fork, which is never pushed to.');
  if (pull.state === 'closed') return none('The pull request is closed.');
  if (pull.head.ref === repository.default_branch) {
    return none(
      `The pull request's branch is ${pull.head.ref}, the default branch, which is never pushed to directly.`,
    );
  }
  return { kind: 'branch', branch: pull.head.ref, expected_sha: pull.head.sha };
}

/** Returns the issue that the push closes; a resumed implementation still closes its own. */
function closes({ trigger, waiting }: PlanFacts, work: string): number | null {
  if (work === 'implement') return trigger.thread.number;
  const before = waiting?.plan?.push;
  return before?.kind === 'new_branch' ? before.closes : null;
}

/** Returns the new branch's name from the configuration; times are UTC, to the second. */
function newBranch({ trigger, config, now, title, requester, repository, baseHead, ids }: PlanFacts): string {
  const timestamp = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return branchName(
    config.branch?.template ?? defaultBranchTemplate,
    {
      prefix: config.branch?.prefix ?? defaultBranchPrefix,
      entityType: trigger.thread.kind === 'issue' ? 'issue' : 'pr',
      entityNumber: String(trigger.thread.number),
      timestamp,
      date: timestamp.slice(0, 8),
      slug: slugOf(title),
      sha: baseHead.slice(0, 7),
      requester: requester.login,
      run: ids.runId,
    },
    repository.default_branch,
  );
}
