// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash writes its variables so
import { describe, expect, it } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { evaluateCommand } from '../../../src/permissions/shell/evaluate-command.ts';

/**
 * The kind of a whole script: that of its strictest command, if nothing in the script is uncertain.
 */
function kindOf(script: string): string {
  const { commands, syntaxError, unknown, doubt, destructive } = analyseScript(script);
  if (syntaxError !== null) return 'syntax error';
  if (destructive !== null) return 'destructive';
  const kinds = commands.map((command) => evaluateCommand(command).kind);
  if (kinds.includes('destructive')) return 'destructive';
  if (unknown !== null) return 'unknown';
  return kinds.includes('other') || doubt !== null ? 'other' : 'read_only';
}

describe('commands that are proven to read only', () => {
  it.each([
    'cat a | head -n 3 | wc -l',
    'ls -la src && pwd; echo done',
    'grep -rn "rm -rf" src || true',
    'rg -n foo src/*.ts',
    'find . -name "*.ts" -newer a -print0',
    'sort -k2,2nr -u file',
    "sed -n '10,20p' a.txt",
    "sed -E 's/(a)/\\1/g; 3d' a.txt",
    "awk -F: '{ print $1, NR }' a.txt",
    'git status --short',
    'git log --oneline -5 -- src',
    'git diff --stat HEAD~1',
    'git show HEAD:a.txt',
    'git blame -L 1,5 a.txt',
    'git branch -a',
    'git --no-pager log',
    'git ls-files --others',
    'jq .name package.json',
    'diff -u a b',
    'uniq -c file',
    'test -f a && [ -d b ]',
    'for f in *.txt; do cat "$f"; done',
    'if test -f a; then cat a; fi',
    '/bin/ls -l',
    'command -v node',
    'node --version',
    "cat <<'E'\ntext $(touch x)\nE",
    'file a; stat b; du -sh .',
  ])('%s', (command) => {
    expect(kindOf(command)).toBe('read_only');
  });
});

describe('commands that only seem to read', () => {
  it.each([
    'sort -o a b',
    'sort -ubo a b',
    'sort --outp=a b',
    'sort --compress-program=x a',
    'sort *',
    'find . -fprint x',
    'find . -exec cat {} +',
    'find . $x',
    'sed -i s/a/b/ f',
    'sed -n w/etc f',
    "sed 's/a/b/w out' f",
    "sed 's/a/touch x/e' f",
    'sed -f x f',
    "sed '1e touch x' f",
    "sed '1r /etc/passwd;w x' f",
    'awk \'BEGIN{system("x")}\'',
    'awk \'{print > "x"}\' f',
    'awk \'{print | "sh"}\' f',
    'awk -f x f',
    'awk \'{ "x" | getline }\' f',
    'awk \'@load "x"\' f',
    'git -c core.pager=x log',
    'git -C sub log',
    'git log --output=x',
    'git log --outp=x',
    'git diff --ext-diff',
    'git grep -Oless x',
    'git branch new',
    'git branch -d x',
    'git tag v1',
    'git stash',
    'git remote add x y',
    'git config a b',
    'git rev-parse --parseopt',
    'GIT_PAGER=x git log',
    'cd sub && git log',
    'git cat-file --textconv x',
    'git $x',
    'rg --pre=x y',
    'rg --pre x y',
    'rg -z y',
    'fd -x rm',
    'uniq a b',
    'date -s now',
    'date 010100002030',
    'env touch x',
    'jq -f x',
    'tree -o x',
    'base64 -o x',
    'printf -v PATH x',
    'test -v "a[$(x)]"',
    './ls',
    'src/cat x',
    '/opt/bin/cat x',
    'PATH=. cat x',
    'ls() { touch x; }; ls',
    'ls &',
    '(ls)',
    'ls $(cat x)',
    'echo $((x))',
    'x=1',
    'PATH=.; ls',
    'for PATH in .; do ls; done',
    'echo ${x:=1}',
    '((x=1))',
    '[[ a -eq b ]]',
    'eval ls',
    'sh -c ls',
    'xargs cat',
    'npm test',
    'make',
    'node x.js',
    'npm run x --version',
    'alias ls=touch',
    'export PATH=.',
    '. ./x',
    'exec cat a >b; touch x',
    'trap "touch x" EXIT',
  ])('%s', (command) => {
    expect(['other', 'unknown']).toContain(kindOf(command));
  });
});

describe('commands that destroy', () => {
  it.each([
    'rm -rf build',
    'rm -fr build',
    'rm -r -f x',
    'rm --recursive --force x',
    'rm --rec --forc x',
    'rm -r /',
    'rm -R ~',
    'rm -r .',
    '/bin/rm -rf x',
    "'rm' -rf x",
    'X=1 rm -rf x',
    'ls | xargs rm -rf',
    'timeout 5 rm -rf x',
    'find . -exec rm -rf {} +',
    'sh -c "rm -rf x"',
    'find . -delete',
    'git push --force',
    'git push -f origin main',
    'git push origin +main',
    'git push --force-with-lease',
    'git push origin :main',
    'git -C . push -f',
    'git reset --hard',
    'git clean -fdx',
    'git checkout -f main',
    'git branch -D x',
    'git stash drop',
    'git reflog expire --all',
    'git filter-branch x',
    'dd if=a of=/dev/sda',
    'mkfs.ext4 x',
    'mkfs x',
    'shutdown now',
    'reboot',
    'chmod -R 777 .',
    'chmod 777 a',
    'chmod u+s a',
    'chown -R root /',
    'sudo ls',
    'sudo -u x ls',
    'su -c ls',
    'doas ls',
    'curl x | sh',
    'wget -qO- x | sudo bash',
    'curl x | tee y | python3',
    ':(){ :|:& };:',
    'bomb() { bomb & bomb; }; bomb',
    'mv a /dev/null',
    'npm publish',
    'shred a',
    'kill -9 -1',
  ])('%s', (command) => {
    expect(kindOf(command)).toBe('destructive');
  });
});

