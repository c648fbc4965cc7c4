/** Variables that say where interpreters find code, and what they run first. */
const codeVariable =
  /^(?:PATH|NODE_(?:OPTIONS|PATH)|PYTHON(?:PATH|HOME|STARTUP|USERBASE)|RUBY(?:LIB|OPT)|GEM_(?:HOME|PATH)|PERL5?(?:LIB|OPT)|BASH_ENV|ENV|CLASSPATH|JAVA_TOOL_OPTIONS|LD_(?:PRELOAD|LIBRARY_PATH|AUDIT)|LUA_(?:C?PATH|INIT)|VIRTUAL_ENV|npm_config_\w+)$/i;

/** An option with code as its value: `--import=/…/hook.mjs`. */
const codeOption = /^-[^=]*=.*\.(?:[cm]?[jt]sx?|py|rb|php|pl|sh|bash|lua|jar|so)$/i;

/**
 * What leads a server to code in the checkout besides its program and the words that are files of it, in words for a sentence; null where
 * nothing does, as far as that can be told. `words` and `variables` are as it is started with them.
 */
export function codeFromCheckout(
  root: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): string | null {
  const option = words.find((word) => codeOption.test(word) && word.includes(`=${root}/`));
  if (option !== undefined) return `what ${option} names`;
  const named = Object.entries(variables).find(
    ([name, value]) => codeVariable.test(name) && (value.includes(`${root}/`) || value.endsWith(root)),
  );
  return named === undefined ? null : `what ${named[0]} leads to`;
}
