import type { Json } from '../../contract/json.ts';

/** Whether a value from elsewhere has at most so many parts, nested at most so deep: others break what goes through them. */
export function isBoundedJson(
  value: Json,
  most: { readonly parts: number; readonly depth: number },
): boolean {
  let level: Json[] = [value];
  let parts = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most.depth) return false;
    const below: Json[] = [];
    for (const one of level) {
      parts += 1;
      if (parts > most.parts) return false;
      if (typeof one !== 'object' || one === null) continue;
      for (const inner of Object.values(one)) below.push(inner);
    }
    level = below;
  }
  return true;
}
