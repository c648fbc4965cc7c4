import type { CheckProgram } from './check-program.ts';
import {
  parseEslint,
  parseOxlint,
  parsePythonSyntax,
  parseRuff,
  parseShellcheck,
  pythonSyntaxScript,
} from './parse-json-reports.ts';
import {
  parseAnnotations,
  parseBashSyntax,
  parseGofmt,
  parseNodeCheck,
  parsePhp,
  parseRuby,
  parseRustfmt,
} from './parse-text-reports.ts';

const script = String.raw`\.(?:[cm]?[jt]sx?)`;
const words = (text: string) => text.split(' ');
const names = (...files: readonly string[]) => files.map((file) => ({ file }));
const each = (base: string, endings: readonly string[]) => endings.map((ending) => `${base}${ending}`);

const biomeConfig = names('biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc');
const ruffConfig = [
  ...names('ruff.toml', '.ruff.toml'),
  { file: 'pyproject.toml', contains: /^\s*\[tool\.ruff\b/m },
];
const ruffCheck = words('check --no-cache --no-fix --force-exclude --output-format=json');
const virtualEnvironment = (program: string) => [`.venv/bin/${program}`, `venv/bin/${program}`];

/** Rust files need the edition of their package; the default of 2015 rejects much valid code. */
function rustEdition(config: string | null): string[] {
  const edition = /^\s*edition\s*=\s*"(\d{4})"/m.exec(config ?? '')?.[1];
  return ['--edition', edition ?? '2021'];
}

/**
 * Every program that checks or formats a file; the first formatter that applies is used. None
 * writes a cache, fixes files or runs them.
 */
export const checkPrograms: readonly CheckProgram[] = [
  {
    name: 'biome',
    files: new RegExp(String.raw`(?:${script}|\.(?:jsonc?|css|graphql|gql|vue|svelte|astro))$`),
    configured: biomeConfig,
    inCheckout: ['node_modules/.bin/biome'],
    onPath: 'biome',
    check: {
      files: (paths) => [
        ...words('check --reporter=github --max-diagnostics=200 --no-errors-on-unmatched'),
        ...paths,
      ],
      parse: parseAnnotations,
    },
    format: (path) => ['format', `--stdin-file-path=${path}`],
  },
  {
    name: 'eslint',
    files: new RegExp(String.raw`(?:${script}|\.(?:vue|svelte|astro))$`),
    configured: [
      ...names(
        ...each('eslint.config', ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']),
        ...each('.eslintrc', ['.js', '.cjs', '.json', '.yml', '.yaml', '']),
      ),
      { file: 'package.json', contains: /"eslintConfig"\s*:/ },
    ],
    inCheckout: ['node_modules/.bin/eslint'],
    onPath: null,
    check: {
      files: (paths) => ['--format=json', ...paths],
      input: (path) => ['--format=json', '--stdin', '--stdin-filename', path],
      parse: parseEslint,
    },
    format: null,
  },
  {
    name: 'oxlint',
    files: new RegExp(`${script}$`),
    configured: names('.oxlintrc.json', 'oxlint.config.ts'),
    inCheckout: ['node_modules/.bin/oxlint'],
    onPath: 'oxlint',
    check: { files: (paths) => ['--format=json', ...paths], parse: parseOxlint },
    format: null,
  },
  {
    name: 'prettier',
    files: new RegExp(
      String.raw`(?:${script}|\.(?:json|jsonc|json5|css|scss|less|html|vue|md|mdx|ya?ml|graphql|gql|hbs))$`,
    ),
    configured: [
      ...names(
        ...each('.prettierrc', ['', ...words('.json .json5 .yaml .yml .js .cjs .mjs .ts .toml')]),
        ...each('prettier.config', ['.js', '.cjs', '.mjs', '.ts', '.mts', '.cts']),
      ),
      { file: 'package.json', contains: /"prettier"\s*:\s*(?:\{|"[@.])/ },
    ],
    inCheckout: ['node_modules/.bin/prettier'],
    onPath: null,
    check: null,
    format: (path) => ['--stdin-filepath', path],
  },
  {
    name: 'node',
    files: /\.[cm]?js$/,
    configured: [],
    inCheckout: [],
    onPath: 'node',
    check: {
      files: (paths) => ['--check', ...paths],
      oneByOne: true,
      parse: parseNodeCheck,
      unless: ['biome', 'eslint', 'oxlint'],
    },
    format: null,
  },
  {
    name: 'ruff',
    files: /\.pyi?$/,
    configured: ruffConfig,
    inCheckout: virtualEnvironment('ruff'),
    onPath: 'ruff',
    check: {
      files: (paths) => [...ruffCheck, ...paths],
      input: (path) => [...ruffCheck, '--stdin-filename', path, '-'],
      parse: parseRuff,
    },
    format: (path) => ['format', '--no-cache', '--force-exclude', '--stdin-filename', path, '-'],
  },
  {
    name: 'black',
    files: /\.pyi?$/,
    configured: [{ file: 'pyproject.toml', contains: /^\s*\[tool\.black\b/m }],
    inCheckout: virtualEnvironment('black'),
    onPath: 'black',
    check: null,
    format: (path) => ['--quiet', '--stdin-filename', path, '-'],
  },
  {
    name: 'python',
    files: /\.pyi?$/,
    configured: [],
    inCheckout: [],
    onPath: 'python3',
    check: {
      // Isolated, so that no module of the checkout replaces a standard one.
      files: (paths) => ['-I', '-B', '-c', pythonSyntaxScript, ...paths],
      parse: parsePythonSyntax,
      unless: ['ruff'],
    },
    format: null,
  },
  {
    name: 'gofmt',
    files: /\.go$/,
    configured: names('go.mod'),
    inCheckout: [],
    onPath: 'gofmt',
    check: { files: (paths) => ['-l', '-e', ...paths], input: () => ['-l', '-e'], parse: parseGofmt },
    format: () => [],
  },
  {
    name: 'rustfmt',
    files: /\.rs$/,
    configured: names('Cargo.toml'),
    inCheckout: [],
    onPath: 'rustfmt',
    check: {
      files: (paths, config) => ['--check', '-l', ...rustEdition(config), ...paths],
      input: (_path, config) => ['--check', '-l', ...rustEdition(config)],
      parse: parseRustfmt,
    },
    format: (_path, config) => rustEdition(config),
  },
  {
    name: 'shellcheck',
    files: /\.(?:sh|bash)$/,
    configured: names('.shellcheckrc', 'shellcheckrc'),
    inCheckout: [],
    onPath: 'shellcheck',
    check: {
      files: (paths) => ['--format=json1', ...paths],
      input: () => ['--format=json1', '-'],
      parse: parseShellcheck,
    },
    format: null,
  },
  {
    name: 'bash',
    files: /\.(?:sh|bash)$/,
    configured: [],
    inCheckout: [],
    onPath: 'bash',
    check: {
      files: (paths) => ['-n', ...paths],
      oneByOne: true,
      parse: parseBashSyntax,
      unless: ['shellcheck'],
      shebang: /\b(?:ba|da|k|a)?sh\b/,
    },
    format: null,
  },
  {
    name: 'php',
    files: /\.php$/,
    configured: [],
    inCheckout: [],
    onPath: 'php',
    check: { files: (paths) => ['-n', '-l', ...paths], oneByOne: true, parse: parsePhp },
    format: null,
  },
  {
    name: 'ruby',
    files: /\.(?:rb|rake|gemspec)$/,
    configured: [],
    inCheckout: [],
    onPath: 'ruby',
    check: { files: (paths) => ['--disable=gems', '-c', ...paths], oneByOne: true, parse: parseRuby },
    format: null,
  },
];
