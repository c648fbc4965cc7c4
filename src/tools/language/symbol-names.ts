/** The parts of a name as models write it, the outermost first: `Class.method`, `module::name`, `Class#method`. */
export const namePartsOf = (symbol: string): readonly string[] => symbol.split(/\.|::|#/);

/** `Class.method` and `module::name` mean what their last part names. */
export const lastName = (symbol: string): string => namePartsOf(symbol).at(-1) ?? symbol;

/** A name as servers tell it, less its parameters: `greet` for `greet(int)` and for `greet<T>`. */
export const plainName = (name: string): string => name.replace(/[(<].*$/s, '');

/** Whether a symbol bears the last of `parts`, and lies in symbols that bear the others, as many as are given. */
export function bearsName(
  { name, within }: { readonly name: string; readonly within: readonly string[] },
  parts: readonly string[],
): boolean {
  const outer = parts.slice(0, -1);
  return (
    plainName(name) === parts.at(-1) &&
    outer.every((part, index) => plainName(within.at(index - outer.length) ?? '') === part)
  );
}
