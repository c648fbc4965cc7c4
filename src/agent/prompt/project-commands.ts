import * as z from 'zod';
import type { Workspace } from '../../workspace/workspace.ts';
import { cargoTargets, goModule, justRecipes, makeTargets, pythonTests } from './project-files.ts';

/** Bounds in lines, names and characters: what is told is sent again with every request. */
const limits = { scripts: 12, scriptLength: 120, names: 30, namesLength: 300, whole: 2_000 };

/** Bytes that are read of one file. */
const mostBytes = 128 * 1024;

/** The managers of packages by the lock file that tells of them; without one it is npm. */
const managers: readonly (readonly [file: string, name: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

/**
 * Tells how the project is tested and built, a paragraph for each kind of file at its top level: scripts of `package.json`, pytest, tox
 * and nox, targets of make and just, Cargo, Go. What tests stands first in each. `entries` are the names there; nothing else is looked
 * for. `setUp`: dependencies may be elsewhere than at the top level. At most 2,000 characters in all; a longer list ends by saying how many more there are.
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
  const installed = setUp || ['node_modules/', '.pnp.cjs'].some((name) => there.has(name));
  const told = await Promise.all([
    read('package.json').then((text) => scriptsIn(text, manager, installed)),
    pythonTests(read),
    first('GNUmakefile', 'makefile', 'Makefile').then((text) => named('make targets', makeTargets(text))),
    first('justfile', 'Justfile', '.justfile').then((text) => named('just recipes', justRecipes(text))),
    read('Cargo.toml').then(cargoTargets),
    read('go.mod').then(goModule),
  ]);
  return withinRoom(told.filter((one) => one !== null));
}

function withinRoom(paragraphs: readonly string[]): string[] {
  let size = 0;
  return paragraphs.flatMap((paragraph) => {
    const room = limits.whole - size;
    const cut =
      paragraph.length > room ? `${paragraph.slice(0, Math.max(0, room - 1)).toWellFormed()}…` : paragraph;
    size += cut.length;
    return room < 40 ? [] : [cut];
  });
}

const Manifest = z.object({
  scripts: z.record(z.string(), z.string()).optional(),
  dependencies: z.record(z.string(), z.unknown()).optional(),
  devDependencies: z.record(z.string(), z.unknown()).optional(),
});

function scriptsIn(manifest: string | null, manager: string, installed: boolean): string | null {
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
  const state = needs && !installed ? ' (dependencies are not installed: there is no node_modules)' : '';
  return `${manager} scripts${state}:\n${lines.join('\n')}${more}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function named(kind: string, names: readonly string[]): string | null {
  return names.length === 0 ? null : `${kind}: ${listed(testsFirst(names, (name) => name))}`;
}

/** Names in a row, as many as have room. */
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
