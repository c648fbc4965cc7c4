import { isBuiltin } from 'node:module';

/** An import of one of Node's modules, as esbuild writes it. */
const statement =
  /(?<=^|[;}\n])import((?:[\w$]+,)?\{[^{}"]*\}|\*as [\w$]+ | [\w$]+(?:,\{[^{}"]*\}| ))from"([\w:/]+)";/g;

/**
 * Has a bundled script take Node's own modules from `process.getBuiltinModule`. An `import` of one
 * makes Node create a namespace and read every export. Many exports are getters that load a module:
 * `node:util` alone starts the differ, which checks whether standard error has colours and so opens
 * it. Together that is a tenth of a run's time to its first request.
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
  // Imports run first at any position, and so do these; only the interpreter line stays above.
  const [, first = '', others] = /^(#!.*\n)?([\s\S]*)$/.exec(rest) ?? [];
  return `${first}const ${taken.join(',')};${others}`;
}

/**
 * The names that an import clause binds, as declarations: `{a as b}`, `*as all`, `whole`,
 * `whole,{a}`.
 */
function bindings(clause: string, module: string): string[] {
  const [, whole, braces] = /^(?:\*as )?([\w$]+)?,?(\{.*\})?$/s.exec(clause) ?? [];
  const named = braces?.replace(/([\w$]+) as ([\w$]+)/g, '$1:$2');
  return [whole, named].filter((target) => target !== undefined).map((target) => `${target}=${module}`);
}
