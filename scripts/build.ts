import { chmod, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..');

/**
 * Packages that are not bundled: both find files of their own (a WebAssembly database, a native program)
 * beside their module. Where they are needed, they have to be installed beside the bundle.
 */
const external = ['@electric-sql/pglite', '@vscode/ripgrep'];

/** Bundled CommonJS asks for Node's own modules by `require`, which an ES module does not have. */
const requireBanner =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

/** One program to bundle: its root, the folder its bundle goes to, and the name of the file to start. */
export interface Bundle {
  readonly entry: string;
  readonly folder: string;
  readonly file: string;
  readonly executable: boolean;
}

export const bundles: readonly Bundle[] = [
  { entry: 'src/cli.ts', folder: 'dist', file: 'cli.js', executable: true },
  { entry: 'action/main.ts', folder: 'action/dist', file: 'index.js', executable: false },
];

/**
 * Bundles one program: everything that starts at once in one file, and beside it, in `parts/`, one file for
 * each thing that is imported dynamically. A single file would make every start parse the SDKs and the
 * server it does not use, which costs more than the start itself. Returns what came out, in bytes.
 */
export async function buildBundle(bundle: Bundle): Promise<{ file: string; bytes: number; parts: number }> {
  const folder = path.join(root, bundle.folder);
  await rm(folder, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [{ in: bundle.entry, out: path.parse(bundle.file).name }],
    outdir: folder,
    chunkNames: 'parts/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    minify: true,
    keepNames: true,
    legalComments: 'linked',
    external,
    metafile: true,
    logLevel: 'warning',
    banner: { js: bundle.executable ? `#!/usr/bin/env node\n${requireBanner}` : requireBanner },
  });
  const file = path.join(folder, bundle.file);
  if (bundle.executable) await chmod(file, 0o755);
  const parts = Object.entries(metafile.outputs).filter(
    ([name]) => name.includes('/parts/') && name.endsWith('.js'),
  );
  return {
    file: path.relative(root, file),
    bytes: (await stat(file)).size,
    parts: parts.reduce((sum, [, output]) => sum + output.bytes, 0),
  };
}

/** Builds every bundle and says how large each became. */
export async function buildAll(): Promise<void> {
  for (const bundle of bundles) {
    const { file, bytes, parts } = await buildBundle(bundle);
    console.log(`${file}  ${kilobytes(bytes)}, loaded on demand ${kilobytes(parts)}`);
  }
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB`;

if (import.meta.main) await buildAll();
