import { expect, test } from 'vitest';
import { languageServers } from '../../../src/extensions/language/server-table.ts';

/** One server a line: how it is started, its files by the language they are in, where its projects begin, and the rest. */
const lines = languageServers.map(({ name, command, languages, markers, ...rest }) =>
  [
    `${name}: ${command.join(' ')}`,
    Object.entries(languages)
      .map(([file, language]) => `${file} ${language}`)
      .join(', '),
    markers.join(' '),
    JSON.stringify(rest),
  ].join(' | '),
);

const ts =
  '.ts typescript, .mts typescript, .cts typescript, .tsx typescriptreact, .js javascript, .mjs javascript, .cjs javascript, .jsx javascriptreact';
const python = '.py python, .pyi python';
const pyright = 'pyproject.toml pyrightconfig.json setup.py setup.cfg requirements.txt';
const ruby = '.rb ruby, .rake ruby, Gemfile ruby, Rakefile ruby';

test('the servers that are found automatically, in the order of preference', () => {
  expect(lines).toEqual([
    `typescript: tsc --lsp --stdio | ${ts} | tsconfig.json jsconfig.json package.json | {"npm":"typescript","inCheckout":"node_modules/.bin/tsc","since":7,"runsCheckout":false}`,
    `typescript-language-server: typescript-language-server --stdio | ${ts} | tsconfig.json jsconfig.json package.json | {"npm":"typescript-language-server","inCheckout":"node_modules/.bin/typescript-language-server","runsCheckout":true,"tsserver":true,"initializationOptions":{"disableAutomaticTypingAcquisition":true,"tsserver":{"useSyntaxServer":"never"}}}`,
    `pyright: pyright-langserver --stdio | ${python} | ${pyright} | {"npm":"pyright","inCheckout":"node_modules/.bin/pyright-langserver","runsCheckout":true,"settings":{"python":{"analysis":{"autoSearchPaths":true,"diagnosticMode":"openFilesOnly"}}}}`,
    `basedpyright: basedpyright-langserver --stdio | ${python} | ${pyright} | {"npm":"basedpyright","inCheckout":"node_modules/.bin/basedpyright-langserver","runsCheckout":true,"settings":{"basedpyright":{"analysis":{"diagnosticMode":"openFilesOnly"}}}}`,
    `pylsp: pylsp | ${python} | pyproject.toml setup.py setup.cfg requirements.txt | {"runsCheckout":true}`,
    'gopls: gopls | .go go, go.mod go.mod, go.work go.work | go.work go.mod | {"indexesAll":true,"runsCheckout":true,"env":{"GOFLAGS":"-mod=readonly","GOPROXY":"off","GOTOOLCHAIN":"local"}}',
    'rust-analyzer: rust-analyzer | .rs rust | Cargo.toml rust-project.json | {"indexesAll":true,"runsCheckout":true,"env":{"CARGO_NET_OFFLINE":"true","CARGO_TARGET_DIR":"/tmp/cargo-target"},"initializationOptions":{"cargo":{"extraEnv":{"CARGO_NET_OFFLINE":"true"}}}}',
    'clangd: clangd --background-index=false | .c c, .h c, .cc cpp, .cpp cpp, .cxx cpp, .hh cpp, .hpp cpp, .m objective-c, .mm objective-cpp | compile_commands.json compile_flags.txt .clangd CMakeLists.txt | {"runsCheckout":false}',
    'vscode-json: vscode-json-language-server --stdio | .json json, .jsonc jsonc | package.json | {"npm":"vscode-langservers-extracted","inCheckout":"node_modules/.bin/vscode-json-language-server","runsCheckout":false,"initializationOptions":{"provideFormatter":false,"handledSchemaProtocols":[]},"settings":{"json":{"validate":{"enable":true}}}}',
    'vscode-css: vscode-css-language-server --stdio | .css css, .scss scss, .less less | package.json | {"npm":"vscode-langservers-extracted","inCheckout":"node_modules/.bin/vscode-css-language-server","runsCheckout":false,"initializationOptions":{"provideFormatter":false},"settings":{"css":{"validate":true,"lint":{}},"scss":{"validate":true,"lint":{}},"less":{"validate":true,"lint":{}}}}',
    'vscode-html: vscode-html-language-server --stdio | .html html, .htm html | package.json | {"npm":"vscode-langservers-extracted","inCheckout":"node_modules/.bin/vscode-html-language-server","runsCheckout":false,"initializationOptions":{"provideFormatter":false,"embeddedLanguages":{"css":true,"javascript":true}},"settings":{"html":{"validate":{"scripts":true,"styles":true}},"css":{"lint":{}},"javascript":{}}}',
    'yaml-language-server: yaml-language-server --stdio | .yaml yaml, .yml yaml |  | {"npm":"yaml-language-server","inCheckout":"node_modules/.bin/yaml-language-server","runsCheckout":false,"settings":{"yaml":{"schemaStore":{"enable":false}}}}',
    'bash-language-server: bash-language-server start | .sh shellscript, .bash shellscript |  | {"npm":"bash-language-server","inCheckout":"node_modules/.bin/bash-language-server","runsCheckout":false}',
    'svelte: svelteserver --stdio | .svelte svelte | svelte.config.js package.json | {"npm":"svelte-language-server","inCheckout":"node_modules/.bin/svelteserver","runsCheckout":true}',
    'intelephense: intelephense --stdio | .php php | composer.json | {"npm":"intelephense","inCheckout":"node_modules/.bin/intelephense","runsCheckout":false,"initializationOptions":{"storagePath":"/tmp/intelephense"}}',
    `ruby-lsp: ruby-lsp | ${ruby} | Gemfile | {"runsCheckout":true}`,
    `solargraph: solargraph stdio | ${ruby} | Gemfile | {"runsCheckout":true}`,
    'jdtls: jdtls -data /tmp/jdtls | .java java | pom.xml build.gradle build.gradle.kts settings.gradle | {"indexesAll":true,"runsCheckout":true}',
    'kotlin-language-server: kotlin-language-server | .kt kotlin, .kts kotlin | build.gradle.kts build.gradle pom.xml | {"runsCheckout":true}',
    'lua-language-server: lua-language-server | .lua lua | .luarc.json | {"runsCheckout":true}',
    'zls: zls | .zig zig, .zon zig | build.zig | {"runsCheckout":true}',
    'sourcekit-lsp: sourcekit-lsp | .swift swift | Package.swift | {"indexesAll":true,"runsCheckout":true}',
    'elixir-ls: elixir-ls | .ex elixir, .exs elixir | mix.exs | {"runsCheckout":true}',
    'haskell-language-server: haskell-language-server-wrapper --lsp | .hs haskell, .lhs haskell | cabal.project stack.yaml package.yaml | {"indexesAll":true,"runsCheckout":true}',
    'terraform-ls: terraform-ls serve | .tf terraform, .tfvars terraform-vars | .terraform | {"runsCheckout":true}',
  ]);
});
