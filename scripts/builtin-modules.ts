import { isBuiltin } from 'node:module';

/** An import of one of Node's modules, as esbuild writes it. */
const statement =
  /(?<=^|[;}\n])import((?:[\w$]+,)?\{[^{}"]*\}|\*as [\w$]+ | [\w$]+(?:,\{[^{}"]*\}| ))from"([\w:/]+)";/g;

/**
 * Has a bundled script take Node's own modules from `process.getBuiltinModule`. For an `import` of
 * one Node makes a namespace and reads every export for it, and many are getters that load what
 * they stand for: of `node:util` alone it starts the differ, which asks whether standard error has
 * colours and so opens it. Together that is a tenth of what a run takes to its first request.
 *
 * `expected` is how many such imports the script has by esbuild's account. Throws where another
 * number was found.
 */
export function takeBuiltins(script: string, expected: number): string {
  const taken: string[] = [];
  let found = 0;
  const rest = script.replace(statement, (whole, clause: string, name: string) => {
    if (!isBuiltin(name)) return whole;
    found += 1;
    taken.push(...bindings(clause.trim(), `process.getBuiltinModule("${name}")`));
    return '';
  });
  if (found !== expected)
    throw new Error(`${found} of ${expected} imports of Node's modules were read in a bundled script`);
  if (taken.length === 0) return rest;
  // Imports come before all else wherever they stand, and so do these; only the line that names the
  // interpreter stays above.
  const [, first = '', others] = /^(#!.*\n)?([\s\S]*)$/.exec(rest) ?? [];
  return `${first}const ${taken.join(',')};${others}`;
}

/** What an import clause binds, as declarations: `{a as b}`, `*as all`, `whole`, `whole,{a}`. */
function bindings(clause: string, module: string): string[] {
  const [, whole, braces] = /^(?:\*as )?([\w$]+)?,?(\{.*\})?$/s.exec(clause) ?? [];
  const named = braces?.replace(/([\w$]+) as ([\w$]+)/g, '$1:$2');
  return [whole, named].filter((target) => target !== undefined).map((target) => `${target}=${module}`);
}
