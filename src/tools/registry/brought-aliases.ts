/** What models trained elsewhere call tools that only some runs have, which are disabled and missed by these names too. */
export const broughtAliases = {
  web_search: { WebSearch: {}, google_web_search: {} },
  web_fetch: { WebFetch: {}, webfetch: {} },
  monty_python_repl: { python_repl: {} },
} as const;
