import { placeFile } from './place-files.ts';
import type { ServerSymbol } from './read-symbols.ts';
import { bearsName, namePartsOf } from './symbol-names.ts';

/** Symbols of the workspace that bear a name exactly (`Class.method`, `name`), with their files; what lies outside is left out. */
export function findNamed(
  symbols: readonly ServerSymbol[],
  asked: string,
  root: string,
): readonly { readonly symbol: ServerSymbol; readonly path: string }[] {
  const parts = namePartsOf(asked);
  return symbols.flatMap((symbol) => {
    // What a symbol of the workspace lies in is often told in one name.
    if (!bearsName({ name: symbol.name, within: symbol.within.flatMap(namePartsOf) }, parts)) return [];
    const path = symbol.uri === null ? null : placeFile(symbol.uri, root).path;
    return path === null ? [] : [{ symbol, path }];
  });
}
