import type { Client } from '@a2a-js/sdk/client';
import type { AgentCard } from './agent-card.ts';

/** An agent that can be called. */
export interface OpenAgent {
  /** By what it was asked for. */
  readonly called: string;
  readonly card: AgentCard;
  readonly client: Client;
}

/** The agents elsewhere that a run may call. */
export interface A2aAgents {
  /** Names of the configuration. */
  readonly names: readonly string[];
  /** Hosts whose agents may be called by their URL. */
  readonly hosts: readonly string[];
  /** Where the card of an agent is, by its name or URL; what is neither is given back as it is. */
  urlOf(agent: string): string;
  /** Reads its card, once a run. Throws `ToolError` where there is no such agent, or where it is not reached. */
  open(agent: string, signal: AbortSignal): Promise<OpenAgent>;
  /** True for a text with a secret in it, which is not sent. */
  holdsSecret(text: string): boolean;
}
