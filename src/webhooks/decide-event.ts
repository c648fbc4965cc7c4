import type { Octokit } from '@octokit/rest';
import { triggerDefaults } from '../config/defaults.ts';
import { mergeConfig } from '../config/merge-config.ts';
import type { Config } from '../config/schema.ts';
import { ConfigError } from '../contract/errors.ts';
import type { IncomingEvent } from '../contract/event.ts';
import type { RunPlan } from '../contract/plan.ts';
import { authorize } from './authorize.ts';
import { checkHead } from './check-head.ts';
import { chosenOption } from './chosen-option.ts';
import type { DecidePorts } from './decide-ports.ts';
import { type Candidate, findCandidate } from './find-candidate.ts';
import { findTrigger } from './find-trigger.ts';
import { recordHead } from './head-record.ts';
import { makePlan } from './make-plan.ts';
import { planPrompt } from './plan-prompt.ts';
import { type RepositoryConfig, readRepositoryConfig } from './read-config.ts';
import { readPlace, type ThreadPlace } from './read-place.ts';
import { readThread } from './read-thread.ts';
import { readWaiting } from './read-waiting.ts';
import { renderHelp } from './render-help.ts';
import { threadContext } from './thread-context.ts';
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
 * From an event to a plan: the one place where event, configuration, permission and thread come together. A broken
 * configuration starts nothing, since a misspelt safety setting must not be passed over: whoever asked and may, is told
 * the file and the key; an automated review is left out with the reason in the log. API failures are thrown.
 */
export async function decideEvent(event: IncomingEvent, ports: DecidePorts): Promise<EventDecision> {
  const { octokit, store, settings, log } = ports;
  if (!settings.dryRun) await recordHead(store, event);
  const candidate = findCandidate(event);
  if (candidate.kind === 'ignored') return ignore(candidate.reason);
  const waiting = await readWaiting(store, candidate, log);
  if (waiting === null && candidate.silent)
    return ignore('the comment addresses nobody, and no question waits');

  const place = await readPlace(octokit, candidate, settings.serverUrl);
  const config = await readConfig(octokit, candidate, place, ports);
  const found = findTrigger(event, {
    ...triggerSettings(config.config),
    ownLogins: settings.ownLogins,
    waiting: waiting?.question.question ?? null,
  });
  if (found.kind === 'ignored') return ignore(found.reason);

  const triggers = triggerDefaults(config.config);
  const authorization = await authorize(octokit, found, triggers.allowBots);
  if (authorization.kind === 'refused') {
    return refuse(found, authorization.reason, refusalReply(triggers.onRefusal, found, authorization.reason));
  }
  if (config.error !== null) {
    const { message } = config.error;
    if (found.automated) return { ...ignore(message), trigger: found };
    return refuse(
      found,
      message,
      comment(`The configuration cannot be used, so nothing was started. ${message}`),
    );
  }
  if (found.kind === 'help') {
    return { ...ignore('help was asked for'), trigger: found, reply: comment(renderHelp(found, triggers)) };
  }
  const head = await checkHead(found, place.pull, ports);
  if (head.kind === 'superseded') return { ...ignore(head.reason), trigger: found };
  if (head.kind === 'moved') return refuse(found, head.reason, comment(head.reason));

  const session = found.kind === 'answer' ? waiting : null;
  const option = session && chosenOption(found.text, session.question.question);
  const plan = makePlan({
    trigger: found,
    source: { kind: settings.host, delivery_id: event.delivery_id },
    repository: place.repository,
    defaultHead: place.defaultHead,
    pull: place.pull,
    title: ports.sanitise(place.title),
    requester: authorization.requester,
    config: config.config,
    configSource: config.source,
    sandbox: settings.sandbox,
    prompt: option === null ? planPrompt(found, ports.sanitise) : option.id,
    threadContext: threadContext(await readThread(octokit, found, event.payload), {
      at: found.at,
      sanitise: ports.sanitise,
    }),
    waiting: session,
    ids: { runId: ports.ids.runId(), sessionId: ports.ids.sessionId() },
    now: ports.clock(),
  });
  return { decision: 'run', reason: describe(found), trigger: found, plan, reply: { kind: 'none' } };
}

type UsableConfig = RepositoryConfig & { readonly error: ConfigError | null };

/** The configuration, or the defaults and what was wrong: who asked is found out before anyone is told. */
async function readConfig(
  octokit: Octokit,
  candidate: Candidate,
  place: ThreadPlace,
  { settings }: DecidePorts,
): Promise<UsableConfig> {
  const { owner, name } = candidate.repository;
  const branch = place.pull?.base.ref ?? place.repository.default_branch;
  try {
    const read = await readRepositoryConfig(octokit, { owner, name, branch }, settings.host);
    return { ...read, config: mergeConfig(settings.overrides, read.config), error: null };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: settings.overrides, source: null, error };
  }
}

function triggerSettings(config: Config) {
  const { mention, label, allowBots } = triggerDefaults(config);
  const { auto = true, drafts = false } = config.review ?? {};
  return { mention, label, allowBots, autoReview: auto, reviewDrafts: drafts };
}

function refusalReply(how: 'silent' | 'reaction' | 'comment', trigger: Trigger, reason: string): Reply {
  if (trigger.automated || how === 'silent') return { kind: 'none' };
  return how === 'reaction' && trigger.comment !== null ? { kind: 'reaction' } : comment(reason);
}

const comment = (body: string): Reply => ({ kind: 'comment', body });

const ignore = (reason: string): EventDecision => ({
  decision: 'ignore',
  reason,
  trigger: null,
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
  return `${kind} on ${thread.kind === 'issue' ? 'issue' : 'pull request'} ${thread.number}, by ${event} of ${actor.login}`;
}
