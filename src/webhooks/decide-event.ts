import { defaultBranchPrefix } from '../config/defaults.ts';
import type { IncomingEvent } from '../contract/event.ts';
import type { RunPlan } from '../contract/plan.ts';
import { checkHead } from './check-head.ts';
import { chosenOption } from './chosen-option.ts';
import { refuseApproval } from './decide-approval.ts';
import type { DecidePorts } from './decide-ports.ts';
import { findOpenImplementation } from './find-open-implementation.ts';
import { recordHead } from './head-record.ts';
import { type Judged, judgeEvent } from './judge-event.ts';
import { makePlan } from './make-plan.ts';
import { planPrompt } from './plan-prompt.ts';
import { readThread } from './read-thread.ts';
import { renderHelp } from './render-help.ts';
import { threadContext } from './thread-context.ts';
import { imagesNote, nameThreadImages } from './thread-images.ts';
import type { Trigger } from './trigger.ts';

/** What the asker is told when there is no run: nothing, a 👎, or a comment with these words. */
export type Reply =
  | { readonly kind: 'none' }
  | { readonly kind: 'reaction' }
  | { readonly kind: 'comment'; readonly body: string };

/** What comes of one event. `reason` is a sentence for the log; `plan` is given for `run` only. */
export interface EventDecision {
  readonly decision: 'run' | 'ignore' | 'refuse';
  readonly reason: string;
  readonly trigger: Trigger | null;
  readonly plan: RunPlan | null;
  readonly reply: Reply;
}

/**
 * From an event to a plan. A broken configuration starts nothing, since a misspelt safety setting must not be passed
 * over: whoever asked, and may, is told the file and the key; an automated review is left out, with the reason in the
 * log. Besides remembering heads (not in a dry run) nothing is written anywhere. API failures are thrown.
 */
export async function decideEvent(event: IncomingEvent, ports: DecidePorts): Promise<EventDecision> {
  if (!ports.settings.dryRun) await recordHead(ports.store, event);
  const judged = await judgeEvent(event, ports);
  if (judged.kind === 'ignored') return ignore(null, judged.reason);
  const { trigger, triggers, authorization, configError } = judged;
  if (authorization.kind === 'refused') {
    return refuse(
      trigger,
      authorization.reason,
      refusalReply(triggers.onRefusal, trigger, authorization.reason),
    );
  }
  if (configError !== null) {
    if (trigger.automated) return ignore(trigger, configError.message);
    const words = `The configuration cannot be used, so nothing was started. ${configError.message}`;
    return refuse(trigger, configError.message, comment(words));
  }
  if (trigger.kind === 'help') {
    return { ...ignore(trigger, 'help was asked for'), reply: comment(renderHelp(trigger, triggers)) };
  }
  if (trigger.kind === 'approve' || trigger.kind === 'deny') {
    const reason = await refuseApproval(event, judged, ports);
    if (reason !== null) return refuse(trigger, reason, comment(reason));
  }
  const head = await checkHead(trigger, judged.place.pull, ports);
  if (head.kind === 'superseded') return ignore(trigger, head.reason);
  if (head.kind === 'moved') return refuse(trigger, head.reason, comment(head.reason));
  const open = trigger.kind === 'implement' ? await openImplementation(judged, ports) : null;
  if (open !== null) {
    const reason = `#${open} is open for this issue already. Say there what is to change, or close it and ask again.`;
    return refuse(trigger, reason, comment(reason));
  }
  const plan = await planRun(event, judged, ports);
  return { decision: 'run', reason: describe(trigger), trigger, plan, reply: { kind: 'none' } };
}

function openImplementation({ trigger, config }: Judged, ports: DecidePorts): Promise<number | null> {
  const { repository, thread } = trigger;
  const issue = { owner: repository.owner, repo: repository.name, number: thread.number };
  const branchPrefix = config.branch?.prefix ?? defaultBranchPrefix;
  return findOpenImplementation(ports.octokit, issue, { logins: ports.settings.ownLogins, branchPrefix });
}

async function planRun(event: IncomingEvent, judged: Judged, ports: DecidePorts): Promise<RunPlan> {
  const { trigger, place } = judged;
  const { sanitise, settings } = ports;
  const decides = trigger.kind === 'approve' || trigger.kind === 'deny';
  const waiting = decides || trigger.kind === 'answer' ? judged.waiting : null;
  const option = waiting?.question && chosenOption(trigger.text, waiting.question.question);
  const thread = await readThread(ports.octokit, trigger, event.payload);
  const images = nameThreadImages(settings.serverUrl, waiting?.plan?.attachments ?? []);
  // The request comes first: its images must not fall to the limit.
  const prompt =
    option?.id ??
    planPrompt(decides ? { ...trigger, text: behindHash(trigger.text) } : trigger, sanitise, (text) =>
      images.markRequest(text, trigger.comment),
    );
  const context = threadContext(thread, {
    at: trigger.at,
    sanitise,
    // A conversation that goes on has its thread already, and its images keep their names.
    ...(waiting === null && { markImages: images.mark }),
  });
  return makePlan({
    trigger,
    source: { kind: settings.host, delivery_id: event.delivery_id },
    repository: place.repository,
    defaultHead: place.defaultHead,
    pull: place.pull,
    title: sanitise(place.title),
    requester: judged.authorization.requester,
    config: judged.config,
    configSource: judged.configSource,
    sandbox: settings.sandbox,
    prompt,
    threadContext: [context, imagesNote(images.list())].filter((text) => text !== '').join('\n'),
    attachments: images.list(),
    waiting,
    autorunDepth: judged.autorun?.depth ?? null,
    ids: { runId: ports.ids.runId(), sessionId: ports.ids.sessionId() },
    now: ports.clock(),
  });
}

/** What stands behind the hash of an approval: the reason, on which the run goes on. */
function behindHash(text: string): string {
  return text.replace(/^\S+\s*/, '');
}

function refusalReply(how: 'silent' | 'reaction' | 'comment', trigger: Trigger, reason: string): Reply {
  if (trigger.automated || how === 'silent') return { kind: 'none' };
  return how === 'reaction' && trigger.comment !== null ? { kind: 'reaction' } : comment(reason);
}

const comment = (body: string): Reply => ({ kind: 'comment', body });

const ignore = (trigger: Trigger | null, reason: string): EventDecision => ({
  decision: 'ignore',
  reason,
  trigger,
  plan: null,
  reply: { kind: 'none' },
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
