import { describe, expect, it, test } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import {
  evaluateCommand,
  readOnlyPrograms,
  readsWithGit,
} from '../../../src/permissions/shell/evaluate-command.ts';

const reads = (call: string) => readsWithGit(call === '' ? [] : call.split(' '));

const showing = 'log show diff diff-tree'.split(' ');
const listing =
  'status blame shortlog rev-parse rev-list ls-files ls-tree describe merge-base for-each-ref show-ref'.split(
    ' ',
  );

test.each(showing)('git %s reads, except with options to write or to run a program', (name) => {
  const more = ['--output=f', '--ext-diff', '--textconv'].map((option) => reads(`${name} ${option}`));
  expect([reads(`${name} -3 --parseopt x`), ...more]).toEqual([true, false, false, false]);
});

test.each(listing)('git %s reads, except with options to write or to run a program', (name) => {
  const options = ['--output=f', '--ext-diff', '--exec=x', '--textconv', '--parseopt'];
  expect([reads(`${name} -a x`), ...options.map((option) => reads(`${name} ${option}`))]).toEqual([
    true,
    ...options.map(() => false),
  ]);
});

test.each([
  ...['--version', '--no-pager log', '-P log', '--no-optional-locks status', '--literal-pathspecs log'],
  ...['-P --no-pager log', 'log -- --output=f', 'cat-file -p HEAD', 'grep -n x', 'grep x -- -O'],
  ...['branch', 'branch --list', 'branch -l', 'branch -a --all -r --remotes -v -vv --verbose'],
  ...['branch --show-current', 'branch --no-color --sort=a --format=b', 'branch --list a* b', 'branch -l a'],
  ...['tag', 'tag -l', 'tag --list a b', 'remote', 'remote -v', 'remote get-url a'],
  ...['config --get a', 'config --get-all a', 'config --get-regexp a', 'config --list', 'config -l'],
  ...['config --list --show-origin --show-scope --name-only -z --null --local --global --system --worktree'],
  ...['config --get --includes --type=bool a', 'stash list', 'worktree list'],
])('git %s reads', (call) => {
  expect(reads(call)).toBe(true);
});

test.each([
  ...['', '-p log', 'log --output', 'cat-file --textconv x', 'cat-file --filters x', 'cat-file --batch'],
  ...['grep --open-files-in-pager x', 'grep --ext-grep x', 'grep --textconv x', 'grep -nO x'],
  ...['branch a', 'branch --list -D a', 'branch -a a', 'branch -vvv', 'branch --show-currently'],
  ...['tag a', 'tag -l -d a', 'remote -v update', 'remote add a', 'remote get-url', 'remote get-url a b'],
  ...['remote update', 'config a', 'config a --get', 'config --get a --add', 'config --get-color a'],
  ...['config --list --type=', 'symbolic-ref', 'symbolic-ref a b', 'symbolic-ref -d a', 'stash', 'stash pop'],
  ...['symbolic-ref HEAD', 'symbolic-ref -q --short HEAD', 'reflog', 'reflog show a'],
  ...['stash list x', 'worktree add a', 'worktree list -v', 'reflog expire', 'reflog show --all', 'push'],
])('git %s is not proven to read', (call) => {
  expect(reads(call)).toBe(false);
});

