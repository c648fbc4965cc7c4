/** A language by its common name, its file extensions, and its grammar. */
export interface Language {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly extensions: readonly string[];
  readonly grammar: string;
}

/** The supported languages. */
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

/** File names without an extension that indicate their language. */
const namedFiles: Readonly<Record<string, string>> = {
  Rakefile: 'ruby',
  Gemfile: 'ruby',
  Vagrantfile: 'ruby',
  '.bashrc': 'bash',
  '.profile': 'bash',
  PKGBUILD: 'bash',
};

/** Returns the language of a file by its name. Null if unknown or without an extension. */
export function languageOf(path: string): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const known = namedFiles[name];
  if (known !== undefined) return languages.find((language) => language.name === known) ?? null;
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return null;
  return languages.find((language) => language.extensions.includes(extension)) ?? null;
}

/**
 * Returns the language of a script without an extension, by its first line (`#!/usr/bin/env
 * python3`).
 */
export function scriptLanguage(firstLine: string): Language | null {
  const program = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(?:\S*\/)?([a-z]+)/.exec(firstLine)?.[1];
  const byProgram: Readonly<Record<string, string>> = { node: 'javascript', dash: 'bash', ksh: 'bash' };
  return program === undefined ? null : findLanguage(byProgram[program] ?? program);
}

/** Returns a language by any of its names, in any spelling. Null if none matches. */
export function findLanguage(name: string): Language | null {
  const wanted = name.trim().toLowerCase();
  return (
    languages.find((language) => language.name === wanted || language.aliases.includes(wanted)) ??
    languages.find((language) => language.extensions.includes(wanted)) ??
    null
  );
}
