import type { LanguageServerEntry } from './server-entry.ts';

const typescript = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'typescriptreact',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.jsx': 'javascriptreact',
};

const inModules = (program: string): string => `node_modules/.bin/${program}`;

/** A server that a package of npm brings. */
const fromNpm = (npm: string, program: string, ...args: string[]) => ({
  npm,
  command: [program, ...args] as const,
  inCheckout: inModules(program),
});

const cLike = {
  '.c': 'c',
  '.h': 'c',
  '.cc': 'cpp',
  '.cpp': 'cpp',
  '.cxx': 'cpp',
  '.hh': 'cpp',
  '.hpp': 'cpp',
  '.m': 'objective-c',
  '.mm': 'objective-cpp',
};

/** The detected servers. For one kind of file the first that is installed is used. */
export const languageServers: readonly LanguageServerEntry[] = [
  {
    name: 'typescript',
    ...fromNpm('typescript', 'tsc', '--lsp', '--stdio'),
    since: 7,
    languages: typescript,
    markers: ['tsconfig.json', 'jsconfig.json', 'package.json'],
    // It has no plug-ins and only reads.
    runsCheckout: false,
  },
  {
    name: 'typescript-language-server',
    ...fromNpm('typescript-language-server', 'typescript-language-server', '--stdio'),
    languages: typescript,
    markers: ['tsconfig.json', 'jsconfig.json', 'package.json'],
    // It runs the checkout's own TypeScript, and the plug-ins that tsconfig.json names.
    runsCheckout: true,
    tsserver: true,
    initializationOptions: {
      disableAutomaticTypingAcquisition: true,
      // Else the first answers come from one file alone.
      tsserver: { useSyntaxServer: 'never' },
    },
  },
  {
    name: 'pyright',
    ...fromNpm('pyright', 'pyright-langserver', '--stdio'),
    languages: { '.py': 'python', '.pyi': 'python' },
    markers: ['pyproject.toml', 'pyrightconfig.json', 'setup.py', 'setup.cfg', 'requirements.txt'],
    // It asks the interpreter that its configuration names where packages lie.
    runsCheckout: true,
    settings: { python: { analysis: { autoSearchPaths: true, diagnosticMode: 'openFilesOnly' } } },
  },
  {
    name: 'basedpyright',
    ...fromNpm('basedpyright', 'basedpyright-langserver', '--stdio'),
    languages: { '.py': 'python', '.pyi': 'python' },
    markers: ['pyproject.toml', 'pyrightconfig.json', 'setup.py', 'setup.cfg', 'requirements.txt'],
    runsCheckout: true,
    settings: { basedpyright: { analysis: { diagnosticMode: 'openFilesOnly' } } },
  },
  {
    name: 'pylsp',
    command: ['pylsp'],
    languages: { '.py': 'python', '.pyi': 'python' },
    markers: ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt'],
    runsCheckout: true,
  },
  {
    name: 'gopls',
    indexesAll: true,
    command: ['gopls'],
    languages: { '.go': 'go', 'go.mod': 'go.mod', 'go.work': 'go.work' },
    markers: ['go.work', 'go.mod'],
    runsCheckout: true,
    env: { GOFLAGS: '-mod=readonly', GOPROXY: 'off', GOTOOLCHAIN: 'local' },
  },
  {
    name: 'rust-analyzer',
    indexesAll: true,
    command: ['rust-analyzer'],
    languages: { '.rs': 'rust' },
    markers: ['Cargo.toml', 'rust-project.json'],
    runsCheckout: true,
    env: { CARGO_NET_OFFLINE: 'true', CARGO_TARGET_DIR: '/tmp/cargo-target' },
    initializationOptions: { cargo: { extraEnv: { CARGO_NET_OFFLINE: 'true' } } },
  },
  {
    name: 'clangd',
    command: ['clangd', '--background-index=false'],
    languages: cLike,
    markers: ['compile_commands.json', 'compile_flags.txt', '.clangd', 'CMakeLists.txt'],
    runsCheckout: false,
  },
  {
    name: 'vscode-json',
    ...fromNpm('vscode-langservers-extracted', 'vscode-json-language-server', '--stdio'),
    languages: { '.json': 'json', '.jsonc': 'jsonc' },
    markers: ['package.json'],
    runsCheckout: false,
    initializationOptions: { provideFormatter: false, handledSchemaProtocols: [] },
    settings: { json: { validate: { enable: true } } },
  },
  {
    name: 'vscode-css',
    ...fromNpm('vscode-langservers-extracted', 'vscode-css-language-server', '--stdio'),
    languages: { '.css': 'css', '.scss': 'scss', '.less': 'less' },
    markers: ['package.json'],
    runsCheckout: false,
    initializationOptions: { provideFormatter: false },
    settings: {
      css: { validate: true, lint: {} },
      scss: { validate: true, lint: {} },
      less: { validate: true, lint: {} },
    },
  },
  {
    name: 'vscode-html',
    ...fromNpm('vscode-langservers-extracted', 'vscode-html-language-server', '--stdio'),
    languages: { '.html': 'html', '.htm': 'html' },
    markers: ['package.json'],
    runsCheckout: false,
    initializationOptions: { provideFormatter: false, embeddedLanguages: { css: true, javascript: true } },
    settings: { html: { validate: { scripts: true, styles: true } }, css: { lint: {} }, javascript: {} },
  },
  {
    name: 'yaml-language-server',
    ...fromNpm('yaml-language-server', 'yaml-language-server', '--stdio'),
    languages: { '.yaml': 'yaml', '.yml': 'yaml' },
    markers: [],
    runsCheckout: false,
    settings: { yaml: { schemaStore: { enable: false } } },
  },
  {
    name: 'bash-language-server',
    ...fromNpm('bash-language-server', 'bash-language-server', 'start'),
    languages: { '.sh': 'shellscript', '.bash': 'shellscript' },
    markers: [],
    runsCheckout: false,
  },
  {
    name: 'svelte',
    ...fromNpm('svelte-language-server', 'svelteserver', '--stdio'),
    languages: { '.svelte': 'svelte' },
    markers: ['svelte.config.js', 'package.json'],
    runsCheckout: true,
  },
  {
    name: 'intelephense',
    ...fromNpm('intelephense', 'intelephense', '--stdio'),
    languages: { '.php': 'php' },
    markers: ['composer.json'],
    runsCheckout: false,
    initializationOptions: { storagePath: '/tmp/intelephense' },
  },
  {
    name: 'ruby-lsp',
    command: ['ruby-lsp'],
    languages: { '.rb': 'ruby', '.rake': 'ruby', Gemfile: 'ruby', Rakefile: 'ruby' },
    markers: ['Gemfile'],
    runsCheckout: true,
  },
  {
    name: 'solargraph',
    command: ['solargraph', 'stdio'],
    languages: { '.rb': 'ruby', '.rake': 'ruby', Gemfile: 'ruby', Rakefile: 'ruby' },
    markers: ['Gemfile'],
    runsCheckout: true,
  },
  {
    name: 'jdtls',
    indexesAll: true,
    command: ['jdtls', '-data', '/tmp/jdtls'],
    languages: { '.java': 'java' },
    markers: ['pom.xml', 'build.gradle', 'build.gradle.kts', 'settings.gradle'],
    runsCheckout: true,
  },
  {
    name: 'kotlin-language-server',
    command: ['kotlin-language-server'],
    languages: { '.kt': 'kotlin', '.kts': 'kotlin' },
    markers: ['build.gradle.kts', 'build.gradle', 'pom.xml'],
    runsCheckout: true,
  },
  {
    name: 'lua-language-server',
    command: ['lua-language-server'],
    languages: { '.lua': 'lua' },
    markers: ['.luarc.json'],
    runsCheckout: true,
  },
  {
    name: 'zls',
    command: ['zls'],
    languages: { '.zig': 'zig', '.zon': 'zig' },
    markers: ['build.zig'],
    runsCheckout: true,
  },
  {
    name: 'sourcekit-lsp',
    indexesAll: true,
    command: ['sourcekit-lsp'],
    languages: { '.swift': 'swift' },
    markers: ['Package.swift'],
    runsCheckout: true,
  },
  {
    name: 'elixir-ls',
    command: ['elixir-ls'],
    languages: { '.ex': 'elixir', '.exs': 'elixir' },
    markers: ['mix.exs'],
    runsCheckout: true,
  },
  {
    name: 'haskell-language-server',
    indexesAll: true,
    command: ['haskell-language-server-wrapper', '--lsp'],
    languages: { '.hs': 'haskell', '.lhs': 'haskell' },
    markers: ['cabal.project', 'stack.yaml', 'package.yaml'],
    runsCheckout: true,
  },
  {
    name: 'terraform-ls',
    command: ['terraform-ls', 'serve'],
    languages: { '.tf': 'terraform', '.tfvars': 'terraform-vars' },
    markers: ['.terraform'],
    runsCheckout: true,
  },
];
