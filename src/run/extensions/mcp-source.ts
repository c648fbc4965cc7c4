import path from 'node:path';
import { defaultExternalTimeout } from '../../config/defaults.ts';
import type {
  HttpServerSettings,
  McpServerSettings,
  StdioServerSettings,
} from '../../config/extension-settings.ts';
import { codeFromCheckout, copyServer } from '../../extensions/mcp/copy-server.ts';
import type { ServerTransport } from '../../extensions/mcp/mcp-server.ts';
import { mostMessageBytes } from '../../extensions/mcp/too-large.ts';
import { expandAll } from '../../extensions/protocol/expand-variables.ts';
import { hostOf } from '../../network/allowed-host.ts';
import type { GuardedFetch } from '../../network/guarded-fetch.ts';
import { namesPrivateAddress } from '../../network/public-address.ts';
import { createRedactor } from '../../redaction/redact.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import { quotedWord } from '../../sandbox/quoted-word.ts';
import type { ExternalSource } from '../../tools/registry/load-external-tools.ts';
import type { TrustedTree } from '../../workspace/git/trusted-tree.ts';
import { createProgramRunner } from '../programs/program-runner.ts';
import { atHome, closedFolders, type ExternalRun } from './external-run.ts';
import { type ProgramEnvironment, programEnvironment } from './program-environment.ts';

/**
 * Creates the source for one server. Loading starts it, with the protocol's package, and rejects
 * with a clause about the server.
 */
export function mcpSource(run: ExternalRun, named: NamedServer): ExternalSource {
  const { name, settings } = named;
  let opened: ExternalSource | null = null;
  let listener: Parameters<NonNullable<ExternalSource['watch']>>[0] = () => undefined;
  let closed = false;
  return {
    name: `the MCP server ${name}`,
    async load(signal) {
      const given = environmentOf(run, named);
      if ('problem' in given) throw new Error(`it ${given.problem}`);
      const loadSeconds = run.config.tools?.externalTimeout ?? defaultExternalTimeout;
      const timeoutSeconds = settings.timeoutSeconds ?? loadSeconds;
      // Before the time-out of all sources, so that the reason can be reported.
      const startSeconds = Math.max(1, loadSeconds - 2);
      const [{ openMcp }, { McpServer }] = await Promise.all([
        import('../../extensions/mcp/open-mcp.ts'),
        import('../../extensions/mcp/mcp-server.ts'),
      ]);
      const stdio = 'command' in settings;
      const hosts = hostsOf(run, named);
      // A read-only run has read-only servers.
      const readOnly = stdio && run.sandboxed && (run.readOnly || settings.readOnly === true);
      const hide = createRedactor(Object.values(given.variables));
      const transport = stdio
        ? stdioTransportSource(run, { ...named, settings }, { ...given, hide }, { hosts, writes: !readOnly })
        : httpTransportSource(run, { ...named, settings }, given);
      opened = openMcp({
        server: new McpServer({
          ...{ name, timeoutSeconds, startSeconds, hide, warn: run.warn, open: transport.open },
          root: stdio ? run.root : null,
        }),
        terms: {
          trusted: settings.trustAnnotations === true,
          confined: readOnly && hosts.length === 0,
          outside: !stdio || hosts.length > 0,
          hide,
        },
        tools: settings.tools ?? {},
        ...{ timeoutSeconds, signal: run.signal, release: transport.release },
      });
      if (closed) await opened.close();
      opened.watch?.(listener);
      return opened.load(signal).catch((error: unknown) => {
        signal.throwIfAborted();
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`it ${why.replace(/^it /, '')}`, { cause: error });
      });
    },
    watch(changed) {
      listener = changed;
    },
    async close() {
      closed = true;
      await opened?.close();
    },
  };
}

/** The hosts that a server reaches or runs on. */
function hostsOf(run: ExternalRun, { name, settings }: NamedServer): readonly string[] {
  return 'url' in settings
    ? [new URL(settings.url).host]
    : (run.config.network?.programs?.[`mcp:${name}`] ?? []);
}

function environmentOf(
  run: ExternalRun,
  named: NamedServer,
): ProgramEnvironment | { readonly problem: string } {
  const { name, settings, by } = named;
  const holder = { name: `mcp:${name}`, by };
  if ('command' in settings) return programEnvironment(run, holder, hostsOf(run, named));
  if (!URL.canParse(settings.url)) return { problem: 'has an address that is none' };
  // The holder runs outside the sandbox.
  return programEnvironment({ ...run, sandboxed: true }, holder, hostsOf(run, named));
}

/** A configured MCP server. */
export interface NamedServer<Settings extends McpServerSettings = McpServerSettings> {
  readonly name: string;
  readonly settings: Settings;
  /** Origin of the server's settings. */
  readonly by: 'operator' | 'repository';
  /** The base of relative paths for an operator's server; null for the trusted commit. */
  readonly folder: string | null;
  /** True if its address may be private: it is named in a configuration. */
  readonly mayBePrivate: boolean;
  /** The files that it is started from. */
  readonly trusted: () => Promise<TrustedTree | null>;
}

