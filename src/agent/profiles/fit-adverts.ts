import { isJsonObject } from '../../contract/json.ts';
import type { Advert } from '../../contract/message.ts';
import { tellDeferred } from './tell-deferred.ts';

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
