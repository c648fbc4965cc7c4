import * as z from 'zod';
import {
  extraTools,
  languageTools,
  remoteAgentTools,
  webTools,
} from '../../agent/profiles/builtin-profiles.ts';
import type { Config } from '../../config/schema.ts';
import { languageServers } from '../../extensions/language/server-table.ts';
import { describeHook } from '../../permissions/gate/ask-programs.ts';
import { policyWarnings, type RuledTool, toolProblem } from '../../permissions/policy/policy-warnings.ts';
import { builtinTools } from '../../tools/registry/builtin-tools.ts';
import { extensionAliases } from '../../tools/registry/extension-aliases.ts';

/** The environment variables that enable more than the configuration. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Returns warnings about settings that cannot have the effect they seem to have. */
export function warningsOf(config: Config, environment: Environment = {}): string[] {
  const builtin = builtinTools.map(({ name, aliases, input, argumentAliases }) => ({
    name,
    aliases: Object.keys(aliases ?? {}),
    arguments: input instanceof z.ZodObject ? Object.keys(input.shape) : null,
    argumentAliases: argumentAliases ?? {},
  }));
  // Not every run has these.
  const otherNames: Readonly<Record<string, object>> = extensionAliases;
  const extensions = [...webTools, ...extraTools, ...languageTools, ...remoteAgentTools].map((name) => ({
    name,
    aliases: Object.keys(otherNames[name] ?? {}),
    arguments: null,
    argumentAliases: {},
  }));
  const tools: readonly RuledTool[] = [...builtin, ...extensions];
  return [
    ...policyWarnings(config.permissions?.rules ?? [], tools),
    ...hookWarnings(config, environment, tools),
    ...nameWarnings(config, tools),
  ];
}

/**
 * Warns of unknown tools in profiles and in `tools.disabled`: the intended tool stays available.
 */
function nameWarnings({ profiles = {}, tools: settings }: Config, tools: readonly RuledTool[]): string[] {
  const lists: [key: string, names: readonly string[]][] = [
    ['tools.disabled', settings?.disabled ?? []],
    ...Object.entries(profiles).flatMap(
      ([name, { allow = [], deny = [], maxCallsPerTool = {} }]): [string, string[]][] => [
        [`profiles.${name}.allow`, allow],
        [`profiles.${name}.deny`, deny],
        [`profiles.${name}.maxCallsPerTool`, Object.keys(maxCallsPerTool)],
      ],
    ),
  ];
  return lists.flatMap(([key, names]) =>
    names.flatMap((name) => {
      // Any name of a tool disables it.
      const named = key === 'tools.disabled' ? tools.flatMap(byEachName) : tools;
      const problem = toolProblem(name, named);
      return problem === null ? [] : [`${key}: ${problem}`];
    }),
  );
}

function byEachName(tool: RuledTool): RuledTool[] {
  const { name, aliases } = tool;
  return [...new Set([name, name.replaceAll('.', '_'), ...aliases])].map((one) => ({
    ...tool,
    name: one,
    aliases: [],
  }));
}

/**
 * Returns true for a program that the configuration need not name: one of a toolbox, or a server of
 * a repository file or a skill. It is checked when those are read.
 */
function isNamedElsewhere(holder: string, { mcp, skills, tools }: Config, environment: Environment): boolean {
  if (holder.startsWith('toolbox:'))
    return (tools?.toolboxDirs ?? []).length > 0 || (environment.ANODE_TOOLBOX ?? '') !== '';
  const files = (mcp?.workspace ?? false) !== false || (skills?.allowMCP ?? false) !== false;
  return holder.startsWith('mcp:') && (files || environment.ANODE_WORKSPACE_MCP === '1');
}

/** Warns of hooks for unknown tools, and of variables for unknown programs. */
function hookWarnings(config: Config, environment: Environment, tools: readonly RuledTool[]): string[] {
  const { hooks, env, permissions } = config;
  const useless = [hooks?.before ?? [], hooks?.after ?? []].flatMap((list) =>
    list.flatMap((hook, index) => {
      const problem = toolProblem(hook.tool, tools);
      return problem === null ? [] : [`${describeHook(hook, index)}: ${problem}`];
    }),
  );
  const names = new Set([
    ...[...(hooks?.before ?? []), ...(hooks?.after ?? [])].flatMap(({ name }) =>
      name ? [`hook:${name}`] : [],
    ),
    ...(permissions?.rules ?? []).flatMap(({ to }) => (to ? [`delegate:${to.split(' ')[0]}`] : [])),
    ...Object.keys(config.plugins ?? {}).map((name) => `plugin:${name}`),
    ...Object.keys(config.a2a?.agents ?? {}).map((name) => `a2a:${name}`),
    ...Object.keys(config.mcp?.servers ?? {}).map((name) => `mcp:${name}`),
    ...[...Object.keys(config.lsp?.servers ?? {}), ...languageServers.map(({ name }) => name)].map(
      (name) => `lsp:${name}`,
    ),
  ]);
  const unknown = Object.keys(env?.pass ?? {}).filter(
    (holder) => !names.has(holder) && !isNamedElsewhere(holder, config, environment),
  );
  return [...useless, ...unknown.map((holder) => `env.pass: there is no ${holder} to give variables to.`)];
}
