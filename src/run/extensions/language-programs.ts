import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findGit } from '../../workspace/git/git-layout.ts';

const typescript = '.ts .mts .cts .tsx .js .mjs .cjs .jsx';
const python = '.py .pyi';
const ruby = '.rb .rake Gemfile Rakefile';

/**
 * Programs of the detected servers, with the endings of their files. The start of a run needs no
 * more, so a run without servers loads nothing else. A test compares this with the table of
 * servers. `tsc` is a server from TypeScript 7 on.
 */
export const languagePrograms: Readonly<Record<string, string>> = {
  tsc: typescript,
  'typescript-language-server': typescript,
  'pyright-langserver': python,
  'basedpyright-langserver': python,
  pylsp: python,
  gopls: '.go go.mod go.work',
  'rust-analyzer': '.rs',
  clangd: '.c .h .cc .cpp .cxx .hh .hpp .m .mm',
  'vscode-json-language-server': '.json .jsonc',
  'vscode-css-language-server': '.css .scss .less',
  'vscode-html-language-server': '.html .htm',
  'yaml-language-server': '.yaml .yml',
  'bash-language-server': '.sh .bash',
  svelteserver: '.svelte',
  intelephense: '.php',
  'ruby-lsp': ruby,
  solargraph: ruby,
  jdtls: '.java',
  'kotlin-language-server': '.kt .kts',
  'lua-language-server': '.lua',
  zls: '.zig .zon',
  'sourcekit-lsp': '.swift',
  'elixir-ls': '.ex .exs',
  'haskell-language-server-wrapper': '.hs .lhs',
  'terraform-ls': '.tf .tfvars',
};

/**
 * True if a server for a file of the checkout may be installed, or may be after a set-up. Starts
 * nothing.
 */
export function mayHaveLanguageServer(run: {
  readonly root: string;
  readonly path: string | undefined;
  readonly setUp: boolean;
}): boolean {
  const onPath = (run.path ?? '').split(':').filter((folder) => folder.startsWith('/'));
  const folders = [path.join(run.root, 'node_modules', '.bin'), ...onPath].filter((folder) =>
    existsSync(folder),
  );
  const there = Object.keys(languagePrograms).filter((program) =>
    folders.some((folder) => existsSync(path.join(folder, program))),
  );
  if (!run.setUp && there.length === 0) return false;
  const endings = run.setUp
    ? Object.values(languagePrograms)
    : there.map((program) => languagePrograms[program]);
  return holdsFileOf(run.root, [...new Set(endings.flatMap((list) => list?.split(' ') ?? []))]);
}

/**
 * True if a checkout has a file with one of some endings, by git's index and the top folder. Names
 * in the index end with a NUL byte.
 */
function holdsFileOf(root: string, endings: readonly string[]): boolean {
  try {
    if (readdirSync(root).some((name) => endings.some((ending) => name.endsWith(ending)))) return true;
    const layout = findGit(root);
    const index = layout === null ? null : readFileSync(path.join(layout.directory, 'index'));
    return index === null || endings.some((ending) => index.includes(`${ending}\0`));
  } catch {
    // The source looks more closely.
    return true;
  }
}
