import { broughtAliases } from '../../tools/registry/brought-aliases.ts';

const web =
  'The web is not open to this run, as tools.web names no hosts that it may read; go on without it.';
const search =
  'This run cannot search the web: tools.web opens that, with the key of a backend; go on without it.';
const language = 'No language server was found for this checkout; use code_search and grep.';
const meaning =
  'Nothing here searches by meaning: tools.semanticSearch.model names no model; use code_search and grep.';
const python = 'This run has no Python interpreter of its own; use bash.';
const agents =
  'This run may ask no agents elsewhere, as a2a.agents names none that it can; go on without them.';

/** Tools that are there only where something is configured or found. */
const reasons: Readonly<Record<string, string>> = {
  web_fetch: web,
  fetch: web,
  download: web,
  web_search: search,
  lsp: language,
  get_diagnostics: language,
  diagnostics: language,
  semantic_search: meaning,
  monty_python_repl: python,
  a2a_call: agents,
  a2a_discover: agents,
};

/** Why a tool that a run could have is not there, and what to do, by any of its names; null for a name that is none of these. */
export function notSetUp(name: string): string | null {
  const plain = name.toLowerCase();
  const known = Object.entries(broughtAliases).find(([, aliases]) =>
    Object.keys(aliases).some((alias) => alias.toLowerCase() === plain),
  );
  const own = known?.[0] ?? plain;
  return Object.hasOwn(reasons, own) ? (reasons[own] ?? null) : null;
}
