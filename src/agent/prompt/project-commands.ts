import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Maximum lines, names and characters: the text is sent again with every request. */
const limits = { scripts: 12, scriptLength: 120, names: 30, namesLength: 300, whole: 2_000 };

/** Bytes that are read of one file. */
const mostBytes = 128 * 1024;

/** Package managers by their lock file. Default: npm. */
const managers: readonly (readonly [file: string, name: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

/**
 * Describes how to test and build the project, a paragraph for each kind of file at its top level.
 * Sources are scripts of `package.json`, pytest, tox and nox, targets of make and just, Cargo, Go.
 * Tests come first in each. `entries` are the names there; nothing else is read. `setUp`:
 * dependencies may be elsewhere than at the top level. Without them, the last paragraph says how to
 * tell of a check that cannot run. At most 2,000 characters; a longer list ends with the number of
 * omitted names.
 */
export async function projectCommands(
  { files }: { readonly files: Pick<Workspace['files'], 'stat' | 'read'> },
  entries: readonly string[],
  setUp: boolean,
): Promise<string[]> {
  const there = new Set(entries);
  const read = async (name: string): Promise<string | null> => {
    if (!there.has(name) || (await files.stat(name))?.kind !== 'file') return null;
    return (await files.read(name, mostBytes)).bytes.toString('utf8');
  };
  const first = async (...names: readonly string[]): Promise<string | null> => {
    const name = names.find((one) => there.has(one));
    return name === undefined ? null : read(name);
  };
  const manager = managers.find(([file]) => there.has(file))?.[1] ?? 'npm';
  const has = (...names: readonly string[]) => setUp || names.some((name) => there.has(name));
  const [scripts, python] = await Promise.all([
    read('package.json').then((text) => scriptsIn(text, manager, has('node_modules/', '.pnp.cjs'))),
    pythonTests(read),
  ]);
  const misses = scripts?.misses === true || (python !== null && !has('.venv/', 'venv/', '.tox/', '.nox/'));
  const paragraphs = await Promise.all([
    scripts?.text ?? null,
    python,
    first('GNUmakefile', 'makefile', 'Makefile').then((text) => named('make targets', makeTargets(text))),
    first('justfile', 'Justfile', '.justfile').then((text) => named('just recipes', justRecipes(text))),
    read('Cargo.toml').then(cargoTargets),
    read('go.mod').then(goModule),
  ]);
  const found = paragraphs.filter((one) => one !== null);
  if (!misses) return withinLimit(found, limits.whole);
  return [...withinLimit(found, limits.whole - nothingInstalled.length), nothingInstalled];
}

const nothingInstalled =
  'Nothing was installed for this run, and nothing can be without network. ' +
  'A check that needs more than is here has neither passed nor failed: say in your answer which did not run, and why.';

function withinLimit(paragraphs: readonly string[], most: number): string[] {
  let size = 0;
  return paragraphs.flatMap((paragraph) => {
    const left = most - size;
    const cut =
      paragraph.length > left ? `${paragraph.slice(0, Math.max(0, left - 1)).toWellFormed()}…` : paragraph;
    size += cut.length;
    return left < 40 ? [] : [cut];
  });
}

const Manifest = z.object({
  scripts: z.record(z.string(), z.string()).optional(),
  dependencies: z.record(z.string(), z.unknown()).optional(),
  devDependencies: z.record(z.string(), z.unknown()).optional(),
});

/** The scripts of a manifest; null without any. `misses`: their dependencies are not there. */
function scriptsIn(
  manifest: string | null,
  manager: string,
  installed: boolean,
): { readonly text: string; readonly misses: boolean } | null {
  const { data } = Manifest.safeParse(parseJson(manifest ?? ''));
  const scripts = Object.entries(data?.scripts ?? {});
  if (scripts.length === 0) return null;
  const sorted = testsFirst(scripts, ([name]) => name);
  const lines = sorted
    .slice(0, limits.scripts)
    .map(([name, command]) => `${name}: ${command}`.replaceAll(/\s+/g, ' ').slice(0, limits.scriptLength));
  const others = sorted.slice(limits.scripts).map(([name]) => name);
  const more = others.length === 0 ? '' : `\n[… ${others.length} more: ${listed(others)} …]`;
  const needs = Object.keys({ ...data?.dependencies, ...data?.devDependencies }).length > 0;
  const misses = needs && !installed;
  const state = misses ? ' (dependencies are not installed: there is no node_modules)' : '';
  return { text: `${manager} scripts${state}:\n${lines.join('\n')}${more}`, misses };
}

function named(kind: string, names: readonly string[]): string | null {
  return names.length === 0 ? null : `${kind}: ${listed(testsFirst(names, (name) => name))}`;
}

/** Joins as many names as fit the limit, and counts the rest. */
function listed(names: readonly string[]): string {
  const shown: string[] = [];
  let size = 0;
  for (const name of names.slice(0, limits.names)) {
    size += name.length + 2;
    if (size > limits.namesLength) break;
    shown.push(name);
  }
  const rest = names.length - shown.length;
  return `${shown.join(', ')}${rest === 0 ? '' : `, and ${rest} more`}`;
}

/** Sorts tests first, then checks and builds, then the rest, each in the order of the file. */
function testsFirst<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  const rank = (item: Item): number => {
    const name = nameOf(item);
    if (/^tests?$/i.test(name)) return 0;
    if (/^tests?(?![a-z])/i.test(name)) return 1;
    return /^(?:check|lint|typecheck|types|tsc|verify|ci|format|fmt|build|compile)(?![a-z])/i.test(name)
      ? 2
      : 3;
  };
  return items.toSorted((a, b) => rank(a) - rank(b));
}

/** Reads a file at the top level of the project; null where there is none. */
export type ReadFile = (name: string) => Promise<string | null>;

/** Characters of one list. */
const mostOfList = 200;
/**
 * Maximum characters of a line with targets or a recipe: a longer one from untrusted text would be
 * slow to parse.
 */
const longestRule = 200;

/**
 * The programs that test a Python project, each with its source: `pytest (pyproject.toml); tox: py,
 * lint (tox.ini)`.
 */
export async function pythonTests(read: ReadFile): Promise<string | null> {
  const [pytestIni, pyproject, tox, setup, nox] = await Promise.all(
    ['pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg', 'noxfile.py'].map(read),
  );
  const found = [
    pytestIn({ pytestIni, pyproject, tox, setup }),
    toxIn(tox, 'tox.ini') ?? toxIn(pyproject, 'pyproject.toml') ?? toxIn(setup, 'setup.cfg'),
    noxIn(nox),
  ].filter((one) => one !== null);
  return found.length === 0 ? null : `Python tests: ${found.join('; ')}`;
}

type Text = string | null | undefined;

function pytestIn(files: Readonly<Record<'pytestIni' | 'pyproject' | 'tox' | 'setup', Text>>): string | null {
  const { pytestIni, pyproject, tox, setup } = files;
  if (pytestIni != null) return 'pytest (pytest.ini)';
  if (/^\[tool\.pytest\b/m.test(pyproject ?? '')) return 'pytest (pyproject.toml)';
  if (/^\[pytest\]/m.test(tox ?? '')) return 'pytest (tox.ini)';
  if (/^\[tool:pytest\]/m.test(setup ?? '')) return 'pytest (setup.cfg)';
  const needs = [pyproject, tox, setup].findIndex((text) => /^[^#\n]*\bpytest\b/m.test(text ?? ''));
  return needs === -1 ? null : `pytest (named in ${['pyproject.toml', 'tox.ini', 'setup.cfg'][needs]})`;
}

/** The environments of tox: those of its list, and those with a section of their own. */
function toxIn(text: Text, file: string): string | null {
  if (text == null || !/^\[(?:tool\.tox|tox|tox:tox|testenv|tool\.tox\..+)\]/m.test(text)) return null;
  const list = (/^[ \t]*env_?list\s*=\s*(.*(?:\n[ \t]+\S.*)*)/m.exec(text)?.[1] ?? '').slice(0, 2_000);
  // A comma within braces parts factors, not environments.
  const listed = list
    .replaceAll(/["'[\]]/g, ' ')
    .replaceAll(/\{[^{}]*\}/g, (factors) => factors.replaceAll(/\s+/g, ''))
    .split(/[\s,]+(?![^{]*\})/);
  const own = [...text.matchAll(/^\[(?:testenv:|tool\.tox\.env\.)([^\]\s]+)\]/gm)].map(
    ([, name]) => name ?? '',
  );
  const names = [...new Set([...listed, ...own])].filter((name) => /^[\w.{},*:-]+$/.test(name));
  return `tox${names.length === 0 ? '' : `: ${short(names)}`} (${file})`;
}

function noxIn(text: Text): string | null {
  if (text == null) return null;
  const sessions = text.matchAll(/^@(?:nox\.)?session\b([\s\S]{0,400}?)^(?:async )?def (\w+)/gm);
  const names = [...sessions].map(
    ([, options, name]) => /\bname\s*=\s*["']([\w.-]+)["']/.exec(options ?? '')?.[1] ?? name ?? '',
  );
  return `nox${names.length === 0 ? '' : `: ${short(names)}`} (noxfile.py)`;
}

/** Targets of a makefile that are no files, those it names as phony before the others. */
export function makeTargets(text: Text): string[] {
  if (text == null) return [];
  const joined = shortLines(text.replaceAll(/\\\n/g, ' '), 2_000);
  const rules = shortLines(joined, longestRule);
  const names = (text: string) =>
    text.split(/\s+/).filter((word) => /^[A-Za-z0-9][\w-]*(?::[\w-]+)*$/.test(word));
  const phony = [...joined.matchAll(/^\.PHONY\s*:(.*)$/gm)].flatMap(([, text]) => names(text ?? ''));
  const all = [...rules.matchAll(/^([A-Za-z0-9][\w .-]*?)[ \t]*::?(?![=:])/gm)].flatMap(([, text]) =>
    names(text ?? ''),
  );
  return [...new Set([...phony.filter((name) => all.includes(name)), ...all])];
}

/** Recipes of a justfile that are not private. */
export function justRecipes(text: Text): string[] {
  const found = shortLines(text ?? '', longestRule).matchAll(
    /^@?([A-Za-z][\w-]*)(?:[ \t]+[^:=\n]*(?:=[^:\n]*)?)?:(?!=)/gm,
  );
  return [...new Set([...found].map(([, name]) => name ?? ''))];
}

/** A package or workspace of Cargo, with the targets and features that its manifest names. */
export function cargoTargets(text: Text): string | null {
  if (text == null) return null;
  const section = (name: string) =>
    new RegExp(String.raw`^\[${name}\]([\s\S]*?)(?=^\[|(?![\s\S]))`, 'm').exec(text)?.[1];
  const name = /^[ \t]*name\s*=\s*"([^"]+)"/m.exec(section('package') ?? '')?.[1];
  const members = /^[ \t]*members\s*=\s*\[([^\]]*)\]/m.exec(section('workspace') ?? '')?.[1];
  const inQuotes = (text: string) => [...text.matchAll(/"([^"]+)"/g)].map(([, word]) => word ?? '');
  const targets = ['bin', 'test', 'bench', 'example'].flatMap((kind) => {
    const blocks = text.matchAll(new RegExp(String.raw`^\[\[${kind}\]\]([\s\S]*?)(?=^\[|(?![\s\S]))`, 'gm'));
    const names = [...blocks].flatMap(
      ([, block]) => /^[ \t]*name\s*=\s*"([^"]+)"/m.exec(block ?? '')?.[1] ?? [],
    );
    return names.length === 0 ? [] : [`${kind}: ${short(names)}`];
  });
  const features = [...(section('features') ?? '').matchAll(/^[ \t]*([\w-]+)[ \t]*=/gm)].map(
    ([, word]) => word ?? '',
  );
  return [
    `Cargo: ${name === undefined ? 'workspace' : `package ${name}`}`,
    ...(members === undefined ? [] : [`members: ${short(inQuotes(members))}`]),
    ...targets,
    ...(features.length === 0 ? [] : [`features: ${short(features)}`]),
  ].join('; ');
}

/** The module of a `go.mod`. */
export function goModule(text: Text): string | null {
  const name = /^module\s+(\S+)/m.exec(text ?? '')?.[1];
  return name === undefined ? null : `Go module: ${name.slice(0, mostOfList)}`;
}

function shortLines(text: string, most: number): string {
  return text
    .split('\n')
    .filter((line) => line.length <= most)
    .join('\n');
}

function short(names: readonly string[]): string {
  const list = names.join(', ');
  return list.length > mostOfList ? `${list.slice(0, mostOfList - 1)}…` : list;
}
