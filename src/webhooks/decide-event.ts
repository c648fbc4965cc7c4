import { defaultBranchPrefix, onRefusalOf } from '../config/defaults.ts';
import type { Config } from '../config/schema.ts';
import type { IncomingEvent } from '../contract/event.ts';
import type { RunPlan } from '../contract/plan.ts';
import { stateKeys } from '../contract/state-keys.ts';
import { verbOf } from '../contract/verbs.ts';
import { askAboutHead } from './answers/ask-about-head.ts';
import { checkHead } from './answers/check-head.ts';
import { decideAnswer } from './answers/decide-answer.ts';
import { refuseApproval } from './answers/decide-approval.ts';
import { decideProposal, type ProposalDecision } from './answers/decide-proposal.ts';
import { lostSessionReply } from './answers/lost-session.ts';
import { approvedRequest, type ResolvedRequest, resolveRequest } from './answers/resolve-request.ts';
import { wasHinted } from './answers/was-hinted.ts';
import { authorizeEvent, type EventRequest } from './authorize/authorize-event.ts';
import type { DecideContext } from './authorize/decide-context.ts';
import type { ThreadFacts } from './authorize/read-thread-facts.ts';
import { applyFlags } from './commands/apply-flags.ts';
import { hashIn } from './commands/read-command.ts';
import type { Trigger } from './commands/trigger.ts';
import { findOpenImplementation } from './plan/find-open-implementation.ts';
import { planRun } from './plan/plan-run.ts';
import { recordHead } from './records/head-record.ts';
import { saveRequest } from './records/last-request.ts';
import { readOpenApprovals } from './records/open-approvals.ts';
import { saveDropped, takeStopReply, wasStopped } from './records/stopped-thread.ts';
import { readDoctor } from './replies/read-doctor.ts';
import { readThreadStatus } from './replies/read-status.ts';
import { renderOpenApprovals } from './replies/render-approvals.ts';
import { renderConfig } from './replies/render-config.ts';
import { renderDoctor } from './replies/render-doctor.ts';
import { renderHelp } from './replies/render-help.ts';
import { renderStatus } from './replies/render-status.ts';
import type { Reply } from './replies/reply.ts';

/**
 * The decision on one event: start a run, reply without one, act without one, refuse, or ignore.
 * `anode event` prints these words. `reason` is a sentence for the log; `plan` is set for `run`
 * only, and `ignore` neither replies nor acts.
 */
export interface EventDecision {
  readonly decision: 'run' | 'reply' | 'act' | 'refuse' | 'ignore';
  readonly reason: string;
  readonly trigger: Trigger | null;
  readonly plan: RunPlan | null;
  readonly reply: Reply;
  /** True if a workflow's job fails with the reason. Default: false. */
  readonly fails?: boolean;
  /** True if the comment's reaction is to be removed, since nothing more follows. */
  readonly done?: boolean;
  /** The action without a run, set for `act` only. */
  readonly act?:
    | { readonly kind: 'resolve' | 'dismiss'; readonly facts: ThreadFacts; readonly config: Config }
    /** The commands of one comment, to be decided and carried out one by one. */
    | { readonly kind: 'commands'; readonly bodies: readonly string[] }
    | undefined;
}

/**
 * Turns an event into a plan. A broken configuration starts nothing, since a misspelt safety
 * setting must not be ignored. An authorized requester is told the file and key; an automated
 * review only logs the reason. Only heads and pending requests are stored, and nothing in a dry
 * run. API failures are thrown.
 */
export async function decideEvent(event: IncomingEvent, context: DecideContext): Promise<EventDecision> {
  if (!context.settings.dryRun) await recordHead(context.store, event);
  const found = await authorizeEvent(event, context);
  if (found.kind === 'ignored') return ignore(null, found.reason);
  const { trigger } = found;
  const lost = await lostSessionReply(found, context);
  if (lost !== null) return refuse(trigger, 'what it continues is not stored any more', comment(lost));
  const answered = await decideAnswer(found, context);
  switch (answered?.kind) {
    case undefined:
      return (await decideWithoutRun(found, context)) ?? decideRun(event, found, context);
    case 'answer': {
      const request = { ...found, trigger: { ...trigger, text: answered.text } };
      return (await decideWithoutRun(request, context)) ?? decideRun(event, request, context);
    }
    case 'reply':
      return replyWith(trigger, 'a question waited for long', answered.text);
    case 'restore':
      return { ...ignore(trigger, answered.reason), decision: 'act', reply: answered };
    case 'none':
      return ignore(trigger, answered.reason);
  }
}

