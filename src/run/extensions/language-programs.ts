import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findGit } from '../../workspace/git/git-layout.ts';

const typescript = '.ts .mts .cts .tsx .js .mjs .cjs .jsx';
const python = '.py .pyi';
const ruby = '.rb .rake Gemfile Rakefile';

/**
 * The programs of the servers that are found by themselves, and how the names of their files end: all that the start of a run looks
 * for, so that a run without any loads nothing of them. A test holds them against the table of servers. `tsc` is one from TypeScript 7 on.
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

/** Whether a server for a file of the checkout may lie on PATH or in the checkout, or be put there by a set-up. Starts nothing. */
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

/** Whether a checkout holds a file whose name ends so: by the names in git's index, which end with a NUL byte, and those at the top. */
function holdsFileOf(root: string, endings: readonly string[]): boolean {
  try {
    if (readdirSync(root).some((name) => endings.some((ending) => name.endsWith(ending)))) return true;
    const layout = findGit(root);
    const index = layout === null ? null : readFileSync(path.join(layout.directory, 'index'));
    return index === null || endings.some((ending) => index.includes(`${ending}\0`));
  } catch {
    // It is looked at more closely then.
    return true;
  }
}
