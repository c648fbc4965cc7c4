import { defaultExternalTimeout } from '../../config/defaults.ts';
import { createRedactor } from '../../redaction/redact.ts';
import type { ExternalSource } from '../../tools/registry/load-external-tools.ts';
import type { ExternalRun } from './external-run.ts';
import { type Given, givenTo } from './given-to.ts';
import { mcpHttpWay } from './mcp-http-way.ts';
import { mcpStdioWay } from './mcp-stdio-way.ts';
import type { NamedServer } from './named-server.ts';

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
        import('../../extensions/mcp/open-mcp.ts'),
        import('../../extensions/mcp/mcp-server.ts'),
      ]);
      const stdio = 'command' in settings;
      const hosts = hostsOf(run, named);
      // A run that may change nothing that outlasts it has servers that cannot either.
      const readOnly = stdio && run.sandboxed && (run.readOnly || settings.readOnly === true);
      const hide = createRedactor(Object.values(given.variables));
      const way = stdio
        ? mcpStdioWay(run, { ...named, settings }, { ...given, hide }, { hosts, writes: !readOnly })
        : mcpHttpWay(run, { ...named, settings }, given);
      opened = openMcp({
        server: openMcpServer({
          ...{ name, timeoutSeconds, startSeconds, hide, warn: run.warn, open: way.open },
          root: stdio ? run.root : null,
        }),
        terms: {
          trusted: settings.trustAnnotations === true,
          confined: readOnly && hosts.length === 0,
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