/**
 * Decides on a request that what runs on its thread cannot change: help, and most refusals. They
 * are answered before their turn. Null for any other, and for one without a reply.
 */
export async function decideAtOnce(
  request: EventRequest,
  context: DecideContext,
): Promise<EventDecision | null> {
  const { trigger, authorization, facts } = request;
  const { kind, automated, edited, timer } = trigger;
  const acts = authorization.kind === 'allowed' && (kind === 'stop' || actOf(request) !== null);
  if (automated || edited !== undefined || timer !== undefined || acts) return null;
  const decided = await decideWithoutRun(request, context);
  if (decided !== null) return decided.reply.kind === 'none' ? null : decided;
  const flagged = applyFlags(trigger.flags ?? {}, request.config);
  if (flagged.kind === 'refused' && verbOf(kind).does !== 'decides')
    return refuse(trigger, flagged.reason, comment(flagged.reason));
  return refuseClosed(trigger, facts);
}

/** Decides on a request that starts no run; returns null for any other. */
async function decideWithoutRun(
  request: EventRequest,
  context: DecideContext,
): Promise<EventDecision | null> {
  const { trigger, config, facts, authorization, configError } = request;
  if (authorization.kind === 'refused') {
    const { reason } = authorization;
    // Whoever may not dismiss a finding or answer a question may still talk about it.
    const isTalk = trigger.dismisses !== undefined || trigger.about === 'thanks';
    if (isTalk || trigger.unaddressed) return ignore(trigger, reason);
    return refuse(trigger, reason, refusalReply(onRefusalOf(config, facts.repository), trigger, reason));
  }
  const act = actOf(request);
  if (act !== null) return act;
  const stopped = await decideStop(request, context);
  if (stopped !== null) return stopped;
  if (trigger.about === 'thanks') return { ...replyWith(trigger, 'it only thanks', ''), reply: heart };
  if (verbOf(trigger.kind).does === 'replies') {
    // A request that could not be read is answered by help, too.
    const reason = trigger.note ?? `${trigger.kind} was asked for`;
    return replyWith(trigger, reason, await replyBody(request, context));
  }
  if (configError === null) return null;
  if (trigger.automated) return { ...ignore(trigger, configError.message), fails: true };
  const text = `The configuration cannot be used, so nothing was started. ${configError.message}`;
  return refuse(trigger, configError.message, comment(text));
}

/**
 * Decides on a stop, and on a request from before a stop of its thread; null for any other. Works
 * with a broken configuration, too.
 */
async function decideStop(request: EventRequest, context: DecideContext): Promise<EventDecision | null> {
  const { trigger, facts } = request;
  const { store, settings } = context;
  if (trigger.kind === 'stop') {
    const text = await takeStopReply(trigger, context);
    const reason = 'what runs on the thread was to be stopped';
    return text === null ? ignore(trigger, reason) : replyWith(trigger, reason, text);
  }
  if (isForChecksOnly(request) || !(await wasStopped(store, trigger))) return null;
  if (!settings.dryRun) await saveDropped(store, trigger, facts.repository);
  return { ...ignore(trigger, 'the thread was stopped before it began'), done: true };
}

/** Returns true for a review of our own commit without a model; a stop must not take its check. */
function isForChecksOnly({ trigger, config }: EventRequest): boolean {
  const { ownCommit } = trigger;
  return ownCommit !== undefined && (ownCommit !== 'full' || config.review?.checksOnly === true);
}

