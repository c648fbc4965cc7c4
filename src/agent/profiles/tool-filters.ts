import type { ToolDefinition } from '../../contract/message.ts';
import type { ToolProfileName } from '../../contract/profile-names.ts';
import { nameMatcher } from '../../permissions/patterns/match-globs.ts';
import {
  backgroundTools,
  blockingTools,
  messageTools,
  remoteAgentTools,
  webTools,
} from './builtin-profiles.ts';
import type { Profile, ToolFilter } from './profiles.ts';

/**
 * Returns a predicate on tool names. It is true if every filter of the profile permits the tool and
 * the configuration does not disable it. Whether a tool changes anything is not considered.
 * Patterns are compiled once.
 */
export function hasTool(
  profile: ToolFilter & { readonly within: readonly ToolFilter[] },
  disabled: readonly string[] = [],
): (tool: string) => boolean {
  const filters = [profile, ...profile.within].map(({ allow, deny }) => ({
    allowed: nameMatcher(allow),
    denied: nameMatcher(deny),
  }));
  const isDisabled = nameMatcher(disabled);
  return (tool) =>
    filters.every(({ allowed, denied }) => allowed(tool) && !denied(tool)) && !isDisabled(tool);
}

/**
 * Tools that state the result of a run, by canonical name. Their calls count against no limit of
 * calls: without them a run is for nothing.
 */
export const resultTools = ['report_findings', 'describe_pull_request', 'set_labels', 'task.return'] as const;

/** True if a tool states the result of a run. */
export function statesResult(name: string): boolean {
  return (resultTools as readonly string[]).includes(name);
}

/**
 * The tool a run states its result with, by the name the model calls it; null where it has none.
 */
export function offeredResultTool(definitions: readonly ToolDefinition[]): string | null {
  const onWire = resultTools.map((name) => name.replaceAll('.', '_'));
  return definitions.find(({ name }) => onWire.includes(name))?.name ?? null;
}

/** Takes away the tools that start programs, for a run that may start none. */
export const noCommands: ToolFilter = {
  allow: ['*'],
  deny: ['bash', 'shell_session', 'init_experiment', 'run_experiment', 'log_experiment', 'monty_python_repl'],
  why: 'This run has no sandbox, so nothing can be run in it. Go on with the tools that read and edit, and say in your answer what was not run.',
};

/** A profile, and those of its children, without the tools that start programs. */
export function withoutCommands(profile: Profile): Profile {
  return { ...profile, within: [...profile.within, noCommands] };
}

/** Excludes the tools that read a thread, for a run without one. */
export const noThread: ToolFilter = {
  allow: ['*'],
  deny: ['chat.search', 'chat.read_messages'],
  why: 'This run belongs to no issue or pull request, so there is no conversation to read; go on without it.',
};

/** A profile, and those of its children, without the tools that read the run's thread. */
export function withoutThread(profile: Profile): Profile {
  return { ...profile, within: [...profile.within, noThread] };
}

/** A tool profile: a further filter, and the amount of each schema. */
interface ToolProfile extends ToolFilter {
  readonly schemas: Profile['schemas'];
}

const network = [...webTools, ...remoteAgentTools, 'mcp__*'];

/** Tools that read and change files and run commands. */
const essential = ['read', 'grep', 'glob', 'bash', 'edit_file', 'create_file'];

/**
 * The tool profiles as data. What a review, a description or a triage states its result with stays
 * in each.
 */
const toolProfiles: Readonly<Record<ToolProfileName, ToolProfile>> = {
  coding: { allow: ['*'], deny: [], schemas: 'whole' },
  full: { allow: ['*'], deny: ['tool_search', 'use_tool'], schemas: 'whole' },
  standard: {
    allow: ['*'],
    deny: [...blockingTools, ...backgroundTools, ...messageTools, ...network],
    schemas: 'whole',
  },
  ds4: { allow: essential, deny: [], schemas: 'short' },
  none: { allow: [], deny: [], schemas: 'whole' },
};

/** A profile within a tool profile: a tool has to be in both. `coding` leaves it as it is. */
export function withToolProfile(profile: Profile, name: ToolProfileName): Profile {
  if (name === 'coding') return profile;
  const { allow, deny, schemas } = toolProfiles[name];
  return { ...profile, within: [...profile.within, { allow, deny }], schemas };
}
