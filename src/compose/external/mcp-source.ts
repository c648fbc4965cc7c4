import { isIP } from 'node:net';
import path from 'node:path';
import { defaultExternalTimeout } from '../../config/defaults.ts';
import type { McpServer as ServerSettings } from '../../config/mcp-settings.ts';
import { isPublicAddress } from '../../permissions/network/public-address.ts';
import { createRedactor } from '../../permissions/redact.ts';
import type { CommandRunner } from '../../permissions/sandbox/command-runner.ts';
import { quotedWord } from '../../permissions/shell/quoted-word.ts';
import type { ExternalSource } from '../../tools/external/load-external-tools.ts';
import { expandVariables } from '../../tools/mcp/expand-variables.ts';
import type { ServerTransport } from '../../tools/mcp/mcp-server.ts';
import type { SteeringTree } from '../../workspace/steering-tree.ts';
import { createProgramRunner } from '../programs/program-runner.ts';
import type { ExternalRun } from './external-run.ts';
import { type Given, givenTo } from './given-to.ts';
import { keepServer } from './keep-server.ts';

/** A server as somebody named it. */
export interface NamedServer {
  readonly name: string;
  readonly settings: ServerSettings;
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
interface Way {
  readonly open: () => Promise<ServerTransport>;
  readonly release: () => Promise<void>;
}

/**
 * One server of a run as a source of tools. Nothing is started before it is loaded; what cannot be started rejects then, with a clause
 * about the server. The protocol's package is loaded here and nowhere before.
 */
export function mcpSource(run: ExternalRun, named: NamedServer): ExternalSource {
  const { name, settings } = named;
  let opened: ExternalSource | null = null;
  let listener: Parameters<NonNullable<ExternalSource['watch']>>[0] = () => undefined;
  let closed = false;
  return {
    name: `the MCP server ${name}`,
    async load(signal) {
      const given = givenOf(run, named);
      if ('problem' in given) throw new Error(`it ${given.problem}`);
      const loadSeconds = run.config.tools?.externalTimeout ?? defaultExternalTimeout;
      const timeoutSeconds = settings.timeoutSeconds ?? loadSeconds;
      // Before the time of all sources is up, so that what it said instead can be told.
      const startSeconds = Math.max(1, loadSeconds - 2);
      const [{ openMcp }, { openMcpServer }] = await Promise.all([
        import('../../tools/mcp/open-mcp.ts'),
        import('../../tools/mcp/mcp-server.ts'),
      ]);
      const way =
        'url' in settings ? httpWay(run, named, settings, given) : stdioWay(run, named, settings, given);
      const stdio = 'command' in settings;
      const hosts = hostsOf(run, named);
      const confined = stdio && isReadOnly(run, settings) && hosts.length === 0;
      const hide = createRedactor(Object.values(given.variables));
      opened = openMcp({
        server: openMcpServer({
          ...{ name, timeoutSeconds, startSeconds, hide, warn: run.warn, open: way.open },
          root: stdio ? run.root : null,
        }),
        terms: {
          trusted: settings.trustAnnotations === true,
          confined,
          outside: !stdio || hosts.length > 0,
          hide,
        },
        tools: settings.tools ?? {},
        ...{ timeoutSeconds, signal: run.signal, release: way.release },
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

/** A run that may change nothing that outlasts it has servers that cannot either. */
const isReadOnly = (run: ExternalRun, settings: Extract<ServerSettings, { command: string }>): boolean =>
  run.sandboxed && (run.readOnly || settings.readOnly === true);

/** The hosts that a server reaches or lies on. */
function hostsOf(run: ExternalRun, { name, settings }: NamedServer): readonly string[] {
  return 'url' in settings
    ? [new URL(settings.url).host]
    : (run.config.network?.programs?.[`mcp:${name}`] ?? []);
}

function givenOf(run: ExternalRun, named: NamedServer): Given | { readonly problem: string } {
  const { name, settings, by } = named;
  const holder = { name: `mcp:${name}`, by };
  if ('command' in settings) return givenTo(run, holder, hostsOf(run, named));
  if (!URL.canParse(settings.url)) return { problem: 'has an address that is none' };
  // Nothing of it is in a sandbox or needs one.
  return givenTo({ ...run, sandboxed: true }, holder, hostsOf(run, named));
}

/** Puts what the server is given into each of some texts. Throws where one names what it is not given. */
function expandAll(
  texts: Readonly<Record<string, string>>,
  what: string,
  run: ExternalRun,
  { name }: NamedServer,
  given: Given,
): Record<string, string> {
  const places = { workspaceFolder: run.root, CLAUDE_PROJECT_DIR: run.root };
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      const expanded = expandVariables(text, { ...places, ...given.variables });
      if ('problem' in expanded)
        throw new Error(
          `cannot be started: its ${what} ${key} ${expanded.problem} (env.pass: { 'mcp:${name}': [...] })`,
        );
      return [key, expanded.text];
    }),
  );
}

function stdioWay(
  run: ExternalRun,
  named: NamedServer,
  settings: Extract<ServerSettings, { command: string }>,
  given: Given,
): Way {
  const { name } = named;
  const hosts = hostsOf(run, named);
  const target = path.join(run.runFolder, 'mcp', name);
  let ready: Promise<{
    readonly runner: CommandRunner;
    readonly words: readonly string[];
    readonly cwd: string;
  }> | null = null;
  const prepare = async () => {
    const words = Object.values(
      expandAll(
        Object.fromEntries([settings.command, ...(settings.args ?? [])].map((word, index) => [index, word])),
        'word',
        run,
        named,
        given,
      ),
    ).map((word) => atHome(word, named.by === 'operator' ? run.environment.HOME : undefined));
    const [command = '', ...args] = words;
    const kept = await keepServer(
      { command, args, folder: named.folder },
      { target, root: run.root, trusted: named.trusted, closed: closedFolders(run) },
    );
    if ('problem' in kept) throw new Error(kept.problem);
    if (given.apart && kept.fromCheckout !== null)
      throw new Error(
        `is not started: ${kept.fromCheckout} is code of the checkout, which a pull request can change, and it would be given ${[...Object.keys(given.variables), ...hosts].join(', ')}`,
      );
    const runner = await createProgramRunner(run, target, {
      ...{ name: `mcp-${name}`, hosts, writes: !isReadOnly(run, settings), shown: kept.shown },
    });
    // Package runners look for programs where they are started: what is given anything must not find the checkout's.
    return { runner, words: kept.words, cwd: given.apart ? kept.folder : run.root };
  };
  return {
    async open() {
      ready ??= prepare();
      const { runner, words, cwd } = await ready;
      const env = {
        ...given.variables,
        ...expandAll(settings.env ?? {}, 'variable', run, named, given),
        AGENT: 'anode',
      };
      const { openProcessTransport } = await import('../../tools/mcp/stdio-transport.ts');
      return openProcessTransport((handlers) =>
        runner.open({ ...handlers, command: `exec ${words.map(quotedWord).join(' ')}`, cwd, env }),
      );
    },
    async release() {
      const made = await ready?.catch(() => null);
      await made?.runner.close();
    },
  };
}

function httpWay(
  run: ExternalRun,
  named: NamedServer,
  settings: Extract<ServerSettings, { url: string }>,
  given: Given,
): Way {
  let fetching: Promise<import('../../permissions/network/guarded-fetch.ts').GuardedFetch> | null = null;
  const prepare = async () => {
    const { createGuardedFetch } = await import('../../permissions/network/guarded-fetch.ts');
    const url = new URL(settings.url);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const allowed = [{ name: host, ports: [portOf(url)] }];
    const literal = isIP(host) === 0 ? host === 'localhost' : !isPublicAddress(host);
    const opened = named.mayBePrivate && (literal || settings.privateAddress === true);
    return createGuardedFetch({
      policy: { allowed, privateAllowed: opened ? allowed : [] },
      limits: { bytes: mostAnswer, redirects: 0, idleMs: 0, totalMs: null },
      environment: run.environment,
    });
  };
  return {
    async open() {
      const headers = expandAll(settings.headers ?? {}, 'header', run, named, given);
      fetching ??= prepare();
      const { fetch } = await fetching;
      const { httpTransport } = await import('../../tools/mcp/http-transport.ts');
      return httpTransport(settings.url, { fetch, headers });
    },
    async release() {
      await (await fetching?.catch(() => null))?.close();
    },
  };
}

/** Bytes of one answer over HTTP, as of one message of a program. */
const mostAnswer = 16 * 1024 * 1024;

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/** Folders of which no whole is shown to a server that happens to lie in one. */
function closedFolders({ environment, root, runFolder }: ExternalRun): readonly string[] {
  return [environment.HOME, root, runFolder].filter((one): one is string => one !== undefined && one !== '');
}

const atHome = (word: string, home: string | undefined): string =>
  home === undefined ? word : word.replace(/^~(?=\/)/, home);
