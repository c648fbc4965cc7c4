import { ToolError } from '../../contract/errors.ts';
import { oneLine } from '../../tools/text/visible-text.ts';

/**
 * The parts of a name as models write it, the outermost first: `Class.method`, `module::name`,
 * `Class#method`.
 */
export const namePartsOf = (symbol: string): readonly string[] => symbol.split(/\.|::|#/);

/**
 * `Class.method` and `module::name` mean what their last part names. Throws `ToolError` where that
 * is no name, as in `Class.`.
 */
export function lastName(symbol: string): string {
  const last = namePartsOf(symbol).at(-1) ?? '';
  // Nothing stands everywhere: who looks for it finds any place, or never ends.
  if (last.trim() !== '') return last;
  throw new ToolError(
    'invalid_input',
    `symbol has to end in a name, and "${oneLine(symbol, 80)}" does not. Give the name alone, or what it lies in before it: Class.method, module::name.`,
  );
}

/** A name as servers tell it, less its parameters: `greet` for `greet(int)` and for `greet<T>`. */
export const plainName = (name: string): string => name.replace(/[(<].*$/s, '');

/** True if a symbol has the last of `parts` as its name and lies in symbols with the others. */
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
