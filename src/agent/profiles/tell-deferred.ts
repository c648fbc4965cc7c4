import type { Advert } from '../../contract/message.ts';
import { toolKinds } from '../../tools/text/tool-kinds.ts';

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