/** Opens transports to a server, and closes what they use. */
export interface TransportSource {
  readonly open: () => Promise<ServerTransport>;
  readonly release: () => Promise<void>;
}

/**
 * Expands the server's variables and the checkout's path in texts. Throws for a missing variable.
 */
export function expandForServer(
  { root }: ExternalRun,
  { name }: NamedServer,
  given: ProgramEnvironment,
  [what, texts]: readonly [what: string, texts: Readonly<Record<string, string>>],
): Readonly<Record<string, string>> {
  const variables = { workspaceFolder: root, CLAUDE_PROJECT_DIR: root, ...given.variables };
  const expanded = expandAll(texts, what, { holder: `mcp:${name}`, variables });
  if ('problem' in expanded) throw new Error(`cannot be started: ${expanded.problem}`);
  return expanded.texts;
}

/** The transport to a server over HTTP, from our own process. */
function httpTransportSource(
  run: ExternalRun,
  named: NamedServer<HttpServerSettings>,
  given: ProgramEnvironment,
): TransportSource {
  const { settings } = named;
  let fetching: Promise<GuardedFetch> | null = null;
  const prepare = async () => {
    const { createGuardedFetch } = await import('../../network/guarded-fetch.ts');
    const host = hostOf(new URL(settings.url));
    const isOpened =
      named.mayBePrivate && (settings.privateAddress === true || namesPrivateAddress(host.name));
    return createGuardedFetch({
      policy: { allowed: [host], privateAllowed: isOpened ? [host] : [] },
      limits: { bytes: mostMessageBytes, redirects: 0, idleMs: 0, totalMs: null },
      environment: run.environment,
    });
  };
  return {
    async open() {
      const headers = expandForServer(run, named, given, ['header', settings.headers ?? {}]);
      fetching ??= prepare();
      const { fetch } = await fetching;
      const { httpTransport } = await import('../../extensions/mcp/http-transport.ts');
      return httpTransport(settings.url, { fetch, headers });
    },
    async release() {
      await (await fetching?.catch(() => null))?.close();
    },
  };
}

/**
 * The transport to a server that is a program, in its own sandbox. `hide` removes its secrets.
 * Everything is opened on demand.
 */
function stdioTransportSource(
  run: ExternalRun,
  named: NamedServer<StdioServerSettings>,
  given: ProgramEnvironment & { readonly hide: (text: string) => string },
  sandbox: { readonly hosts: readonly string[]; readonly writes: boolean },
): TransportSource {
  const { name, settings } = named;
  const target = path.join(run.runFolder, 'mcp', name);
  let ready: Promise<{
    readonly runner: CommandRunner;
    readonly argv: readonly string[];
    readonly cwd: string;
  }> | null = null;
  const prepare = async () => {
    const said = Object.fromEntries([settings.command, ...(settings.args ?? [])].entries());
    const words = Object.values(expandForServer(run, named, given, ['word', said])).map((word) =>
      named.by === 'operator' ? atHome(word, run.environment.HOME) : word,
    );
    const [command = '', ...args] = words;
    const kept = await copyServer(
      { command, args, folder: named.folder },
      { target, root: run.root, trusted: named.trusted, closed: closedFolders(run) },
    );
    if ('problem' in kept) throw new Error(kept.problem);
    const own = expandForServer(run, named, given, ['variable', settings.env ?? {}]);
    const code = kept.fromCheckout ?? codeFromCheckout(run.root, words, own);
    if (given.apart && code !== null)
      throw new Error(
        `is not started: ${code} is code of the checkout, which a pull request can change, and it would get ${[...Object.keys(given.variables), ...sandbox.hosts].join(', ')}`,
      );
    const runner = await createProgramRunner(run, target, {
      ...{ name: `mcp-${name}`, shown: kept.shown, ...sandbox },
    });
    // Package runners search where they start: with secrets that must not be the checkout.
    return { runner, argv: kept.argv, cwd: given.apart ? kept.folder : run.root };
  };
  return {
    async open() {
      ready ??= prepare();
      const { runner, argv: words, cwd } = await ready;
      const own = expandForServer(run, named, given, ['variable', settings.env ?? {}]);
      const env = { ...given.variables, ...own, AGENT: 'anode' };
      const { openProcessTransport } = await import('../../extensions/mcp/stdio-transport.ts');
      return openProcessTransport(
        (handlers) =>
          runner.open({ ...handlers, command: `exec ${words.map(quotedWord).join(' ')}`, cwd, env }),
        given.hide,
      );
    },
    async release() {
      const made = await ready?.catch(() => null);
      await made?.runner.close();
    },
  };
}
