/** Reads a file at the top level of the project; null where there is none. */
export type ReadFile = (name: string) => Promise<string | null>;

/** Characters of one list. */
const mostOfList = 200;
/** Characters of a line with targets or a recipe: what a stranger wrote longer would take long to look through. */
const longestRule = 200;

/** The programs that test a Python project, each with the file that says so: `pytest (pyproject.toml); tox: py, lint (tox.ini)`. */
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
  const names = (words: string) =>
    words.split(/\s+/).filter((word) => /^[A-Za-z0-9][\w-]*(?::[\w-]+)*$/.test(word));
  const phony = [...joined.matchAll(/^\.PHONY\s*:(.*)$/gm)].flatMap(([, words]) => names(words ?? ''));
  const all = [...rules.matchAll(/^([A-Za-z0-9][\w .-]*?)[ \t]*::?(?![=:])/gm)].flatMap(([, words]) =>
    names(words ?? ''),
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
  const inQuotes = (words: string) => [...words.matchAll(/"([^"]+)"/g)].map(([, word]) => word ?? '');
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
