import { isJsonObject } from '../../contract/json.ts';
import type { Advert } from '../../contract/message.ts';
import type { ExternalTools } from '../../tools/registry/load-external-tools.ts';
import { toolKinds } from '../../tools/text/tool-kinds.ts';
import type { Tool } from '../../tools/tool.ts';
import { builtinProfiles, type Profile } from './profiles.ts';
import { hasTool, noThread } from './tool-filters.ts';

/** The adverts of the built-in tools by name, in their order. */
type BuiltAdverts = Readonly<Record<string, Advert>>;

/** Put here by the build. */
declare const BUILT_ADVERTS: BuiltAdverts | undefined;

/**
 * Returns the tool definitions of a run. A built program has those of the built-in tools at hand,
 * so the first request does not wait for the tools. Otherwise they are made from the tools.
 */
export async function advertsFor(
  profile: Profile,
  disabled: readonly string[],
  registry: () => Promise<readonly Tool[]>,
  external: ExternalTools | null = null,
  built: BuiltAdverts | null = typeof BUILT_ADVERTS === 'undefined' ? null : BUILT_ADVERTS,
): Promise<Advert[]> {
  if (built !== null && disabled.length === 0 && isAsBuilt(profile)) {
    const told = Object.entries(built).flatMap(([name, advert]) =>
      profile.allow.includes(name) ? [advert] : [],
    );
    return fitAdverts(told, hasTool(profile));
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
  return fitAdverts(told, (name) => tools.some((tool) => tool.name === name));
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
export function fitAdverts(adverts: readonly Advert[], has: (tool: string) => boolean): Advert[] {
  const told = tellDeferred(adverts, has);
  // Nothing could read what runs in the background, or end it.
  return has('shell_session') ? told : told.map(withoutBackground);
}

function withoutBackground(advert: Advert): Advert {
  const { properties } = advert.input_schema;
  if (advert.name !== 'bash' || properties === undefined || !isJsonObject(properties)) return advert;
  const { run_in_background: _, ...rest } = properties;
  return { ...advert, input_schema: { ...advert.input_schema, properties: rest } };
}

/**
 * Adds the deferred tools of the run to the definition of `tool_search`, so that no search is in
 * vain. `has` takes canonical names.
 */
export function tellDeferred(adverts: readonly Advert[], has: (tool: string) => boolean): Advert[] {
  return adverts.map((advert) => {
    if (advert.name !== 'tool_search') return advert;
    const found = toolKinds.flatMap(({ words, tools }) => (tools.some(has) ? [words] : []));
    return found.length === 0
      ? advert
      : { ...advert, description: advert.description.replace(/\.$/, `: ${found.join(', ')}.`) };
  });
}
