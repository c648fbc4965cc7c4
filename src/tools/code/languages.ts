/** A language as people name it, the files it is known by, and the grammar it is read with. */
export interface Language {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly extensions: readonly string[];
  readonly grammar: string;
}

/** The languages whose syntax is understood. */
export const languages: readonly Language[] = [
  { name: 'typescript', aliases: ['ts'], extensions: ['ts', 'mts', 'cts'], grammar: 'typescript' },
  { name: 'typescript', aliases: [], extensions: ['tsx'], grammar: 'tsx' },
  {
    name: 'javascript',
    aliases: ['js', 'jsx'],
    extensions: ['js', 'mjs', 'cjs', 'jsx'],
    grammar: 'javascript',
  },
  { name: 'python', aliases: ['py'], extensions: ['py', 'pyi', 'pyw'], grammar: 'python' },
  { name: 'go', aliases: ['golang'], extensions: ['go'], grammar: 'go' },
  { name: 'rust', aliases: ['rs'], extensions: ['rs'], grammar: 'rust' },
  { name: 'java', aliases: [], extensions: ['java'], grammar: 'java' },
  { name: 'c', aliases: [], extensions: ['c', 'h'], grammar: 'cpp' },
  {
    name: 'cpp',
    aliases: ['c++', 'cxx', 'cc'],
    extensions: ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'hxx', 'ipp', 'tpp', 'inl'],
    grammar: 'cpp',
  },
  { name: 'csharp', aliases: ['c#', 'cs', 'c-sharp'], extensions: ['cs', 'csx'], grammar: 'c-sharp' },
  { name: 'ruby', aliases: ['rb'], extensions: ['rb', 'rake', 'gemspec', 'ru'], grammar: 'ruby' },
  { name: 'php', aliases: [], extensions: ['php', 'phtml', 'inc'], grammar: 'php' },
  {
    name: 'bash',
    aliases: ['sh', 'shell', 'zsh'],
    extensions: ['sh', 'bash', 'zsh', 'bats'],
    grammar: 'bash',
  },
];

/** File names without an ending that say their language all the same. */
const namedFiles: Readonly<Record<string, string>> = {
  Rakefile: 'ruby',
  Gemfile: 'ruby',
  Vagrantfile: 'ruby',
  '.bashrc': 'bash',
  '.profile': 'bash',
  PKGBUILD: 'bash',
};

/** The language of a file by its name; null for one that is not understood or has no ending to tell. */
export function languageOf(path: string): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const known = namedFiles[name];
  if (known !== undefined) return languages.find((language) => language.name === known) ?? null;
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return null;
  return languages.find((language) => language.extensions.includes(extension)) ?? null;
}

/** The language of a script without an ending, by its first line (`#!/usr/bin/env python3`). */
export function scriptLanguage(firstLine: string): Language | null {
  const program = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(?:\S*\/)?([a-z]+)/.exec(firstLine)?.[1];
  const byProgram: Readonly<Record<string, string>> = { node: 'javascript', dash: 'bash', ksh: 'bash' };
  return program === undefined ? null : findLanguage(byProgram[program] ?? program);
}

/** A language by any of its names, however written; null where it is none of these. */
export function findLanguage(name: string): Language | null {
  const wanted = name.trim().toLowerCase();
  return (
    languages.find((language) => language.name === wanted || language.aliases.includes(wanted)) ??
    languages.find((language) => language.extensions.includes(wanted)) ??
    null
  );
}
