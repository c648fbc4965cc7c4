/**
 * Puts variables in where a text names them: `${NAME}`, `${NAME:-default}` and `{env:NAME}`. Names
 * of no variable stay as they are. With the first that is neither given nor has a default as
 * `missing`.
 */
export function expandVariables(
  text: string,
  variables: Readonly<Record<string, string>>,
): { readonly text: string } | { readonly missing: string } {
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
  return missing === null ? { text: expanded } : { missing };
}

/**
 * The same for texts by name, such as headers, of what `env.pass` calls `holder`. A problem is a
 * clause: which of them, called `what`, names a variable that is missing, and what to do.
 */
export function expandAll(
  texts: Readonly<Record<string, string>>,
  what: string,
  { holder, variables }: { readonly holder: string; readonly variables: Readonly<Record<string, string>> },
): { readonly texts: Readonly<Record<string, string>> } | { readonly problem: string } {
  const expanded: [string, string][] = [];
  for (const [key, text] of Object.entries(texts)) {
    const one = expandVariables(text, variables);
    if ('missing' in one)
      return {
        problem: `its ${what} ${key} names the variable ${one.missing}, which it is not given (env.pass: { '${holder}': [${one.missing}] }) or which is not set`,
      };
    expanded.push([key, one.text]);
  }
  return { texts: Object.fromEntries(expanded) };
}
