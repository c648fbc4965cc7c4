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
 * What the model is told of the tools of a run. A built program has the adverts of the built-in tools at hand, so
 * that the first request need not wait for the tools themselves; else they are made from the tools.
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
    // Where nothing leads to them, the first request has to tell of all there are.
    await external.loaded;
    tools = selectTools([...builtin, ...external.current()], profile, disabled);
  }
  const told = tools
    .filter((tool) => isAdvertised(tool, tools))
    .map(profile.schemas === 'short' ? advertiseShort : advertise);
  return fitAdverts(told, (name) => tools.some((tool) => tool.name === name));
}

/**
 * Whether the names a profile allows say all of its tools, as with a built-in one as it is: what is built knows neither the
 * levels of tools nor those that are searched for.
 */
export function isAsBuilt(profile: Profile): boolean {
  const builtin = builtinProfiles.get(profile.name);
  return (
    builtin !== undefined &&
    profile.allow === builtin.allow &&
    profile.readOnly === builtin.readOnly &&
    profile.deny.length === 0 &&
    // What this takes away is no tool that the build tells of.
    profile.within.every((filter) => filter === noThread) &&
    profile.allow.includes('use_tool')
  );
}

/**
 * The adverts as they are true of one run, made from what each tool says of itself by nothing but the tools that the run has, so that
 * they stay the same from its first request to its last. `has` knows tools by their canonical names.
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
 * The adverts, with that of `tool_search` naming what the run has that it was not told of, so that nobody searches for what
 * is not there. `has` knows tools by their canonical names.
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
