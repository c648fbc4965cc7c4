import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The programs of the servers that are found by themselves: all that the start of a run looks for, so that a run without any loads
 * nothing of them. A test holds them against the table of servers. `tsc` is one from TypeScript 7 on.
 */
export const languagePrograms: readonly string[] = [
  ...['tsc', 'typescript-language-server', 'pyright-langserver', 'basedpyright-langserver', 'pylsp', 'gopls'],
  ...['rust-analyzer', 'clangd', 'vscode-json-language-server', 'vscode-css-language-server'],
  ...['vscode-html-language-server', 'yaml-language-server', 'bash-language-server', 'svelteserver'],
  ...[
    'intelephense',
    'ruby-lsp',
    'solargraph',
    'jdtls',
    'kotlin-language-server',
    'lua-language-server',
    'zls',
  ],
  ...['sourcekit-lsp', 'elixir-ls', 'haskell-language-server-wrapper', 'terraform-ls'],
];

/** Whether a program of some language server lies on PATH, in the checkout, or may be put there by a set-up: that is looked at more closely then. */
export function mayHaveLanguageServer(run: {
  readonly root: string;
  readonly path: string | undefined;
  readonly setUp: boolean;
}): boolean {
  if (run.setUp) return true;
  const onPath = (run.path ?? '').split(':').filter((folder) => folder.startsWith('/'));
  const folders = [path.join(run.root, 'node_modules', '.bin'), ...onPath].filter(existsSync);
  return folders.some((folder) => languagePrograms.some((program) => existsSync(path.join(folder, program))));
}
