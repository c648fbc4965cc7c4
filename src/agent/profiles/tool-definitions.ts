import { isJsonObject } from '../../contract/json.ts';
import type { ToolDefinition } from '../../contract/message.ts';
import type { ExternalTools } from '../../tools/registry/load-external-tools.ts';
import { toolKinds } from '../../tools/registry/tool-kinds.ts';
import type { Tool } from '../../tools/tool.ts';
import { builtinProfiles, type Profile } from './profiles.ts';
import { hasTool, noThread } from './tool-filters.ts';

/** Facts of the built-in tools that the build writes, by name and in their order. */
export interface BuiltTools {
  /** The definitions of the advertised tools. */
  readonly definitions: Readonly<Record<string, ToolDefinition>>;
  /** The kinds of the deferred tools. */
  readonly kinds: ReturnType<typeof toolKinds>;
}

/** `BuiltTools` as JSON; put here by the build. */
declare const BUILT_TOOLS: string | undefined;

/**
 * Returns the tool definitions of a run. A built program has those of the built-in tools at hand,
 * so the first request does not wait for the tools. Otherwise they are made from the tools.
 */
export async function toolDefinitionsFor(
  profile: Profile,
  disabled: readonly string[],
  registry: () => Promise<readonly Tool[]>,
  {
    external = null,
    built = typeof BUILT_TOOLS === 'undefined' ? null : (JSON.parse(BUILT_TOOLS) as BuiltTools),
  }: { readonly external?: ExternalTools | null; readonly built?: BuiltTools | null } = {},
): Promise<ToolDefinition[]> {
  if (built !== null && disabled.length === 0 && isAsBuilt(profile)) {
    const definitions = Object.entries(built.definitions).flatMap(([name, definition]) =>
      profile.allow.includes(name) ? [definition] : [],
    );
    return adaptDefinitions(definitions, built.kinds, hasTool(profile));
  }
  const [{ toolDefinition, shortToolDefinition }, { findsDeferred, isAdvertised, selectTools }] =
    await Promise.all([import('../../tools/registry/json-schema.ts'), import('./select-tools.ts')]);
  const builtin = await registry();
  let tools = selectTools(builtin, profile, disabled);
  if (external !== null && !findsDeferred(tools)) {
    // Without a search, the first request has to name all tools.
    await external.loaded;
    tools = selectTools([...builtin, ...external.current()], profile, disabled);
  }
  const definitions = tools
    .filter((tool) => isAdvertised(tool, tools))
    .map(profile.schemas === 'short' ? shortToolDefinition : toolDefinition);
  return adaptDefinitions(definitions, toolKinds(builtin), (name) =>
    tools.some((tool) => tool.name === name),
  );
}

/**
 * Returns true if the allowed names of a profile determine its tools, as for an unchanged built-in
 * profile. The built definitions know neither levels of tools nor deferred ones.
 */
export function isAsBuilt(profile: Profile): boolean {
  const builtin = builtinProfiles.get(profile.name);
  return (
    builtin !== undefined &&
    profile.allow === builtin.allow &&
    profile.readOnly === builtin.readOnly &&
    profile.deny.length === 0 &&
    // This filter removes no tool that the build defines.
    profile.within.every((filter) => filter === noThread) &&
    profile.allow.includes('use_tool')
  );
}

/**
 * Adapts tool definitions to the tools of one run. The result depends on nothing else, so it stays
 * the same from the first request to the last. `has` takes canonical names.
 */
function adaptDefinitions(
  definitions: readonly ToolDefinition[],
  kinds: BuiltTools['kinds'],
  has: (tool: string) => boolean,
): ToolDefinition[] {
  // Without `shell_session`, nothing could read or end a command in the background.
  const background = has('shell_session');
  return definitions.map((definition) => {
    if (definition.name === 'tool_search') return withKinds(definition, kinds, has);
    return definition.name === 'bash' && !background ? withoutBackground(definition) : definition;
  });
}

function withoutBackground(definition: ToolDefinition): ToolDefinition {
  const { properties } = definition.input_schema;
  if (properties === undefined || !isJsonObject(properties)) return definition;
  const { run_in_background: _, ...rest } = properties;
  return { ...definition, input_schema: { ...definition.input_schema, properties: rest } };
}

/** Lists the kinds of the run's deferred tools in the description of `tool_search`. */
function withKinds(
  definition: ToolDefinition,
  kinds: BuiltTools['kinds'],
  has: (tool: string) => boolean,
): ToolDefinition {
  const found = new Set(Object.entries(kinds).flatMap(([tool, kind]) => (has(tool) ? [kind] : [])));
  if (found.size === 0) return definition;
  return { ...definition, description: definition.description.replace(/\.$/, `: ${[...found].join(', ')}.`) };
}