/** Per program: calls that are proven to read, and calls that do more or are not proven. */
const table: Readonly<Record<string, readonly [reads: readonly string[], more: readonly string[]]>> = {
  find: [
    ['find . -name x -print0', 'find src -newer a -size +1k', 'find . ! -path a -prune -o -type f -ls'],
    [
      ...['-exec ls {} ;', '-execdir ls {} +', '-ok ls {} ;', '-okdir ls {} ;', '-delete', '-fprint f'],
      ...['-fprint0 f', '-fprintf f %p', '-fls f', '-files0-from f'],
    ].map((what) => `find . ${what}`),
  ],
  fd: [['fd -e ts x'], ['fd -x ls', 'fd -tfx ls', 'fd x --exec ls', 'fd x -X ls', 'fd x --exec-batch ls']],
  sed: [
    [
      'sed -n 1,5p f',
      "sed 's/a/b/g;3d' f",
      "sed -e '/a/,/b/{/c/!d}' f",
      "sed -E 's|(a)|\\1|' f",
      'sed -s 1p f g',
    ],
    [
      ...[
        '-i s/a/b/',
        '-i.bak s/a/b/',
        '-Ei s/a/b/',
        '-ni p',
        '--in-place s/a/b/',
        '--in-place=.b s/a/b/',
        '-f script',
      ],
      ...[
        "'s/a/b/w out'",
        "'s/a/b/e'",
        "'s/a/b/ge'",
        "'1e ls'",
        "'w out'",
        "'/a/w out'",
        "'$!{W out\n}'",
        "'r f'",
        "'1R f'",
      ],
      ...['--file=x', "-e p -e 'w out'", "'s/[/]/w out'", 'sXaXbXe', "--expression='1e ls'"],
    ].map((what) => `sed ${what} f`),
  ],
  awk: [
    ["awk '{print $1}' f", "awk -F: -v a=1 'NR == a' f"],
    [
      ...[
        `'BEGIN{system("ls")}'`,
        `'{print > "f"}'`,
        `'{print >> "f"}'`,
        `'{print | "sh"}'`,
        `'{"ls" | getline}'`,
      ],
      ...[`'@load "x"'`, '-f x', '-i inplace 1', '-l x 1', '--include=x 1', `'BEGIN{print |& "sh"}'`],
    ].map((what) => `awk ${what} f`),
  ],
  git: [
    [
      ...[
        'status --short',
        'log --oneline -3',
        'show HEAD:a',
        'diff --stat',
        'blame a',
        'grep -n x',
        'ls-files -m',
      ],
      ...['branch -a', 'branch --list "a*"', 'tag -l', 'remote -v', 'stash list', 'worktree list'],
      ...['config --get user.name'],
      ...['rev-parse HEAD', 'cat-file -p HEAD', '--no-pager log', 'log -- --output=x'],
    ].map((what) => `git ${what}`),
    [
      ...[
        '-c core.pager=x log',
        '-ccore.pager=x log',
        '-C a log',
        '--git-dir=x log',
        '--exec-path=x log',
        '-p log',
      ],
      ...[
        'log --output=f',
        'log --outp=f',
        'diff --ext-diff',
        'show --textconv x',
        'grep -O x',
        'grep --open-files-in-pager x',
      ],
      ...[
        'grep -nOless x',
        'cat-file --textconv x',
        'cat-file --filters x',
        'cat-file --batch',
        'branch x',
        'branch -m x',
      ],
      ...[
        'branch --edit-description',
        'tag x',
        'tag -d x',
        'remote add a b',
        'remote show origin',
        'stash',
        'stash pop',
      ],
      ...[
        'config user.name x',
        'config --unset a',
        'config -e',
        'config --get x --edit',
        'symbolic-ref HEAD',
        'symbolic-ref HEAD x',
        'worktree add x',
        'reflog',
      ],
      ...[
        'reflog expire',
        'rev-parse --parseopt',
        'commit -m x',
        'add .',
        'checkout x',
        'fetch',
        'archive HEAD',
        'bisect start',
      ],
      ...[
        'apply x',
        'gc',
        'notes add',
        'submodule status',
        'rebase x',
        'am',
        'difftool',
        'help log',
        'update-index --refresh',
      ],
    ].map((what) => `git ${what}`),
  ],
  rg: [
    ['rg -n a src', "rg -g '*.ts' a", 'rg --pretty a'],
    ['rg --pre=x a', 'rg --pre x a', 'rg --hostname-bin=x a', 'rg -z a', 'rg -nz a', 'rg --search-zip a'],
  ],
  sort: [
    ['sort -rnk2 f', 'sort -u f'],
    [
      'sort -o f g',
      'sort -of g',
      'sort -ro f g',
      'sort --output=f g',
      'sort --o f g',
      'sort --compress-program=x f',
      'sort -T d f',
      'sort --files0-from=f',
    ],
  ],
  tree: [['tree -L 2 src'], ['tree -o f', 'tree -Lo 2 f', 'tree --output f', 'tree -R']],
  date: [
    ['date', 'date +%s', 'date -u'],
    ['date -s now', 'date -us now', 'date --set=now', 'date 010100002030'],
  ],
  base64: [['base64 -d f'], ['base64 -o f', 'base64 -do f', 'base64 --output f']],
  uniq: [['uniq -c f'], ['uniq f g']],
  xxd: [
    ['xxd f', 'xxd -p f'],
    ['xxd -r f', 'xxd -pr f', 'xxd -revert f', 'xxd f g'],
  ],
  jq: [
    ['jq -r .a f', "jq '.a | keys' f"],
    ['jq -f x f', 'jq --from-file x f', 'jq -L d .a'],
  ],
  wc: [['wc -l a'], ['wc --files0-from=a', 'wc --f=a']],
  du: [['du -sh a'], ['du --files0-from=a', 'du --f a']],
  file: [['file -b a'], ['file -C', 'file -z a', 'file --compile', 'file -f a', 'file --files-from a']],
  diff: [['diff -ru a b'], ['diff -l a b', 'diff --paginate a b']],
  go: [
    ['go version'],
    [
      'go env GOPATH',
      'go env -json',
      'go env -w A=b',
      'go env -u A',
      'go build',
      'go test ./...',
      'go run .',
      'go vet',
    ],
  ],
  printf: [["printf '%s' a"], ['printf -v PATH x', 'printf -vPATH x']],
  test: [['test -f a'], ["test -v 'a[$(x)]'", 'test -R a']],
  '[': [['[ -f a ]'], ["[ -v 'a[x]' ]"]],
  env: [['env'], ['env a', 'env -i a', 'env A=1 a', 'env -S a']],
  command: [
    ['command -v a', 'command -V a'],
    ['command touch a', 'command -p touch a'],
  ],
  ...Object.fromEntries(
    ['node', 'python', 'python3'].map((name) => [
      name,
      [[`${name} --version`], [name, `${name} x`, `${name} x --version`]],
    ]),
  ),
};

