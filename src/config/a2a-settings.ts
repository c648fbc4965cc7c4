import * as z from 'zod';
import { HeaderSettings, Host } from './host-settings.ts';

/** An agent elsewhere that speaks A2A. */
const Agent = z.strictObject({
  /** Where its card is: the card itself, or the host, which has it at `/.well-known/agent-card.json`. */
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  /** Sent with each request; `{env:NAME}` stands for a variable that `env.pass` gives the agent (`a2a:<name>`). */
  headers: HeaderSettings.optional(),
  /** True: it may have a private address, as one on this machine or in the operator's network has. */
  privateAddress: z.boolean().optional(),
});

/** Agents that a run may call, and what else may be found. */
export const A2aSettings = z.strictObject({
  agents: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'the name of an agent: small letters, digits, - and _'),
      Agent,
    )
    .optional(),
  /** Hosts whose agents may be called by their URL: `agents.example.com`, `*.example.com`. */
  allow: z.array(Host).max(50).optional(),
});

/** An agent, and whether the operator of this machine wrote it. */
export type A2aAgent = z.infer<typeof Agent> & { readonly by?: 'operator' };
