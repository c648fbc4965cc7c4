import type { Advert } from '../contract/advert.ts';
import type { Tool } from '../tools/tool.ts';
import type { Profile } from './profiles.ts';

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
  if (typeof BUILT_ADVERTS !== 'undefined' && disabled.length === 0) {
    return Object.entries(BUILT_ADVERTS).flatMap(([name, advert]) =>
      profile.tools.includes(name) ? [advert] : [],
    );
  }
  const [{ advertise }, { makeToolSet }] = await Promise.all([
    import('../tools/json-schema.ts'),
    import('./tool-set.ts'),
  ]);
  const { tools } = makeToolSet(await registry(), profile, disabled);
  return tools.filter((tool) => tool.exposure === undefined).map(advertise);
}
