import type { McpServerSettings } from '../../config/mcp-settings.ts';
import type { ServerTransport } from '../../extensions/mcp/mcp-server.ts';
import { expandAll } from '../../extensions/protocol/expand-variables.ts';
import type { SteeringTree } from '../../workspace/git/steering-tree.ts';
import type { ExternalRun } from './external-run.ts';
import type { Given } from './given-to.ts';

/** An MCP server as somebody named it. */
export interface NamedServer<Settings extends McpServerSettings = McpServerSettings> {
  readonly name: string;
  readonly settings: Settings;
  /** Who named it. */
  readonly by: 'operator' | 'repository';
  /** Where relative paths start, for one that the operator of this machine named; null for the trusted commit. */
  readonly folder: string | null;
  /** True where its address may be private, as it was named in a configuration and not in a file of the field's. */
  readonly mayBePrivate: boolean;
  /** The files that it is started from. */
  readonly trusted: () => Promise<SteeringTree | null>;
}

/** A way to a server that is ready to be opened, and what ends all that was opened for it. */
export interface ServerWay {
  readonly open: () => Promise<ServerTransport>;
  readonly release: () => Promise<void>;
}

/** Puts what the server is given, and where the checkout is, into each of some texts. Throws where one names what it is not given. */
export function expandFor(
  { root }: ExternalRun,
  { name }: NamedServer,
  given: Given,
  [what, texts]: readonly [what: string, texts: Readonly<Record<string, string>>],
): Readonly<Record<string, string>> {
  const variables = { workspaceFolder: root, CLAUDE_PROJECT_DIR: root, ...given.variables };
  const expanded = expandAll(texts, what, { holder: `mcp:${name}`, variables });
  if ('problem' in expanded) throw new Error(`cannot be started: ${expanded.problem}`);
  return expanded.texts;
}
