import { readFindingId } from '../../contract/finding-id.ts';
import { dismissFinding, dismissInThread } from '../../reporting/findings/dismiss-finding.ts';
import { resolveThreads } from '../../reporting/findings/review-threads.ts';
import { settleDismissed } from '../../reporting/findings/settle-dismissed.ts';
import type { Trigger } from '../../webhooks/commands/trigger.ts';
import type { EventDecision } from '../../webhooks/decide-event.ts';
import { postReply } from '../../webhooks/replies/post-reply.ts';
import { react } from '../../webhooks/replies/react.ts';
import type { GitHubContext } from '../context/broker-context.ts';
import { retellFindings } from '../finish/retell-findings.ts';

type FindingAction = Exclude<NonNullable<EventDecision['act']>, { kind: 'commands' }>;

/**
 * Resolves threads or dismisses findings on request, and tells the findings again. A reaction
 * replaces a comment that would say no more. Returns the reply; '' for a reaction.
 */
export async function actWithoutRun(
  { facts, config, kind }: FindingAction,
  trigger: Trigger,
  delivery_id: string | null,
  context: GitHubContext,
): Promise<string> {
  const octokit = context.github.writer;
  const ports = { octokit, ownLogin: context.ownLogin, store: context.canAsk ? context.store : null };
  const plan = {
    repository: facts.repository,
    thread: { ...trigger.thread, title: facts.title },
    link_hosts: config.report?.links,
    checkout: { sha: facts.pull?.head.sha ?? '', base_sha: facts.pull?.base.sha ?? null },
  };
  await settleDismissed(plan, ports);
  const text = await settleRequested(kind, trigger, plan, ports);
  await retellFindings({ target: plan, delivery_id, config, merged: false }, context);
  if (text === '') await react(octokit, trigger, '+1');
  else await postReply(octokit, trigger, { kind: 'comment', body: text });
  return text;
}

type ActPlan = Parameters<typeof settleDismissed>[0];
type ActPorts = Parameters<typeof settleDismissed>[1];

/** Settles the findings of a request. Returns the reply; '' if a reaction says it all. */
async function settleRequested(
  kind: FindingAction['kind'],
  { location, comment, actor, text, dismisses }: Trigger,
  plan: ActPlan,
  ports: ActPorts,
): Promise<string> {
  const root = location === null ? null : (location.root_id ?? comment?.id ?? null);
  const by = actor.login;
  if (kind === 'resolve') return resolveThreads({ plan, root, by }, ports);
  const reason = text.trim();
  if (dismisses !== undefined && root !== null) {
    await dismissInThread({ plan, id: dismisses.id, root, by, reason }, ports);
    return '';
  }
  return dismissFinding({ plan, root, by, ...(readFindingId(reason) ?? { id: null, reason }) }, ports);
}
