import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { build, type Metafile, type OutputFile } from 'esbuild';
import type { BuiltTools } from '../src/agent/profiles/tool-definitions.ts';
import { languages } from '../src/tools/code/languages.ts';
import { builtinTools } from '../src/tools/registry/builtin-tools.ts';
import { toolDefinition } from '../src/tools/registry/json-schema.ts';
import { standardTools } from '../src/tools/registry/standard-tools.ts';
import { toolKinds } from '../src/tools/registry/tool-kinds.ts';
import { takeBuiltins } from './builtin-modules.ts';
import { checkNames } from './bundled-names.ts';
import { commonJsNames } from './common-js-names.ts';
import { gatherParts, type Part, partModule } from './gather-parts.ts';
import { insertedTexts } from './inserted-texts.ts';
import { leanSdks } from './lean-sdks.ts';
import { zodApart } from './zod-apart.ts';

const root = path.resolve(import.meta.dirname, '..');

/**
 * Packages that are not bundled: both find files of their own (a WebAssembly database, a native
 * program) beside their module. They must be installed beside the bundle if they are needed.
 */
const external = ['@electric-sql/pglite', '@vscode/ripgrep'];

/** Bundled CommonJS asks for Node's own modules by `require`, which an ES module does not have. */
const requireBanner = "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);";

/**
 * One program to bundle: its root, the folder its bundle goes to, and the name of the file to
 * start.
 */
export interface Bundle {
  readonly entry: string;
  readonly folder: string;
  readonly file: string;
  readonly executable: boolean;
  /** True if no packages are installed beside it, so the parsers must be there too. */
  readonly standsAlone: boolean;
  /** The module that a run loads first; its imports must be small. */
  readonly run: string;
  readonly parts: readonly Part[];
}

/** Modules that are loaded before the model's first answer. */
const early =
  /^src\/(agent\/(models|instructions|json)\/|config\/|command-line\/(interpret-|run-|local-)|(network|permissions|redaction|sandbox|untrusted-text)\/|workspace\/changes\/name-guard|tools\/(review\/diff-lines|skills\/))|^action\/(prepare-sandbox|unsafe-checkout)/;

/**
 * The parts of a run after its first request: the look at the checkout, the first call, which loads
 * during the first answer, and the end. `atEnd` are further modules of the end.
 */
function laterParts(atEnd: readonly string[]): readonly Part[] {
  const end = [
    'src/run/finish-run.ts',
    'src/workspace/changes/final-changes.ts',
    'src/workspace/changes/revert-rejected.ts',
    ...atEnd,
  ];
  const soon = `${early.source}|/prune-runs`;
  return [
    {
      name: 'look',
      atOnce: true,
      modules: ['src/workspace/changes/name-guard.ts', 'src/permissions/tree/tree-watch.ts'],
      notBefore: early,
    },
    {
      name: 'calls',
      atOnce: true,
      modules: [
        'src/agent/loop/tool-calls.ts',
        'src/agent/loop/approval-requests.ts',
        'src/tools/registry/start-tools.ts',
        'src/run/open-run-tools.ts',
        'src/run/gate/make-gate.ts',
      ],
      // A run without calls loads its end alone.
      notBefore: new RegExp(`${soon}|^(?:${end.join('|')})$`),
    },
    { name: 'end', atOnce: true, modules: end, notBefore: new RegExp(soon) },
  ];
}

export const bundles: readonly Bundle[] = [
  {
    entry: 'src/cli.ts',
    folder: 'dist',
    file: 'cli.js',
    executable: true,
    standsAlone: false,
    run: 'src/command-line/run-command.ts',
    parts: [
      {
        name: 'start',
        atOnce: false,
        modules: ['src/command-line/run-command.ts', 'src/command-line/interpret-schemas.ts'],
        notBefore: /^$/,
      },
      ...laterParts(['src/command-line/describe-outcome.ts']),
    ],
  },
  {
    entry: 'action/main.ts',
    folder: 'action/dist',
    file: 'index.js',
    executable: false,
    standsAlone: true,
    run: 'action/main.ts',
    parts: laterParts([]),
  },
];

/**
 * A built bundle. Sizes in bytes; `startPackages` are those that a run loads before its first
 * request, sorted.
 */
export interface BuiltBundle {
  readonly file: string;
  readonly startBytes: number;
  readonly laterBytes: number;
  readonly startPackages: readonly string[];
  /** Our own modules that are loaded for the first call, by their paths from the root, sorted. */
  readonly callModules: readonly string[];
  /** Packages that the bundle loads from `node_modules` at run time, sorted. */
  readonly outsidePackages: readonly string[];
}

/**
 * Bundles one program: the code of every start, and dynamically imported code beside it in
 * `parts/`. In a single file every start would parse unused SDKs and the server, which costs more
 * than the rest of the start. With `write` off nothing on the disk changes. Throws where a name
 * that is taken on demand is not in the bundle.
 */
