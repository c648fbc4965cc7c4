import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import type { Metafile, OutputFile } from 'esbuild';
import { type ModuleNames, missingNames } from './dynamic-imports.ts';
import { type Part, partModule } from './gather-parts.ts';

/** A bundle as esbuild made it, and the parts that it was gathered in. */
export interface Bundled {
  readonly root: string;
  readonly metafile: Metafile;
  readonly outputFiles: readonly OutputFile[];
  readonly parts: readonly Part[];
}

/**
 * Throws if a module uses a name of a dynamic import that the bundle does not have. Types cover
 * only the source: esbuild bundles CommonJS for `import()` with `default` alone, and plugins of the
 * build change modules.
 */
export async function checkNames(bundled: Bundled): Promise<void> {
  const { root, metafile } = bundled;
  const files = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    /\.[cm]?[jt]s$/.test(file) && imports.some(({ kind }) => kind === 'dynamic-import') ? [file] : [],
  );
  const scripts = await Promise.all(
    files.map(async (file) => ({ path: file, text: await readFile(path.join(root, file), 'utf8') })),
  );
  const missing = await missingNames(scripts, (from, specifier) => namesOf(bundled, from, specifier));
  if (missing.length > 0) throw new Error(`The bundle would break where it runs:\n${missing.join('\n')}`);
}

async function namesOf(bundled: Bundled, from: string, specifier: string): Promise<ModuleNames> {
  const { inputs, outputs } = bundled.metafile;
  const found = inputs[from]?.imports.find(
    (one) => one.kind === 'dynamic-import' && (one.original ?? one.path) === specifier,
  );
  if (found === undefined) {
    const gathered = partOf(bundled, path.posix.join(path.posix.dirname(from), specifier));
    if (gathered === null) throw new Error(`${from}: ${specifier} is not in the bundle`);
    return gathered;
  }
  if (found.external === true || isBuiltin(specifier)) {
    const outside: unknown = await import(specifier);
    return { names: new Set(Object.keys(outside as object)), onlyDefault: false };
  }
  const output = Object.values(outputs).find(({ entryPoint }) => entryPoint === found.path);
  if (output === undefined) throw new Error(`${from}: ${specifier} is not in the bundle`);
  return { names: new Set(output.exports), onlyDefault: inputs[found.path]?.format === 'cjs' };
}

/**
 * The exported names of a module that is loaded with its part: esbuild lists them in the module's
 * namespace.
 */
function partOf({ root, metafile, outputFiles, parts }: Bundled, file: string): ModuleNames | null {
  const part = parts.find(({ atOnce, modules }) => atOnce && modules.includes(file));
  if (part === undefined) return null;
  const textOf = (name: string) => outputFiles.find((one) => one.path === path.join(root, name))?.text ?? '';
  const [output = ''] =
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === partModule(part.name)) ?? [];
  const exported = `m${part.modules.indexOf(file)}`;
  const local =
    new RegExp(`[{,](?:([\\w$]+) as )?${exported}[,}]`).exec(lastExport(textOf(output)))?.[1] ?? exported;
  const texts = [output, ...(metafile.outputs[output]?.imports ?? []).map((one) => one.path)].map(textOf);
  const listed = texts.flatMap(
    (text) => new RegExp(`__export\\(${local.replaceAll('$', '\\$&')},\\{(.*?)\\}\\)`).exec(text)?.[1] ?? [],
  );
  const names = listed.flatMap((list) =>
    [...list.matchAll(/(?:^|,)([\w$]+):\(\)=>/g)].flatMap(([, name]) => name ?? []),
  );
  return { names: new Set(names), onlyDefault: false };
}

function lastExport(text: string): string {
  return text.slice(text.lastIndexOf('export{'));
}
