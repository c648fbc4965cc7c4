import { describe, expect, it } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { writtenFiles } from '../../../src/permissions/shell/written-paths.ts';
import { bashCall, decided } from '../gate-fixtures.ts';

const written = (script: string) =>
  analyseScript(script)
    .commands.flatMap(writtenFiles)
    .flatMap(({ paths }) => paths ?? ['?']);

describe('the files that a command writes by its arguments', () => {
  it.each<[string, string[]]>([
    ['tee -a a b', ['a', 'b']],
    ['dd if=a of=b bs=1', ['b']],
    ['cp -r a b c', ['c', 'c/a', 'c/b']],
    ['cp -t d a', ['d', 'd/a']],
    ['cp --target-directory=d x/a', ['d', 'd/a']],
    ['mv a b', ['a', 'b']],
    ['install -m 755 a b', ['b', 'b/755', 'b/a']],
    ['ln -s a b', ['b', 'b/a']],
    ['ln -s x/a', ['a']],
    ['rsync -a a/ b', ['b', 'b/a']],
    ['sed -i s/a/b/ f g', ['f', 'g']],
    ["sed -n -e '/a/w o' f", ['o']],
    ['sed s/a/b/ f', []],
    ['awk \'{print > "o"}\' f', ['o']],
    ['sort -uo a b', ['a']],
    ['find . -fprint a', ['a']],
    ['git diff --output=a', ['a']],
    ['git checkout main -- a', ['main', 'a']],
    ['git restore a', ['a']],
    ['find . -exec touch a ;', ['a']],
    ['find . -execdir touch a ;', ['?']],
    ['find . -okdir touch a ;', ['?']],
    ['perl -pi -e s/a/b/ f', ['s/a/b/', 'f']],
    ['perl -ne 1 f', []],
    ['curl -so a u', ['a']],
    ['wget -O a u', ['a']],
    ['tar -xf a -C d', ['a', 'd']],
    ['/usr/bin/time -o a ls', ['a']],
    ['cd d; touch a', ['a', 'd/a']],
    ['tee "$x" /t', ['?', '/t']],
    ['sudo tee a', ['a']],
    ['cat a', []],
  ])('%s', (script, paths) => {
    expect(written(script)).toEqual(paths);
  });

  it.each([
    ...[
      'echo x > .github/workflows/ci.yml',
      'cp a .github/workflows/',
      'cp -r workflows .github',
      'mv .git g',
    ],
    ...['dd if=a of=.git/config', 'tee .git/hooks/pre-commit', 'ln -s /tmp/x .husky', 'sort -o AGENTS.md a'],
    ...[
      'sed -i s/a/b/ CLAUDE.md',
      "sed 'w .git/hooks/x' a",
      'curl -o .mcp.json u',
      'cd .github && touch CODEOWNERS',
    ],
    ...[
      'find . -fprint .git/x',
      'git log --output=.git/hooks/x',
      "bash -c 'rm .github/workflows/a'",
      'rsync a .git/',
    ],
    ...[
      'tar -xf a -C .git',
      'install a .githooks/x',
      'awk \'{print > ".git/x"}\'',
      'echo >> ./.github/../.git/config',
    ],
  ])('%s is refused, even if a rule allows it', (script) => {
    const rules = [{ tool: '*', action: 'allow' as const }];
    const { action, hard } = decided(bashCall(script), { preset: 'unrestricted', rules });
    expect({ action, hard }).toEqual({ action: 'reject', hard: true });
  });

  it.each([
    'cp .github/workflows/ci.yml /tmp/x',
    'cat AGENTS.md',
    'diff .github/workflows/a b',
    'sed -n p CLAUDE.md',
  ])('%s only reads a protected path', (script) => {
    expect(decided(bashCall(script)).action).toBe('allow');
  });

  it('can be restricted by a rule about paths', () => {
    const rules = [{ tool: 'bash', matches: { path: 'docs/**' }, action: 'reject' as const }];
    const actions = ['cp a docs/b', 'echo > docs/b', 'sed -i p docs/b', 'cp docs/b a'].map(
      (script) => decided(bashCall(script), { rules }).action,
    );
    expect(actions).toEqual(['reject', 'reject', 'reject', 'allow']);
  });
});