/** Decides on a request that acts without a run; returns null for any other. */
function actOf({ trigger, facts, config }: EventRequest): EventDecision | null {
  const act = (of: NonNullable<EventDecision['act']>, reason: string): EventDecision => ({
    ...ignore(trigger, reason),
    decision: 'act',
    act: of,
  });
  const { commands: bodies } = trigger;
  if (bodies !== undefined)
    return act({ kind: 'commands', bodies }, `${bodies.length} commands are carried out in order`);
  if (trigger.dismisses !== undefined || trigger.kind === 'dismiss')
    return act({ kind: 'dismiss', facts, config }, 'a finding is to be dismissed');
  if (trigger.kind !== 'resolve') return null;
  return act({ kind: 'resolve', facts, config }, 'threads are to be resolved');
}

/** Decides on a request for a run: plans it, or refuses it with a reason. */
async function decideRun(
  event: IncomingEvent,
  request: EventRequest,
  context: DecideContext,
): Promise<EventDecision> {
  const { trigger } = request;
  const { store, settings } = context;
  const explain = (reason: string): EventDecision => refuse(trigger, reason, comment(reason));
  const approved = await decideApproval(event, request, context);
  if (approved?.kind === 'reply') return explain(approved.text);
  const proposal = approved?.proposal ?? null;
  const resolved =
    proposal === null ? await resolveRequest(request, context) : approvedRequest(request, proposal);
  if (resolved.kind === 'refused') return refuseOnce(resolved.reason, request, context);
  const refused =
    (await decideHead(request, resolved, context)) ??
    (await decideImplementation(request, resolved, context));
  if (refused !== null) return refused;
  const built = await withBuild(resolved, request, context);
  if ('decision' in built) return built;
  const plan = await planRun(event, built, context);
  if (!settings.dryRun) {
    const hash = trigger.kind === 'continue' ? hashIn(trigger.text) : null;
    if (hash !== null) await store.delete(stateKeys.pendingRequest(trigger.thread.number, hash));
    // An approval counts once, so `retry` cannot repeat it.
    const isRequest = proposal === null && trigger.ownCommit === undefined && built.build === undefined;
    if (isRequest) await saveRequest(store, resolved.request.trigger, plan.run_id);
  }
  const reason = describe(trigger);
  return { decision: 'run', reason, trigger: resolved.request.trigger, plan, reply: { kind: 'none' } };
}

/** Explains a refusal. An answer that does not name us is explained once to each person. */
async function refuseOnce(
  reason: string,
  request: EventRequest,
  context: DecideContext,
): Promise<EventDecision> {
  const { trigger } = request;
  if (await wasHinted(request, context)) return ignore(trigger, reason);
  const hint = request.waiting === null ? {} : { hintFor: request.waiting.run_id };
  return refuse(trigger, reason, { kind: 'comment', body: reason, ...hint });
}

const closedPull =
  'Nothing was started: the pull request is merged or closed, so no commit can reach it. Use `ask` for a question, or open an issue for the work.';

/** Refuses to fix a closed pull request. A task is not refused: it may be a question of a user. */
function refuseClosed(trigger: Trigger, { pull }: ThreadFacts): EventDecision | null {
  if (pull?.state !== 'closed' || trigger.kind !== 'fix') return null;
  return refuse(trigger, closedPull, comment(closedPull));
}

/** Decides on a request whose head moved or is closed; returns null if the run may use the head. */
async function decideHead(
  { trigger, facts }: EventRequest,
  resolved: ResolvedRequest,
  context: DecideContext,
): Promise<EventDecision | null> {
  const closed = refuseClosed(resolved.request.trigger, facts);
  if (closed !== null) return closed;
  const head = await checkHead(trigger, facts.pull, context);
  if (head.kind === 'fits') return null;
  if (head.kind === 'superseded') return ignore(trigger, head.reason);
  // A run that only reads can do no harm on a head that its requester has not seen.
  if (verbOf(resolved.request.trigger.kind).does === 'reads') return null;
  const reply =
    resolved.proposal === undefined
      ? askAboutHead(resolved.request, head.reason, context.settings)
      : comment(head.reason);
  return refuse(trigger, head.reason, reply);
}

/**
 * Decides on an approval or denial. Returns null for any other request, and for a valid decision on
 * a call.
 */
