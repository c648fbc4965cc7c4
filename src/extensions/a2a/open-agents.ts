import type { Client } from '@a2a-js/sdk/client';
import { ToolError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { allowedHost, isAllowedHost, portOf } from '../../network/allowed-host.ts';
import { RequestFailure } from '../../network/request-failure.ts';
import { visibleText } from '../../tools/text/visible-text.ts';
import { type AgentCard, readAgentCard } from './agent-card.ts';

/** An agent of the configuration. */
export interface NamedAgent {
  readonly name: string;
  readonly url: string;
  /** Sent to its own host only. */
  readonly headers: Readonly<Record<string, string>>;
  /** Why it cannot be called, a clause with the agent as its subject; null where it can. */
  readonly problem: string | null;
}

/** Settings and services of a run's agents. */
export interface AgentsRun {
  readonly agents: readonly NamedAgent[];
  readonly allow: readonly string[];
  /** Reaches allowed hosts only. */
  readonly fetch: typeof globalThis.fetch;
  readonly holdsSecret: (text: string) => boolean;
}

/** Seconds that a card may take. */
const cardSeconds = 20;
const cardPath = '.well-known/agent-card.json';

/** Creates the agents of a run. The first `open` loads the protocol's library. */
export function openAgents(run: AgentsRun): A2aAgents {
  const named = new Map(run.agents.map((agent) => [agent.name, agent]));
  const opened = new Map<string, Promise<OpenAgent>>();
  const allowed = run.allow.map(allowedHost);
  const find = (called: string): NamedAgent => {
    const agent = named.get(called);
    if (agent?.problem != null)
      throw new ToolError('unavailable', `The agent ${called} ${agent.problem}. Go on without it.`);
    if (agent !== undefined) return agent;
    const url = URL.parse(called);
    if (url !== null && /^https?:$/.test(url.protocol) && isAllowedHost(url.hostname, portOf(url), allowed))
      return { name: called, url: called, headers: {}, problem: null };
    const hosts = run.allow.length === 0 ? '' : `; agents of ${run.allow.join(', ')} by their URL`;
    throw new ToolError(
      'not_found',
      `There is no permitted agent ${JSON.stringify(called.slice(0, 200))}. There are ${[...named.keys()].join(', ') || 'none by name'}${hosts}.`,
    );
  };
  return {
    names: [...named.keys()],
    hosts: run.allow,
    urlOf: (called) => named.get(called)?.url ?? called,
    holdsSecret: run.holdsSecret,
    async open(called, signal) {
      const agent = find(called);
      const before = opened.get(called);
      if (before !== undefined) return before;
      const opening = connect(agent, run.fetch, signal);
      opened.set(called, opening);
      // A failed attempt may succeed later.
      opening.catch(() => opened.delete(called));
      return opening;
    },
  };
}

async function connect(agent: NamedAgent, ask: typeof fetch, signal: AbortSignal): Promise<OpenAgent> {
  const { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } =
    await import('@a2a-js/sdk/client');
  const fetchImpl = withHeaders(agent, ask);
  // Most agents that there are speak 0.3 of the protocol.
  const options = { fetchImpl, legacyCompat: { enabled: true } };
  const cardResolver = new DefaultAgentCardResolver(options);
  const raw = await readCard(agent, fetchImpl, signal);
  try {
    const normal = cardResolver.normalizeAgentCard(raw);
    const card = readAgentCard(normal);
    if ('problem' in card)
      throw new ToolError('failed', `The card at ${agent.url} ${card.problem}. Go on without this agent.`);
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
      cardResolver: { resolve: async () => normal },
    });
    const client = await factory.createFromAgentCard({ ...normal, ...(card as object) } as typeof normal);
    return { called: agent.name, card, client };
  } catch (error) {
    throw agentFailure(error, agent.name, signal);
  }
}

/**
 * Reads the card as JSON: at the URL itself, below it, or at the host's well-known location (RFC
 * 8615).
 */
async function readCard({ name, url }: NamedAgent, ask: typeof fetch, caller: AbortSignal): Promise<unknown> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(cardSeconds * 1_000)]);
  const base = new URL(url);
  const urls = base.pathname.endsWith('.json')
    ? [url]
    : [
        new URL(cardPath, `${base.origin}${base.pathname.replace(/\/?$/, '/')}`).href,
        `${base.origin}/${cardPath}`,
      ];
  let status = 0;
  for (const candidate of new Set(urls)) {
    try {
      const response = await ask(candidate, {
        headers: { accept: 'application/json', 'A2A-Version': '1.0' },
        signal,
      });
      const text = await response.text();
      const card = response.ok ? parseJson(text) : undefined;
      if (card !== undefined) return card;
      status = response.status;
    } catch (error) {
      caller.throwIfAborted();
      if (signal.aborted)
        throw new ToolError(
          'timeout',
          `The agent ${name} did not give its card within ${cardSeconds} s. Go on without it.`,
        );
      throw agentFailure(error, name, caller);
    }
  }
  throw new ToolError(
    'failed',
    `The agent ${name} has no card at ${urls.join(' or ')} (${status === 200 ? 'its content is not JSON' : `status ${status}`}). Go on without it.`,
  );
}

/** Adds an agent's headers to requests to its own host only. */
function withHeaders({ url, headers }: NamedAgent, ask: typeof fetch): typeof fetch {
  const { origin } = new URL(url);
  return (input, init) => {
    const to = new URL(input instanceof Request ? input.url : input).origin;
    if (to !== origin) return ask(input, init);
    const all = new Headers(input instanceof Request ? input.headers : undefined);
    for (const given of [init?.headers, headers])
      for (const [name, value] of new Headers(given)) all.set(name, value);
    return ask(input, { ...init, headers: all });
  };
}

/** An agent that can be called. */
export interface OpenAgent {
  /** The name or URL it was opened by. */
  readonly called: string;
  readonly card: AgentCard;
  readonly client: Client;
}

/** The agents that a run may call. */
export interface A2aAgents {
  /** Names of the configuration. */
  readonly names: readonly string[];
  /** Hosts whose agents may be called by their URL. */
  readonly hosts: readonly string[];
  /** The URL of an agent's card, by name or URL; any other text is returned unchanged. */
  urlOf(agent: string): string;
  /** Reads its card, once a run. Throws `ToolError` if it is unknown or unreachable. */
  open(agent: string, signal: AbortSignal): Promise<OpenAgent>;
  /** True for a text with a secret in it, which is not sent. */
  holdsSecret(text: string): boolean;
}

/** The error for the model when a request to an agent failed; at an abort, its reason. */
export function agentFailure(error: unknown, agent: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof ToolError) return error;
  const cause = failureIn(error);
  if (cause?.kind === 'refused' || cause?.kind === 'not_allowed')
    return new ToolError(
      'refused',
      `The agent ${agent} cannot be called: the request ${cause.message}. The host must be in a2a.agents or a2a.allow of the configuration. Go on without it.`,
      { cause: error },
    );
  if (cause !== null)
    return new ToolError(
      cause.kind,
      `The agent ${agent} was not reached: the request ${cause.message}. Go on without it.`,
      {
        cause: error,
      },
    );
  const reply = visibleText(error instanceof Error ? error.message : String(error)).slice(0, 1_000);
  return new ToolError('failed', `The agent ${agent} answered with an error, in its words: ${reply}`, {
    cause: error,
  });
}

/** The failure of a request among the causes of what the protocol's library threw. */
function failureIn(error: unknown): RequestFailure | null {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth += 1) {
    if (cause instanceof RequestFailure) return cause;
    cause = cause.cause;
  }
  return null;
}
