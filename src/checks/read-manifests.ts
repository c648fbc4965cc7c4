/** Dependencies of a manifest: name to requested version, as written. */
export type Dependencies = ReadonlyMap<string, string>;

/** Ranges of npm that name no version of a registry, so that no lock file has them as such. */
const local = /^(?:workspace|file|link|portal|patch|catalog|git|github|https?)[:+]|^\.{0,2}\//;

/** The object under a key; null where there is none. */
export function objectIn(value: unknown, key: string): Readonly<Record<string, unknown>> | null {
  if (typeof value !== 'object' || value === null) return null;
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === 'object' && found !== null ? { ...found } : null;
}

/** Normalises the name of a Python package (PEP 503, "Normalized Names"). */
export function pep503(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}

/** Dependencies in the tables of a package.json, or of its copy in a package-lock.json. */
export function npmDependencies(manifest: unknown): Dependencies {
  const tables = ['dependencies', 'devDependencies', 'optionalDependencies'];
  return new Map(tables.flatMap((table) => strings(objectIn(manifest, table))));
}

export function readPackageJson(text: string): Dependencies {
  return new Map([...npmDependencies(JSON.parse(text))].filter(([, range]) => !local.test(range)));
}

export function readComposerJson(text: string): Dependencies {
  const parsed: unknown = JSON.parse(text);
  const requested = [...strings(objectIn(parsed, 'require')), ...strings(objectIn(parsed, 'require-dev'))];
  // PHP itself, its extensions and libraries of the system are no packages.
  return new Map(requested.filter(([name]) => name.includes('/')));
}

export async function readPyproject(text: string): Promise<Dependencies> {
  const parsed = await toml(text);
  const project = objectIn(parsed, 'project');
  const listed = [
    ...list(project?.dependencies),
    ...Object.values(objectIn(project, 'optional-dependencies') ?? {}).flatMap(list),
    ...Object.values(objectIn(parsed, 'dependency-groups') ?? {}).flatMap(list),
  ];
  const poetry = objectIn(objectIn(parsed, 'tool'), 'poetry');
  const groups = Object.values(objectIn(poetry, 'group') ?? {});
  const tables = [
    objectIn(poetry, 'dependencies'),
    objectIn(poetry, 'dev-dependencies'),
    ...groups.map((group) => objectIn(group, 'dependencies')),
  ];
  return new Map([
    ...listed.flatMap((line) => {
      const [, name, rest] = /^\s*([A-Za-z0-9][\w.-]*)(.*)$/s.exec(line) ?? [];
      return name === undefined ? [] : [[pep503(name), rest ?? ''] as const];
    }),
    ...tables.flatMap((table) => entries(table)).filter(([name]) => name !== 'python'),
  ]);
}

export async function readPipfile(text: string): Promise<Dependencies> {
  const parsed = await toml(text);
  return new Map([...entries(objectIn(parsed, 'packages')), ...entries(objectIn(parsed, 'dev-packages'))]);
}

export async function readCargoToml(text: string): Promise<Dependencies> {
  const parsed = await toml(text);
  const names = ['dependencies', 'dev-dependencies', 'build-dependencies'];
  const homes = [parsed, ...Object.values(objectIn(parsed, 'target') ?? {})];
  const found = homes.flatMap((home) => names.flatMap((name) => Object.entries(objectIn(home, name) ?? {})));
  return new Map(
    found.map(([name, requested]) => {
      const real: unknown =
        typeof requested === 'object' && requested !== null && 'package' in requested
          ? requested.package
          : name;
      return [String(real), typeof requested === 'string' ? requested : JSON.stringify(requested)];
    }),
  );
}

/**
 * go.mod: `require` lines and blocks, less what `replace` sends elsewhere (Go Modules Reference).
 */
export function readGoMod(text: string): Dependencies {
  const lines = shortLines(text).map((line) => line.replace(/\/\/.*$/, '').trim());
  const requested = lines.flatMap((line) => {
    const found = /^(?:require\s+)?([\w.~-]+\.[\w.~/-]+)\s+(v\S+)$/.exec(line);
    return found === null ? [] : [found];
  });
  const replaced = new Set(lines.map((line) => /^(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>/.exec(line)?.[1]));
  return new Map(
    requested.flatMap(([, name = '', version = '']) =>
      replaced.has(name) ? [] : [[name, version] as const],
    ),
  );
}

/** Gemfile: `gem` lines with a literal name. A Gemfile is Ruby, so some may be missed. */
export function readGemfile(text: string): Dependencies {
  const lines = shortLines(text).flatMap((line) => {
    const found = /^\s*gem[\s(]+["']([\w.-]+)["'](.*)$/.exec(line);
    return found === null ? [] : [found];
  });
  return new Map(lines.map(([, name = '', rest = '']) => [name, rest.replace(/#.*$/, '').trim()]));
}

/** Lines as people write them: patterns take a time that grows with the square of a line. */
function shortLines(text: string): string[] {
  return text.split('\n').filter((line) => line.length <= 300);
}

async function toml(text: string): Promise<unknown> {
  const { parse } = await import('smol-toml');
  return parse(text);
}

function strings(table: Readonly<Record<string, unknown>> | null): [string, string][] {
  return Object.entries(table ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
}

function entries(table: Readonly<Record<string, unknown>> | null): [string, string][] {
  return Object.entries(table ?? {}).map(([name, value]) => [
    pep503(name),
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
