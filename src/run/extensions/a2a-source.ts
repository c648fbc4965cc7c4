import type { A2aAgent } from '../../config/extension-settings.ts';
import { runSecrets } from '../../config/secret-values.ts';
import { a2aCallTool } from '../../extensions/a2a/a2a-call-tool.ts';
import { a2aDiscoverTool } from '../../extensions/a2a/a2a-discover-tool.ts';
import { type NamedAgent, openAgents } from '../../extensions/a2a/open-agents.ts';
import { expandAll } from '../../extensions/protocol/expand-variables.ts';
import { allowedHost, hostOf } from '../../network/allowed-host.ts';
import { createGuardedFetch, type GuardedFetch } from '../../network/guarded-fetch.ts';
import { namesPrivateAddress } from '../../network/public-address.ts';
import type { HostLookup } from '../../network/resolve-host.ts';
import { createRedactor } from '../../redaction/redact.ts';
import type { ExternalSource } from '../../tools/registry/load-external-tools.ts';
import { trustOf } from '../records/store-past-run.ts';
import type { ExternalRun } from './external-run.ts';
import { programEnvironment } from './program-environment.ts';

/** Maximum bytes of an answer or stream. */
const mostAnswer = 16 * 1024 * 1024;

/**
 * The agents that a run may call. This process makes all requests, so the sandbox has no headers
 * and no network. Runs for a fork, or for a user without write permission, have no agents:
 * untrusted text could make the model leak what it reads.
 */
export function a2aSource(run: ExternalRun, edge: { readonly lookup?: HostLookup } = {}): ExternalSource {
  const { agents: named = {}, allow = [] } = run.config.a2a ?? {};
  let opened: Promise<GuardedFetch> | null = null;
  const open = () => {
    const isPrivate = Object.values(named).filter((agent) => mayBePrivate(run, agent));
    opened ??= createGuardedFetch({
      policy: {
        allowed: [...Object.values(named).map(({ url }) => hostOf(new URL(url))), ...allow.map(allowedHost)],
        privateAllowed: isPrivate.map(({ url }) => hostOf(new URL(url))),
      },
      // Agents may be silent for long; the call has its own time-out.
      limits: { bytes: mostAnswer, idleMs: 0, totalMs: null },
      environment: run.environment,
      ...edge,
    });
    return opened;
  };
  return {
    name: 'the agents elsewhere (A2A)',
    async load() {
      if (trustOf(run.plan) !== 'own')
        return {
          tools: [],
          problems: [
            'Agents elsewhere cannot be called in a run for a fork or for a user without write permission.',
          ],
        };
      const redact = createRedactor(runSecrets(run));
      const list = Object.entries(named).map(([name, agent]) => namedAgent(run, name, agent));
      const agents = openAgents({
        agents: list,
        allow,
        async fetch(input, init) {
          const url = input instanceof Request ? input.url : input;
          // Rules decided on this origin only.
          const mayFollow = (from: URL, to: URL) => from.origin === to.origin;
          return (await (await open()).follow(url, init, { mayFollow })).response;
        },
        holdsSecret: (text) => redact(text) !== text,
      });
      return {
        tools: [a2aDiscoverTool(agents), a2aCallTool(agents)],
        problems: list.flatMap(({ name, problem }) =>
          problem === null ? [] : [`The agent ${name} ${problem}.`],
        ),
      };
    },
    async close() {
      await (await opened?.catch(() => null))?.close();
    },
  };
}

function namedAgent(run: ExternalRun, name: string, agent: A2aAgent): NamedAgent {
  const { url, headers = {}, by = 'repository' } = agent;
  const holder = `a2a:${name}`;
  // The holder runs outside the sandbox.
  const given = programEnvironment({ ...run, sandboxed: true }, { name: holder, by }, []);
  if ('problem' in given) return { name, url, headers: {}, problem: given.problem };
  const filled = expandAll(headers, 'header', { holder, variables: given.variables });
  return 'problem' in filled
    ? { name, url, headers: {}, problem: `cannot be called: ${filled.problem}` }
    : { name, url, headers: filled.texts, problem: null };
}

/**
 * A private address in the configuration is intended; a name with one needs `privateAddress`. In
 * the App only the operator may set it.
 */
function mayBePrivate(run: ExternalRun, { url, by, privateAddress }: A2aAgent): boolean {
  if (by !== 'operator' && run.plan.source.kind === 'app') return false;
  return privateAddress === true || namesPrivateAddress(hostOf(new URL(url)).name);
}
