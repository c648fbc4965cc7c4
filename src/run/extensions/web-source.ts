import { webTools } from '../../agent/profiles/builtin-profiles.ts';
import type { WebSettings } from '../../config/extension-settings.ts';
import { runSecrets } from '../../config/secret-values.ts';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import { downloadTool } from '../../extensions/web/download-tool.ts';
import { fetchTool } from '../../extensions/web/fetch-tool.ts';
import {
  type BackendName,
  type SearchBackend,
  searchBackends,
} from '../../extensions/web/search-backends.ts';
import { openWebAccess, type WebAccess, type WebAnswer } from '../../extensions/web/web-access.ts';
import { createWebCache } from '../../extensions/web/web-cache.ts';
import { webFetchTool } from '../../extensions/web/web-fetch-tool.ts';
import { webSearchTool } from '../../extensions/web/web-search-tool.ts';
import { type AllowedHost, allowedHost, hostOf } from '../../network/allowed-host.ts';
import { createGuardedFetch } from '../../network/guarded-fetch.ts';
import type { HostLookup } from '../../network/resolve-host.ts';
import { patternMatches } from '../../permissions/patterns/compile-pattern.ts';
import { createRedactor } from '../../redaction/redact.ts';
import type { ExternalSource } from '../../tools/registry/load-external-tools.ts';
import type { Tool } from '../../tools/tool.ts';
import { processProgram } from '../programs/process-program.ts';
import { trustOf } from '../records/store-past-run.ts';
import type { ExternalRun } from './external-run.ts';

/** Changed by tests only: lookups, the clock, and private hosts. */
export interface WebEdge {
  readonly lookup?: HostLookup;
  readonly privateAllowed?: readonly string[];
  readonly now?: () => number;
}

/** Time-out of a search in seconds. */
const searchSeconds = 30;

/**
 * The web for a run: pages and files of configured hosts, and a search if a backend is set. This
 * process makes all requests, so the sandbox has no keys and no network. In a run for a fork or for
 * a user without write permission, untrusted text could make the model leak what it reads. Those
 * runs have only hosts named in full, and no search.
 */
export function webSource(run: ExternalRun, edge: WebEdge = {}): ExternalSource {
  const settings = settingsOf(run.config.tools?.web);
  const isTrusted = trustOf(run.plan) === 'own';
  const named = settings.allow ?? [];
  const hosts = isTrusted ? named : named.filter((host) => !host.includes('*'));
  const open = accessOpener(run, edge);
  const pages = open(hosts, hosts.map(allowedHost), (edge.privateAllowed ?? []).map(allowedHost));
  const now = edge.now ?? (() => monotonicMs());
  let searching: WebAccess | null = null;
  return {
    name: 'the web',
    async load() {
      const problems: string[] = [];
      const tools: Tool[] = [];
      const found = isTrusted ? findBackend(settings, run.environment) : null;
      if (typeof found === 'string') problems.push(found);
      else if (found !== null) {
        const url = new URL(found.address);
        // The operator chose this address, so it may be private.
        searching = open([url.host], [hostOf(url)], [hostOf(url)]);
        const limits = { timeoutSeconds: searchSeconds, now: Date.now };
        tools.push(webSearchTool({ ...found, ...limits, access: searching, results: createWebCache(now) }));
      }
      if (hosts.length > 0) {
        const services = {
          access: pages,
          answers: createWebCache<WebAnswer>(now),
          pageProgram: processProgram('page-process'),
        } as const;
        tools.push(webFetchTool(services), fetchTool(services), downloadTool(services));
      }
      return { tools, problems };
    },
    async close() {
      await Promise.all([pages.close(), searching?.close()]);
    },
  };
}

/** Returns what opens access to some hosts, with the rules and secrets of a run. */
function accessOpener(run: ExternalRun, { lookup }: WebEdge) {
  const redact = createRedactor(runSecrets(run));
  // An allowed URL must not redirect to one that the rules refuse.
  const { rules = [] } = run.config.permissions ?? {};
  const deciding = [
    ...rules.filter(({ matches = {} }) => 'url' in matches || 'urls' in matches),
    ...(run.config.hooks?.before ?? []),
  ];
  const followsWithinHost = !deciding.some(({ tool }) => webTools.some((name) => patternMatches(tool, name)));
  return (
    hosts: readonly string[],
    allowed: readonly AllowedHost[],
    privateAllowed: readonly AllowedHost[],
  ): WebAccess => {
    const policy = { allowed, privateAllowed };
    const options = { policy, environment: run.environment, ...(lookup === undefined ? {} : { lookup }) };
    return openWebAccess({
      hosts,
      followsWithinHost,
      holdsSecret: (text) => redact(text) !== text,
      open: () => createGuardedFetch(options),
    });
  };
}

type WebConfig = Exclude<WebSettings, boolean>;

function settingsOf(web: WebSettings | undefined): WebConfig & { readonly asked: boolean } {
  if (typeof web === 'object') return { ...web, asked: web.backend !== undefined || web.url !== undefined };
  return { asked: web === true };
}

interface FoundBackend {
  readonly backend: SearchBackend;
  readonly address: string;
  readonly key: string;
}

/** The backend with its key and address; null if none is wanted, a text if it cannot be used. */
function findBackend(
  { backend: name, url, asked }: ReturnType<typeof settingsOf>,
  environment: ExternalRun['environment'],
): FoundBackend | string | null {
  const names = name === undefined ? (Object.keys(searchBackends) as BackendName[]) : [name];
  const backends = names.map((one) => searchBackends[one]);
  for (const backend of backends) {
    const found = openBackend(backend, url, environment);
    if (found !== null) return found;
  }
  if (!asked) return null;
  const wanted = backends.map(({ variables }) => variables[0]).join(', ');
  return `The web cannot be searched, as no key is set: ${wanted}${name === 'searxng' ? ' or tools.web.url' : ''}.`;
}

/** Reads key and address of one backend; null without them, a text for an invalid address. */
function openBackend(
  backend: SearchBackend,
  url: string | undefined,
  environment: ExternalRun['environment'],
): FoundBackend | string | null {
  const value = backend.variables.map((name) => environment[name] ?? '').find((one) => one !== '') ?? '';
  // SearXNG has no key: its variable contains its address.
  const hasKey = backend.address !== null;
  const address = url ?? backend.address ?? value;
  if ((hasKey ? value : address) === '') return null;
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    return `The web cannot be searched: ${backend.variables[0]} is not an http or https URL.`;
  return { backend, address: address.replace(/\/+$/, ''), key: hasKey ? value : '' };
}
