import { placeFile } from './place-files.ts';
import type { ServerSymbol } from './read-symbols.ts';

/** Symbols of the workspace that bear a name exactly (`Class.method`, `name`), with their files; what lies outside is left out. */
export function findNamed(
  symbols: readonly ServerSymbol[],
  asked: string,
  root: string,
): readonly { readonly symbol: ServerSymbol; readonly path: string }[] {
  const names = asked.split(/\.|::|#/);
  const outer = names.slice(0, -1);
  const plain = (name: string) => name.replace(/[(<].*$/s, '');
  return symbols.flatMap((symbol) => {
    if (plain(symbol.name) !== names.at(-1)) return [];
    const within = symbol.within.flatMap((name) => name.split(/\.|::|#/));
    if (!outer.every((name, index) => plain(within.at(index - outer.length) ?? '') === name)) return [];
    const path = symbol.uri === null ? null : placeFile(symbol.uri, root).path;
    return path === null ? [] : [{ symbol, path }];
  });
}
