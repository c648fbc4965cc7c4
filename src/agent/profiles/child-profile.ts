import { ConfigError, ToolError } from '../../contract/errors.ts';
import { nameMatcher } from '../../permissions/patterns/match-globs.ts';
import type { AgentKind, ChildRequest } from '../../tools/services/children.ts';
import type { Tool } from '../../tools/tool.ts';
import { backgroundTools, blockingTools } from './builtin-profiles.ts';
import type { Profile, Profiles } from './profiles.ts';
import { changes, selectTools } from './select-tools.ts';

/**
 * Tools that no child has: it cannot start children, ask a person, or publish the run's message.
 */
const notForChildren = [
  ...blockingTools,
  ...backgroundTools,
  'ask_user',
  'request_permissions',
  'workspace.commit',
  'workspace.finish',
];

/**
 * Tools that a child has only if its parent has them: those that change something, reach people, or
 * come from extensions.
 */
const needsParent = (tool: Tool): boolean =>
  changes(tool) || tool.name === 'handoff' || tool.name.includes('__');

/** Returns true if a run of `caller` may start a child of `target`. */
export function mayStart(caller: Profile, target: Profile): boolean {
  return target.callable && target.allowAsSubagent && nameMatcher(target.allowedCallers)(caller.name);
}

/** The kinds of children that a run of `caller` may start, as its tools list them. */
export function agentKinds(caller: Profile, profiles: Profiles): AgentKind[] {
  return profiles.all
    .filter((target) => mayStart(caller, target))
    .map(({ name, description, readOnly, maxTurns, maxCallsPerRun }) => ({
      ...{ id: name, description, maxTurns, maxCalls: maxCallsPerRun },
      readOnly: readOnly || caller.readOnly,
    }));
}

/**
 * Returns the profile of a child, within the rights of its parent. It only reads if its parent only
 * reads. It has no tool that its parent is denied. Beyond reading the repository, it has only tools
 * of its parent. Throws `ToolError` for an unknown profile, or one that the parent may not start.
 */
export function childProfile(
  request: ChildRequest,
  parent: Profile,
  profiles: Profiles,
  { registry, disabled }: { readonly registry: readonly Tool[]; readonly disabled: readonly string[] },
): Profile {
  const target = findTarget(request.profile, profiles);
  if (!mayStart(parent, target)) {
    const others = profiles.all.filter((one) => mayStart(parent, one)).map(({ name }) => name);
    const remedy = others.length === 0 ? 'It may start none.' : `It may start: ${others.join(', ')}.`;
    throw new ToolError(
      'refused',
      `A run of ${parent.name} may not start a child of ${target.name}. ${remedy}`,
    );
  }
  const ofParent = new Set(selectTools(registry, parent, disabled));
  const beyondParent = registry
    .filter((tool) => needsParent(tool) && !ofParent.has(tool))
    .map(({ name }) => name);
  const wanted = request.toolsAllowed?.map((name) => canonical(name, registry));
  const most = request.mayExtend === true ? target.mostTurns : target.maxTurns;
  const maxTurns = Math.min(request.maxTurns ?? target.maxTurns, most);
  const calls =
    request.maxToolCalls ?? (request.callsPerTurn === undefined ? null : request.callsPerTurn * maxTurns);
  const profile: Profile = {
    ...target,
    allow: [...target.allow, ...(request.moreTools ?? [])],
    deny: [...target.deny, ...parent.deny, ...notForChildren, ...beyondParent],
    within: [
      ...target.within,
      ...parent.within,
      ...(wanted === undefined ? [] : [{ allow: wanted, deny: [] }]),
    ],
    schemas: parent.schemas,
    readOnly: target.readOnly || parent.readOnly || request.readOnly === true,
    maxTurns,
    effort: request.effort ?? target.effort,
    model: request.model ?? target.model,
    maxCallsPerRun: smaller(calls, target.maxCallsPerRun),
    maxDelegations: 0,
  };
  if (wanted !== undefined && selectTools(registry, profile, disabled).length === 0)
    throw new ToolError(
      'invalid_input',
      `The child would have no tools: ${wanted.join(', ')} means none that it may have. ${target.name} has: ${selectTools(
        registry,
        { ...profile, within: parent.within },
        disabled,
      )
        .map(({ name }) => name)
        .join(', ')}.`,
    );
  return profile;
}

/** A tool by the name it has here, where another harness calls it otherwise. */
function canonical(name: string, registry: readonly Tool[]): string {
  const named = (one: string) => one === name || one.toLowerCase() === name.toLowerCase();
  const tool =
    registry.find((one) => named(one.name)) ??
    registry.find((one) => Object.keys(one.aliases ?? {}).some(named));
  return tool?.name ?? name;
}

function findTarget(name: string, profiles: Profiles): Profile {
  try {
    return profiles.find(name);
  } catch (error) {
    if (error instanceof ConfigError) throw new ToolError('invalid_input', error.message, { cause: error });
    throw error;
  }
}

function smaller(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
