import type { RunHost } from '../../config/parse-repository-config.ts';
import { isNotFound } from '../../github/api-errors.ts';
import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import type { DoctorFacts } from '../authorize/doctor-facts.ts';
import { needsStateSecret } from '../authorize/nothing-stored.ts';
import { eventShapes } from '../triggers/events.ts';
import type { DoctorLine } from './render-doctor.ts';

/** The permissions that we use; nothing but their purpose depends on the optional ones. */
const permissions: readonly (readonly [
  name: string,
  level: 'read' | 'write',
  purpose: string,
  needed: boolean,
])[] = [
  ['contents', 'write', 'to check out and to commit', true],
  ['issues', 'write', 'to answer, and for labels', true],
  ['pull_requests', 'write', 'for reviews and pull requests', true],
  ['checks', 'read', 'for `fix`, which reads what failed', false],
  ['actions', 'read', 'for `fix`, which reads the logs of jobs', false],
  ['security_events', 'write', 'for `review.sarif`', false],
  ['statuses', 'write', 'to show runs as commit statuses, without `checks: write`', false],
];

const subscribed = Object.keys(eventShapes).filter((name) => eventShapes[name]?.subscribed);

/** Checks the requirements of a run on this thread. Reads no key and no token. */
export async function readDoctor(request: EventRequest, ports: DecideContext): Promise<DoctorLine[]> {
  const facts = ports.doctor === undefined ? null : await ports.doctor();
  return [
    configLine(request),
    ...(facts === null ? [] : [doctorLine('Model', facts.model.ok, facts.model.found)]),
    ...(facts === null ? [] : [doctorLine('Sandbox', facts.sandbox.ok, facts.sandbox.found)]),
    ...stateLines(ports.settings),
    ...permissionLines(facts, ports.settings.host),
    ...eventLines(facts),
    ...(await labelLines(request, ports)),
    {
      name: 'You',
      state: 'ok',
      found: `${request.authorization.requester.login} has ${request.authorization.requester.permission} permission here`,
    },
  ];
}

function configLine({ configError, configSource }: EventRequest): DoctorLine {
  if (configError !== null) return { name: 'Configuration', state: 'missing', found: configError.message };
  const file = configSource === null ? 'none, so the defaults hold' : `\`${configSource.file}\` can be used`;
  return { name: 'Configuration', state: 'ok', found: file };
}

/** Names what a workflow cannot do that stores nothing. */
function stateLines({ host, isStored = true }: DecideContext['settings']): DoctorLine[] {
  if (host !== 'action' || isStored) return [];
  const found = `${needsStateSecret}. Without them there are no questions, approvals, \`retry\`, \`continue\` and \`dismiss\``;
  return [{ name: 'State', state: 'unknown', found }];
}

function permissionLines(facts: DoctorFacts | null, host: RunHost): DoctorLine[] {
  const granted = facts?.permissions ?? null;
  if (granted === null) {
    const told = 'what this token may do is not told by GitHub';
    const lines = permissions.filter(([, , , needed]) => needed).map(([name, level]) => lineFor(name, level));
    const found = host === 'action' ? `${told}. Under \`permissions:\` it takes ${lines.join(', ')}` : told;
    return [{ name: 'Permissions', state: 'unknown', found }];
  }
  return permissions.map(([name, level, purpose, needed]) => {
    const has = granted[name];
    const ok = has === level || has === 'write' || has === 'admin';
    const add = `add \`${name}: ${level}\` to the App's permissions and accept it`;
    const found = ok ? `${has}, ${purpose}` : `${level} is not granted; it is ${purpose}: ${add}`;
    const lack = needed ? 'missing' : 'unknown';
    return { name: `\`${name}\``, state: ok ? 'ok' : lack, found };
  });
}

/** A line of a workflow's `permissions:`, as code. */
const lineFor = (name: string, level: string): string => `\`${name.replaceAll('_', '-')}: ${level}\``;

function eventLines(facts: DoctorFacts | null): DoctorLine[] {
  if (facts === null || facts.events === null) return [];
  const { events: had } = facts;
  const absent = subscribed.filter((name) => !had.includes(name));
  const found =
    absent.length === 0
      ? 'all that matter are delivered'
      : `not delivered: ${absent.map((name) => `\`${name}\``).join(', ')}`;
  return [doctorLine('Webhook events', absent.length === 0, found)];
}

async function labelLines(
  { triggers, trigger, facts }: EventRequest,
  { octokit }: DecideContext,
): Promise<DoctorLine[]> {
  const { owner, name: repo } = trigger.repository;
  return Promise.all(
    Object.entries(triggers.labels)
      .slice(0, 10)
      .map(async ([name, verb]): Promise<DoctorLine> => {
        const exists = await octokit.rest.issues.getLabel({ owner, repo, name }).then(
          () => true,
          (error: unknown) => {
            if (isNotFound(error)) return false;
            throw error;
          },
        );
        const found = exists
          ? `starts \`${verb}\``
          : `would start \`${verb}\`; ${facts.repository.name} has no such label`;
        return { name: `Label \`${name}\``, state: exists ? 'ok' : 'unknown', found };
      }),
  );
}

const doctorLine = (name: string, ok: boolean, found: string): DoctorLine => ({
  name,
  state: ok ? 'ok' : 'missing',
  found,
});
