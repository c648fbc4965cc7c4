/**
 * Expands `${NAME}`, `${NAME:-default}` and `{env:NAME}` in a text. `missing` is the first name
 * without a value or a default.
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
 * Expands several texts, such as headers, for the `env.pass` entry `holder`. A problem is a clause
 * that names the text, called `what`, and the missing variable.
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