const kinds = (script: string) => {
  const { commands, syntaxError, unknown, doubt } = analyseScript(script);
  return syntaxError ?? unknown ?? doubt ?? commands.map((command) => evaluateCommand(command).kind).join();
};

describe('the table of programs that read', () => {
  it('has a reading and a refused example for each program with conditions', () => {
    const conditional = [...readOnlyPrograms].filter(([, rule]) => Object.keys(rule).length > 0);
    expect(conditional.map(([name]) => name).filter((name) => !Object.hasOwn(table, name))).toEqual([]);
  });

  it.each(Object.entries(table))('%s is tested for reading and refusing', (_name, [reads, more]) => {
    expect(reads.filter((script) => kinds(script) !== 'read_only')).toEqual([]);
    expect(more.filter((script) => /^read_only(,read_only)*$/.test(kinds(script)))).toEqual([]);
  });

  it.each(
    [...readOnlyPrograms].filter(([, rule]) => Object.keys(rule).length === 0),
  )('%s reads with any arguments, unless its output goes to a file', (name) => {
    expect(kinds(`${name} a`)).toBe('read_only');
  });

  it.each([
    ...[
      'less f',
      'more f',
      'man ls',
      'man -P sh ls',
      'vi f',
      'vim f',
      'nano f',
      'ed f',
      'emacs f',
      'bat f',
      'curl u',
    ],
    ...[
      'curl -o f u',
      'wget u',
      'gh api x',
      'ssh h',
      'perl -ne print f',
      'python3 -c 1',
      'tee f',
      'cp a b',
      'ldd a',
    ],
    ...[
      'xargs cat',
      'watch ls',
      'script',
      'npx x',
      'gawk 1 f',
      'zcat f',
      'bash x.sh',
      './ls',
      'openssl x',
      'dd if=a',
    ],
    ...['tar -tf a.tar', 'shuf f', 'iconv f', 'yq .a f', 'base32 f', 'hostname', 'fdfind x', 'go env GOPATH'],
    ...[
      'ruby --version',
      'java --version',
      'make --version',
      'df',
      'uptime',
      'printenv A',
      'expr 1',
      'fmt f',
    ],
    ...['git whatchanged', 'git range-diff a b', 'git check-ignore a', 'git count-objects', 'git reflog'],
  ])('%s is not proven to read', (script) => {
    expect(kinds(script)).not.toBe('read_only');
  });
});

/** Words by which a program does more than read, and words that are near to them. */
const options: Readonly<Record<string, readonly [more: string, reads: string]>> = {
  wc: ['--files0-from --f', '-f x--files --lines'],
  du: ['--files0-from', '-f x--files'],
  diff: ['--paginate --pag', '-p x--paginate --pa'],
  test: ['-v -R', '-vR x-v -r -V'],
  '[': ['-v -R', '-vR x-R'],
  date: ['--set --file --s --f', 'x--set --utc'],
  file: ['--compile --uncompress --files-from', 'x--compile --brief'],
  tree: ['--output --outputs', 'x--output --out'],
  base64: ['--output --o', 'x--output --decode'],
  xxd: ['-revert --revert -rev', 'x-revert -r'],
  sort: ['--output --compress-program --temporary-directory --files0-from', 'x--output --check'],
  jq: ['--from-file --run-tests --library-path', 'x--from-file --raw-output'],
  rg: [
    '--pre --pre=x --hostname-bin --hostname-bin=x --search-zip --search-zip=x',
    '--pretty --pre-glob x--pre --hostname --search-zips',
  ],
  find: [
    '-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from',
    'x-exec -executable -execs -okx -deleted -fprint1 -fprintfs -flsx -printf -files0-fromx',
  ],
  fd: ['--exec --exec-batch --gen-completions', 'x--exec --extension'],
};

it.each(Object.entries(options))('%s does more with these words: %j', (name, [more, reads]) => {
  const { danger } = readOnlyPrograms.get(name) ?? {};
  expect([
    more.split(' ').filter((word) => danger?.test(word) !== true),
    reads.split(' ').filter((word) => danger?.test(word) !== false),
  ]).toEqual([[], []]);
});
