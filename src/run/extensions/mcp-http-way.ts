import type { HttpServerSettings } from '../../config/mcp-settings.ts';
import { mostMessageBytes } from '../../extensions/mcp/too-large.ts';
import { hostOf } from '../../network/allowed-host.ts';
import type { GuardedFetch } from '../../network/guarded-fetch.ts';
import { namesPrivateAddress } from '../../network/public-address.ts';
import type { ExternalRun } from './external-run.ts';
import type { Given } from './given-to.ts';
import { expandFor, type NamedServer, type ServerWay } from './named-server.ts';

/** The way to a server over HTTP, which our own process asks and no other. */
export function mcpHttpWay(
  run: ExternalRun,
  named: NamedServer<HttpServerSettings>,
  given: Given,
): ServerWay {
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
      const headers = expandFor(run, named, given, ['header', settings.headers ?? {}]);
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
