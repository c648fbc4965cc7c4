import type { IncomingEvent } from '../contract/event.ts';
import { append } from '../contract/lists.ts';
import type { HiddenFinding } from '../contract/thread.ts';
import { createOctokit } from '../github/create-octokit.ts';
import { newRunId } from '../run/records/run-context.ts';
import { sanitise } from '../untrusted-text/sanitise.ts';
import type { DecideContext } from '../webhooks/authorize/decide-context.ts';
import type { Trigger } from '../webhooks/commands/trigger.ts';
import { decideEvent, type EventDecision } from '../webhooks/decide-event.ts';
import { findCandidate } from '../webhooks/triggers/find-candidate.ts';
import { objectAt } from '../webhooks/triggers/payload-reader.ts';
import {
  decisionSettings,
  type EntryContext,
  type GitHubContext,
  withClients,
} from './context/broker-context.ts';
import { doctorFacts } from './context/collect-doctor-facts.ts';
import { openEvent } from './context/open-event.ts';
import { readOnlyDecision } from './context/read-only-decision.ts';
import { withoutSignatures } from './context/report-links.ts';
import { hiddenFrom } from './prepare/hidden-findings.ts';

/** Makes the decision to do nothing. `reason` is for the log. */
export const nothingToDo = (reason: string): EventDecision => ({
  decision: 'ignore',
  reason,
  trigger: null,
  plan: null,
  reply: { kind: 'none' },
});

/** Makes the decision on an event without a repository. */
export function ofNoRepository(event: IncomingEvent): EventDecision {
  const candidate = findCandidate(event);
  return nothingToDo(candidate.kind === 'ignored' ? candidate.reason : 'it names no repository by its id');
}

/** Returns the decision on an event, and writes nothing, not even to the state. */
export async function decideOnly(event: IncomingEvent, entry: EntryContext): Promise<EventDecision> {
  const context = await openEvent(event, entry);
  return context === null ? ofNoRepository(event) : decideOnEvent(event, withClients(context), true);
}

/** Returns the event of each command of one comment, in their order. */
export function eventsOfCommands(bodies: readonly string[], event: IncomingEvent): IncomingEvent[] {
  const key = objectAt(event.payload, 'comment') === null ? 'review' : 'comment';
  return bodies.map((body, index) => {
    const payload = { ...event.payload, [key]: { ...objectAt(event.payload, key), body } };
    return { ...event, payload, part: index + 1 };
  });
}

/** Maximum reported parts of hidden text. */
const mostHidden = 50;

/** Decides on an event. A dry run stores nothing. `clicked` is the trigger of a ticked box. */
export async function decideOnEvent(
  event: IncomingEvent,
  context: GitHubContext,
  dryRun: boolean,
  clicked?: Trigger,
): Promise<EventDecision> {
  const hidden: HiddenFinding[] = [];
  const ports = { ...decisionPorts(context, dryRun, hidden), ...(clicked === undefined ? {} : { clicked }) };
  const decided = await decideEvent(event, ports).catch(async (error: unknown) => {
    const { decideDenied } = await import('../webhooks/decide-denied.ts');
    return decideDenied(event, error, ports);
  });
  const decision = context.readOnlyToken ? readOnlyDecision(decided) : decided;
  const { plan } = decision;
  if (plan === null || hidden.length === 0) return decision;
  return { ...decision, plan: { ...plan, hidden_text: hidden.slice(0, mostHidden) } };
}

/** Returns what a decision needs. Hidden parts of the texts it reads are added to `hidden`. */
export function decisionPorts(
  context: GitHubContext,
  dryRun: boolean,
  hidden: HiddenFinding[],
): DecideContext {
  const { ownLogin, store, log, apiUrl, github, staged } = context;
  // Users of the command line may lend their own token and ask like anyone else.
  const own = ownLogin.endsWith('[bot]') ? ownLogin : null;
  return {
    octokit: github.reader,
    store,
    sanitise: (text, origin) => {
      const clean = sanitise(withoutSignatures(text));
      if (origin !== undefined) append(hidden, hiddenFrom(text, clean.hidden, origin, own));
      return clean.text;
    },
    clock: () => new Date(),
    ids: context.ids ?? { runId: () => newRunId('run'), sessionId: () => newRunId('sess') },
    log: (message) => log.warn(message),
    async checks() {
      const token = context.checksToken ?? context.readToken;
      // Fails here if the installation lacks the right.
      await token();
      return createOctokit({ apiUrl, token, staged });
    },
    doctor: () => doctorFacts(context),
    settings: {
      ...decisionSettings(context),
      ownLogins: own === null ? [] : [own],
      sandbox: context.sandbox,
      dryRun,
    },
  };
}
