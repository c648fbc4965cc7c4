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
  readonly adverts: Readonly<Record<string, ToolDefinition>>;
  /** The kinds of the deferred tools. */
  readonly kinds: ReturnType<typeof toolKinds>;
}

/** `BuiltTools` as JSON; put here by the build. */
declare const BUILT_TOOLS: string | undefined;

/**
 * Returns the tool definitions of a run. A built program has those of the built-in tools at hand,
 * so the first request does not wait for the tools. Otherwise they are made from the tools.
 */
export async function advertsFor(
  profile: Profile,
  disabled: readonly string[],
  registry: () => Promise<readonly Tool[]>,
  external: ExternalTools | null = null,
  built: BuiltTools | null = typeof BUILT_TOOLS === 'undefined' ? null : JSON.parse(BUILT_TOOLS),
): Promise<ToolDefinition[]> {
  if (built !== null && disabled.length === 0 && isAsBuilt(profile)) {
    const told = Object.entries(built.adverts).flatMap(([name, advert]) =>
      profile.allow.includes(name) ? [advert] : [],
    );
    return fitAdverts(told, built.kinds, hasTool(profile));
  }
  const [{ advertise, advertiseShort }, { findsDeferred, isAdvertised, selectTools }] = await Promise.all([
    import('../../tools/registry/json-schema.ts'),
    import('./select-tools.ts'),
  ]);
  const builtin = await registry();
  let tools = selectTools(builtin, profile, disabled);
  if (external !== null && !findsDeferred(tools)) {
    // Without a search, the first request has to name all tools.
    await external.loaded;
    tools = selectTools([...builtin, ...external.current()], profile, disabled);
  }
  const told = tools
    .filter((tool) => isAdvertised(tool, tools))
    .map(profile.schemas === 'short' ? advertiseShort : advertise);
  return fitAdverts(told, toolKinds(builtin), (name) => tools.some((tool) => tool.name === name));
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
function fitAdverts(
  adverts: readonly ToolDefinition[],
  kinds: BuiltTools['kinds'],
  has: (tool: string) => boolean,
): ToolDefinition[] {
  // Without `shell_session`, nothing could read or end a command in the background.
  const background = has('shell_session');
  return adverts.map((advert) => {
    if (advert.name === 'tool_search') return withKinds(advert, kinds, has);
    return advert.name === 'bash' && !background ? withoutBackground(advert) : advert;
  });
}

function withoutBackground(advert: ToolDefinition): ToolDefinition {
  const { properties } = advert.input_schema;
  if (properties === undefined || !isJsonObject(properties)) return advert;
  const { run_in_background: _, ...rest } = properties;
  return { ...advert, input_schema: { ...advert.input_schema, properties: rest } };
}

/** Lists the kinds of the run's deferred tools in the description of `tool_search`. */
function withKinds(
  advert: ToolDefinition,
  kinds: BuiltTools['kinds'],
  has: (tool: string) => boolean,
): ToolDefinition {
  const found = new Set(Object.entries(kinds).flatMap(([tool, kind]) => (has(tool) ? [kind] : [])));
  if (found.size === 0) return advert;
  return { ...advert, description: advert.description.replace(/\.$/, `: ${[...found].join(', ')}.`) };
}