async function decideApproval(
  event: IncomingEvent,
  request: EventRequest,
  context: DecideContext,
): Promise<ProposalDecision | null> {
  const { kind } = request.trigger;
  if (kind !== 'approve' && kind !== 'deny') return null;
  const decided = await decideProposal(event, request, context);
  if (decided !== null) return decided;
  const text = await refuseApproval(event, request, context);
  return text === null ? null : { kind: 'reply', text };
}

/** Returns the reply of a verb that starts no run. */
async function replyBody(request: EventRequest, context: DecideContext): Promise<string> {
  const { trigger, triggers, sessions, facts } = request;
  const { mention } = triggers;
  if (trigger.about === 'approvals') {
    const head = facts.pull?.head.sha ?? facts.baseHead;
    const approvals = await readOpenApprovals({
      thread: trigger.thread,
      sessions,
      head,
      store: context.store,
    });
    return renderOpenApprovals(approvals, { mention, problem: trigger.note });
  }
  if (trigger.kind === 'status') return renderStatus(await readThreadStatus(request, context), mention);
  if (trigger.kind === 'config') return renderConfig(request, context.settings);
  if (trigger.kind === 'doctor') return renderDoctor(await readDoctor(request, context));
  return renderHelp(trigger, triggers);
}

/** Adds the failed build that a run repairs; returns the decision if it is not to be repaired. */
async function withBuild(
  resolved: ResolvedRequest,
  request: EventRequest,
  context: DecideContext,
): Promise<ResolvedRequest | EventDecision> {
  const { trigger } = request;
  if (trigger.build === undefined) return resolved;
  const { decideBuild } = await import('./plan/decide-build.ts');
  const build = await decideBuild(request, context);
  switch (build.kind) {
    case 'ignore':
      return ignore(trigger, build.reason);
    case 'stop':
      return { ...refuse(trigger, build.reason, comment(build.reason)), fails: build.fails ?? false };
    case 'repair':
      return { ...resolved, build };
  }
}

/** Refuses to implement an issue that has an open pull request of ours; null for all others. */
async function decideImplementation(
  request: EventRequest,
  resolved: ResolvedRequest,
  context: DecideContext,
): Promise<EventDecision | null> {
  if (resolved.request.trigger.kind !== 'implement') return null;
  const open = await openImplementation(request, context);
  if (open === null) return null;
  const reason = `Pull request #${open} is open for this issue already. Say there what is to change, or close it and ask again.`;
  return refuse(request.trigger, reason, comment(reason));
}

function openImplementation(
  { trigger, config }: EventRequest,
  context: DecideContext,
): Promise<number | null> {
  const { repository, thread } = trigger;
  const issue = { owner: repository.owner, repo: repository.name, number: thread.number };
  const branchPrefix = config.branch?.prefix ?? defaultBranchPrefix;
  return findOpenImplementation(context.octokit, issue, { logins: context.settings.ownLogins, branchPrefix });
}

function refusalReply(how: 'silent' | 'reaction' | 'comment', trigger: Trigger, reason: string): Reply {
  if (trigger.automated || how === 'silent') return { kind: 'none' };
  return how === 'reaction' && trigger.comment !== null
    ? { kind: 'reaction', content: '-1' }
    : comment(reason);
}

const heart: Reply = { kind: 'reaction', content: 'heart' };
const comment = (body: string): Reply => ({ kind: 'comment', body });

const ignore = (trigger: Trigger | null, reason: string): EventDecision => ({
  decision: 'ignore',
  reason,
  trigger,
  plan: null,
  reply: { kind: 'none' },
});

const replyWith = (trigger: Trigger, reason: string, body: string): EventDecision => ({
  decision: 'reply',
  reason,
  trigger,
  plan: null,
  reply: comment(body),
});

const refuse = (trigger: Trigger, reason: string, reply: Reply): EventDecision => ({
  decision: 'refuse',
  reason,
  trigger,
  plan: null,
  reply,
});

function describe({ kind, event, actor, thread }: Trigger): string {
  const where = thread.kind === 'issue' ? 'issue' : 'pull request';
  return `${kind} on ${where} ${thread.number}, by ${event} of ${actor.login}`;
}
