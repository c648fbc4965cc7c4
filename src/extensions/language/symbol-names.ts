import { invalidInput } from '../../contract/errors.ts';
import { visibleLine } from '../../tools/text/visible-text.ts';

/** The parts of a name, the outermost first: `Class.method`, `module::name`, `Class#method`. */
export const namePartsOf = (symbol: string): readonly string[] => symbol.split(/\.|::|#/);

/** The last part of a name. Throws `ToolError` if there is none, as in `Class.`. */
export function lastName(symbol: string): string {
  const last = namePartsOf(symbol).at(-1) ?? '';
  // An empty name would match everywhere.
  if (last.trim() !== '') return last;
  throw invalidInput(
    `symbol must end with a name, and "${visibleLine(symbol, 80)}" does not. Give the name alone, or with its container: Class.method, module::name.`,
  );
}

/** A name without its parameters: `greet` for `greet(int)` and for `greet<T>`. */
export const plainName = (name: string): string => name.replace(/[(<].*$/s, '');

/** True if a symbol has the last of `parts` as its name and lies in symbols with the others. */
export function hasName(
  { name, within }: { readonly name: string; readonly within: readonly string[] },
  parts: readonly string[],
): boolean {
  const outer = parts.slice(0, -1);
  return (
    plainName(name) === parts.at(-1) &&
    outer.every((part, index) => plainName(within.at(index - outer.length) ?? '') === part)
  );
}