/** Every option that names a file to write, by its program. */
const writingOptions: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'gcc g++ cc clang clang++ ld as rustc go pandoc openssl tsc esbuild'
      .split(' ')
      .map((name) => [name, '-o --output --out --outfile --outFile --outDir']),
  ),
  ...{ mv: '-t --target-directory', cp: '-t --target-directory', install: '-t --target-directory' },
  ...{ ln: '-t --target-directory', patch: '-o -r --output --reject-file', sort: '-o --output' },
  ...{ shuf: '-o --output', tree: '-o --output', base64: '-o --output', diff: '--output' },
  ...{ iconv: '-o --output', xmllint: '--output', find: '-fprint -fprint0 -fprintf -fls', git: '--output' },
  curl: '-o -D -c --output --dump-header --cookie-jar --output-dir --trace --stderr',
  wget: '-O -o -a -P --output-document --output-file --append-output --directory-prefix',
  ...{ '/usr/bin/time': '-o --output', strace: '-o', unzip: '-d', tar: '-cf -xC' },
};

describe('an option that names a file to write', () => {
  it.each(Object.entries(writingOptions))('%s: %s', (program, options) => {
    const scripts = options.split(' ').map((option) => `${program} ${option} w`);
    expect(scripts.filter((script) => !written(script).includes('w'))).toEqual([]);
  });
});

describe('the words that name written files', () => {
  it.each(
    'tee touch mkdir rm rmdir unlink truncate shred chmod chown chgrp mknod mkfifo vi vim nvim nano emacs ed ex gzip gunzip bzip2 bunzip2 xz unxz zstd dos2unix unix2dos setfattr chattr mv'.split(
      ' ',
    ),
  )('%s: all', (program) => {
    expect(written(`${program} a b`)).toEqual(['a', 'b']);
  });

  it.each(['cp', 'install', 'ln', 'rsync', 'scp'])('%s: the last word, or a file in it', (program) => {
    expect(written(`${program} a b`)).toEqual(['b', 'b/a']);
  });

  it.each(['link', 'uniq', 'xxd'])('%s: the second', (program) => {
    expect(written(`${program} a b`)).toEqual(['b']);
  });

  it.each([
    ['yq -i . f', ['.', 'f']],
    ['yq --inplace . f', ['.', 'f']],
    ['yq --in-place . f', ['.', 'f']],
    ['yq . f', []],
    ['ruby -i -e 1 f', ['1', 'f']],
    ['ruby f', []],
    ['tar --create --file w a', ['w']],
    ['tar --extract --directory w', ['w']],
    ['tar --get -C w', ['w']],
    ['tar --append -f w', ['w']],
    ['tar --update -f w', ['w']],
    ['tar -tf w', []],
  ])('%s', (script, paths) => {
    expect(written(script)).toEqual(paths);
  });
});

/**
 * A call of each program that writes a file, evaluated as a redirection of a reading program, or as
 * a command of its own.
 */
const readers = [
  ...[
    'sort -o w a',
    'shuf -o w a',
    'tree -o w',
    'base64 -o w a',
    'diff --output w a b',
    'iconv -o w a',
    'uniq a w',
  ],
  ...[
    'xmllint --output w a',
    'xxd a w',
    'find . -fprint w',
    'git log --output=w',
    'yq -i w',
    "sed 'w w' a",
    'awk \'{print > "w"}\' a',
  ],
];
const others = [
  ...[
    'tee w',
    'mv w',
    'patch -o w',
    'cp a w',
    'rsync a w',
    'link a w',
    'dd of=w',
    'perl -i w',
    'ruby -i w',
    'curl -o w u',
    'wget -O w u',
  ],
  ...[
    '/usr/bin/time -o w ls',
    'strace -o w ls',
    'unzip -d w a',
    'tar -cf w a',
    'gcc -o w a',
    'git rm w',
    'git restore w',
    'sed -i p w',
  ],
];

describe('a written file', () => {
  it('counts as a redirection for a program that only reads otherwise', () => {
    const readersOf = (scripts: readonly string[]) =>
      scripts.map(
        (script) =>
          analyseScript(script)
            .commands.flatMap(writtenFiles)
            .find(({ paths }) => paths?.includes('w') === true)?.reader,
      );
    expect([readersOf(readers), readersOf(others)]).toEqual([
      readers.map(() => true),
      others.map(() => false),
    ]);
  });

  it.each('mv rm checkout restore apply am init clone worktree'.split(' '))('is found for git %s', (name) => {
    expect([written(`git ${name} w`), written(`git x${name} w`), written(`git ${name}x w`)]).toEqual([
      ['w'],
      [],
      [],
    ]);
  });
});
