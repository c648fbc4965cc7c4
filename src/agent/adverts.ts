import type { Advert } from '../contract/advert.ts';
import type { Tool } from '../tools/tool.ts';
import { builtinProfiles, type Profile } from './profiles.ts';

/** The adverts of the built-in tools by name, in their order, put here by the build. */
declare const BUILT_ADVERTS: Readonly<Record<string, Advert>> | undefined;

/**
 * What the model is told of the tools of a run. A built program has the adverts of the built-in tools at hand, so
 * that the first request need not wait for the tools themselves; else they are made from the tools.
 */
export async function advertsFor(
  profile: Profile,
  disabled: readonly string[],
  registry: () => Promise<readonly Tool[]>,
): Promise<Advert[]> {
  // What is built knows the names only: good for a built-in profile as it is, whose deferred tools are searched for.
  const asBuilt = builtinProfiles.get(profile.name)?.allow === profile.allow && profile.within.length === 0;
  const plain = asBuilt && profile.deny.length === 0 && disabled.length === 0;
  if (typeof BUILT_ADVERTS !== 'undefined' && plain && profile.allow.includes('use_tool')) {
    return Object.entries(BUILT_ADVERTS).flatMap(([name, advert]) =>
      profile.allow.includes(name) ? [advert] : [],
    );
  }
  const [{ advertise, advertiseShort }, { isAdvertised, selectTools }] = await Promise.all([
    import('../tools/json-schema.ts'),
    import('./select-tools.ts'),
  ]);
  const tools = selectTools(await registry(), profile, disabled);
  return tools
    .filter((tool) => isAdvertised(tool, tools))
    .map(profile.schemas === 'short' ? advertiseShort : advertise);
}
