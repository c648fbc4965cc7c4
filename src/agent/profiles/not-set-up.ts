const web =
  'The web is not open to this run, as tools.web names no hosts that it may read; go on without it.';
const search =
  'This run cannot search the web: tools.web opens that, with the key of a backend; go on without it.';
const language = 'No language server was found for this checkout; use code_search and grep.';

/** Tools that are there only where something is configured or found, by every name they go by. */
const reasons: Readonly<Record<string, string>> = {
  web_fetch: web,
  webfetch: web,
  fetch: web,
  download: web,
  web_search: search,
  websearch: search,
  google_web_search: search,
  lsp: language,
  get_diagnostics: language,
  diagnostics: language,
};

/** Why a tool that a run could have is not there, and what to do; null for a name that is none of these. */
export function notSetUp(name: string): string | null {
  const plain = name.toLowerCase();
  return Object.hasOwn(reasons, plain) ? (reasons[plain] ?? null) : null;
}
