/**
 * Puts variables in where a text names them: `${NAME}`, `${NAME:-default}` and `{env:NAME}`. Returns a problem, a clause about the one
 * that names it, for a variable that is neither given nor has a default. Names of no variable stay as they are.
 */
export function expandVariables(
  text: string,
  variables: Readonly<Record<string, string>>,
): { readonly text: string } | { readonly problem: string } {
  let missing: string | null = null;
  const expanded = text.replaceAll(
    /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}|\{env:([A-Za-z_]\w*)\}/g,
    (_, named: string | undefined, fallback: string | undefined, own: string | undefined) => {
      const name = named ?? own ?? '';
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (value === undefined && fallback === undefined) missing ??= name;
      return value === undefined || (value === '' && fallback !== undefined) ? (fallback ?? '') : value;
    },
  );
  return missing === null
    ? { text: expanded }
    : { problem: `names the variable ${missing}, which it is not given` };
}