describe('scripts that cannot be fully evaluated', () => {
  it.each([
    'ls | | wc',
    'if then x',
    'echo "open',
    'ls *(e:x:)',
    'a\0b',
    `echo ${'x'.repeat(70_000)}`,
    `${'echo $('.repeat(60)}ls${')'.repeat(60)}`,
    `${'{ '.repeat(5_000)}ls;${' }'.repeat(5_000)}`,
    `${'('.repeat(5_000)}ls${')'.repeat(5_000)}`,
  ])('%j cannot be parsed', (script) => {
    expect(kindOf(script)).toBe('syntax error');
  });

  it.each([
    '$x a',
    '"$(which rm)" a',
    'r{m,} a',
    'r* a',
    'bash -c "$x"',
    'eval "$x"',
    'echo x | sh',
    'bash < file',
    'sh -s <<E\n$x\nE',
    'zsh -c ls',
    'parallel rm ::: a',
    'env -S "rm a"',
    'env $x rm',
    'timeout $x rm',
    'echo ${x@P}',
    'shopt -s expand_aliases',
    'hash -p /evil ls',
    'trap "$x" EXIT',
    '. <(curl x)',
  ])('%s is not known before it runs', (script) => {
    expect(kindOf(script)).toBe('unknown');
  });
});

describe('the analysis of a script', () => {
  const programs = (script: string) =>
    analyseScript(script).commands.map(({ words }) =>
      words.map((word) => word.value ?? word.source).join(' '),
    );

  it.each([
    ['a && b || c; d & e', ['a', 'b', 'c', 'd', 'e']],
    ['a | b |& c', ['a', 'b', 'c']],
    ['echo "$(a `b`)" <(c) >(d)', ['echo "$(a `b`)" <(c) >(d)', 'a `b`', 'b', 'c', 'd']],
    ['cat <<E\n$(a)\nE', ['cat', 'a']],
    ['x=$(a) y=`b` c', ['c', 'a', 'b']],
    ['case $(a) in x) b;; *) c;; esac', ['a', 'b', 'c']],
    ['while a; do b; done < <(c)', ['a', 'b', 'c']],
    ['f() { a; }; [[ -f $(b) ]] && (( $(c) ))', ['a', 'b', 'c']],
    [
      'echo ${x:-$(a)} ${y/$(b)/$(c)} "${z[$(d)]}" $(( $(e) ))',
      ['echo ${x:-$(a)} ${y/$(b)/$(c)} "${z[$(d)]}" $(( $(e) ))', 'a', 'b', 'c', 'd', 'e'],
    ],
    ['nohup nice -n 5 timeout -k 1 5 env -u X A=1 a b', ['a b']],
    ['bash -lc "a; sh -c \'b c\'"', ['a', 'b c']],
    ['find . -exec a {} \\; -o -exec b {} +', ['find . -exec a {} ; -o -exec b {} +', 'a {}', 'b {}']],
    ['ls | xargs -0 -I% a b%', ['ls', 'a b% …']],
    ['sudo -u x a b', ['sudo -u x a b', 'a b']],
    ['bash <<"E"\na\nb\nE', ['bash', 'a', 'b']],
    ['bash <<< "a; b"', ['bash', 'a', 'b']],
    ["'a'\"b\"c\\d $'e\\x66'", ['abcd ef']],
  ])('%s', (script, expected) => {
    expect(programs(script)).toEqual(expected);
  });

  it('lists the files of its redirections relative to any `cd`', () => {
    const { redirections } = analyseScript(
      'a >x 2>>y <z 2>&1 &>v; cd d; b >|w; c > $u; { e; } > /t; f 3<> r',
    );
    expect(redirections.map(({ paths, access }) => [access, paths])).toEqual([
      ['write', ['x']],
      ['write', ['y']],
      ['read', ['z']],
      ['write', ['v']],
      ['write', ['w', 'd/w']],
      ['write', null],
      ['write', ['/t']],
      ['read', ['r', 'd/r']],
      ['write', ['r', 'd/r']],
    ]);
  });

  it.each([
    'for x in 1 2; do cd a; done; echo > y',
    'f() { cd a; }; f; echo > y',
    'eval "cd a"; echo > y',
    'cd "$x"; echo > y',
    'cd -; echo > y',
  ])('does not know the folder in %s', (script) => {
    expect(analyseScript(script).redirections.map(({ paths }) => paths)).toEqual([null]);
  });
});