export async function buildBundle(bundle: Bundle, { write }: { write: boolean }): Promise<BuiltBundle> {
  const folder = path.join(root, bundle.folder);
  if (write) await rm(folder, { recursive: true, force: true });
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: bundle.entry, out: path.parse(bundle.file).name },
      // Processes of their own, started by the names of their files.
      { in: 'src/syntax-process.ts', out: 'syntax-process' },
      { in: 'src/page-process.ts', out: 'page-process' },
      // The Action serves nobody, and ends in a process of its own.
      ...(bundle.standsAlone
        ? [{ in: 'action/post.ts', out: 'post' }]
        : ['database-process', 'delivery-process'].map((name) => ({ in: `src/${name}.ts`, out: name }))),
    ],
    outdir: folder,
    chunkNames: 'parts/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // Names stay: shortening them would cost each start a call for every function, to give it its
    // name back.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'linked',
    external: [...external],
    define: {
      // A string stands at its place alone. For an object, esbuild adds an import to each module.
      BUILT_TOOLS: JSON.stringify(JSON.stringify(builtTools())),
    },
    plugins: [leanSdks, insertedTexts, zodApart, commonJsNames, gatherParts(bundle.parts)],
    metafile: true,
    logLevel: 'warning',
    write: false,
    banner: { js: bundle.executable ? `#!/usr/bin/env node\n${requireBanner}` : requireBanner },
  });
  await checkNames({ root, metafile, outputFiles, parts: bundle.parts });
  if (write) await writeOutputs(outputFiles, metafile.outputs);
  const file = path.posix.join(bundle.folder, bundle.file);
  if (write && bundle.executable) await chmod(path.join(root, file), 0o755);
  if (write && bundle.standsAlone) await copyGrammars(folder);
  const start = loadedAtStart(metafile.outputs, [bundle.entry, bundle.run]);
  const scripts = Object.entries(metafile.outputs).filter(([name]) => name.endsWith('.js'));
  const bytes = (wanted: boolean) =>
    scripts.reduce((sum, [name, output]) => sum + (start.has(name) === wanted ? output.bytes : 0), 0);
  const calls = loadedAtStart(metafile.outputs, [partModule('calls')]);
  return {
    file,
    startBytes: bytes(true),
    laterBytes: bytes(false),
    startPackages: packagesOf(inputsOf(metafile, start)),
    callModules: inputsOf(metafile, new Set([...calls].filter((name) => !start.has(name))))
      .flatMap(([name]) => (name.startsWith('src/') ? [name] : []))
      .sort(),
    outsidePackages: outsidePackagesOf(metafile.outputs),
  };
}

/** Returns what a built program knows of the built-in tools before it loads them. */
function builtTools(): BuiltTools {
  const definitions = Object.fromEntries(standardTools.map((tool) => [tool.name, toolDefinition(tool)]));
  return { definitions, kinds: toolKinds(builtinTools) };
}

function outsidePackagesOf(outputs: Metafile['outputs']): string[] {
  const outside = Object.values(outputs).flatMap(({ imports }) =>
    imports.flatMap((one) =>
      one.external === true && !isBuiltin(one.path) ? (/^(?:@[^/]+\/)?[^/]+/.exec(one.path) ?? []) : [],
    ),
  );
  return [...new Set(outside)].sort();
}

function inputsOf({ outputs }: Metafile, names: ReadonlySet<string>) {
  return [...names].flatMap((name) => Object.entries(outputs[name]?.inputs ?? {}));
}

/**
 * Copies the parser and the used grammars beside a bundle: 20 MB, compressed to 2 in a release's
 * archive.
 */
async function copyGrammars(folder: string): Promise<void> {
  const name = path.join('node_modules', '@vscode', 'tree-sitter-wasm');
  const grammars = [...new Set(languages.map(({ grammar }) => `tree-sitter-${grammar}.wasm`))];
  const wanted = [...grammars, 'tree-sitter.wasm', 'tree-sitter.js'].map((file) => path.join('wasm', file));
  await mkdir(path.join(folder, name, 'wasm'), { recursive: true });
  for (const file of ['package.json', 'LICENSE', ...wanted]) {
    await cp(path.join(root, name, file), path.join(folder, name, file));
  }
}

/** Returns the outputs of some modules with their static imports, direct or not. */
function loadedAtStart(outputs: Metafile['outputs'], modules: readonly string[]): Set<string> {
  const first = modules.map((module) =>
    Object.keys(outputs).find((name) => outputs[name]?.entryPoint === module),
  );
  const found = new Set(first.filter((name) => name !== undefined));
  for (const name of found) {
    for (const { path: target, kind, external: outside } of outputs[name]?.imports ?? []) {
      if (kind === 'import-statement' && !outside) found.add(target);
    }
  }
  return found;
}

/** Names of the packages that put at least a byte into a bundle. */
function packagesOf(inputs: readonly [string, { bytesInOutput: number }][]): string[] {
  const names = inputs.flatMap(([file, { bytesInOutput }]) =>
    bytesInOutput > 0 ? (/.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []) : [],
  );
  return [...new Set(names)].sort();
}

/** Builds every bundle and says how large each became. */
export async function buildAll(): Promise<void> {
  for (const bundle of bundles) {
    const { file, startBytes, laterBytes } = await buildBundle(bundle, { write: true });
    console.log(`${file}: ${kibibytes(startBytes)} at start, ${kibibytes(laterBytes)} more on demand`);
  }
}

const howToStart = `Start it here: npx anode help
Install it, with anode on the path: npm install --global "$(npm pack --silent)"`;

const kibibytes = (bytes: number) => `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB`;

if (import.meta.main) {
  await buildAll();
  console.log(howToStart);
}

/** Writes what esbuild made, with Node's own modules taken by the shorter way. */
async function writeOutputs(files: readonly OutputFile[], outputs: Metafile['outputs']): Promise<void> {
  for (const file of files) {
    await mkdir(path.dirname(file.path), { recursive: true });
    const output = outputs[path.relative(root, file.path)];
    const builtins = (output?.imports ?? []).filter(
      (one) => one.external === true && one.kind === 'import-statement' && isBuiltin(one.path),
    );
    await writeFile(
      file.path,
      file.path.endsWith('.js') ? takeBuiltins(file.text, builtins.length) : file.contents,
    );
  }
}
