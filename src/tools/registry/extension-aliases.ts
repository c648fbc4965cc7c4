/** Other harnesses' names of tools that only some runs have; they can be disabled by these too. */
export const extensionAliases = {
  web_search: { WebSearch: {}, google_web_search: {} },
  web_fetch: { WebFetch: {}, webfetch: {} },
  monty_python_repl: { python_repl: {} },
} as const;
