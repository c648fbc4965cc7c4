// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash writes its variables so
import { describe, expect, it } from 'vitest';
import { bashCall, decided } from '../gate-fixtures.ts';
import { whatRuns } from './what-runs.ts';

const action = (command: string, ...rules: ['allow' | 'ask' | 'reject', ...string[]][]) =>
  decided(bashCall(command), {
    preset: 'strict',
    rules: rules.map(([what, ...patterns]) => ({
      tool: 'bash',
      matches: { command: patterns },
      action: what,
    })),
  }).action;

/** Ways to run `rm x` that a rule against `rm *` has to see, though another rule allows everything. */
const disguises = [
  ...[
    'timeout -vk 5 10',
    'timeout --sig KILL 5',
    'env -',
    'env -iu A B=1 x+=2',
    'nice -5',
    'nice -n5',
    'nice --adj 5',
  ],
  ...[
    'ionice -c3',
    'stdbuf -oL',
    'stdbuf -o L',
    'setsid -w',
    'taskset -c 0,1',
    'chrt -i 0',
    'exec -a foo',
    'exec -cl',
  ],
  ...[
    'command --',
    'command -p',
    'builtin command',
    'time',
    'time -p',
    '/usr/bin/time -o f',
    '!',
    'nohup --',
    'coproc',
  ],
  ...[
    'sudo -iu root',
    'sudo -s',
    'sudo A=1',
    'doas -u x',
    'runuser -u x --',
    'chroot /',
    'unshare -r',
    'nsenter -t 1 -m',
  ],
  ...[
    'setpriv --no-new-privs',
    'prlimit --nofile=9',
    'setarch x86_64 -R',
    'flock -n /tmp/l',
    'strace -f',
    'busybox',
  ],
  ...[
    '/lib64/ld-linux-x86-64.so.2',
    'xargs -n 1 -P4',
    'xargs --max-args=1',
    'fd -x',
    'fd x -tfX',
    'fd \\; -x',
    'watch -n1',
    'ssh -p 22 h',
  ],
  ...[
    'find . -exec',
    'find . -execdir',
    'A=1 B=2',
    'poetry run',
    'npx',
    'docker run i',
    'kubectl exec p --',
    'git bisect run',
  ],
  ...[
    'git submodule foreach',
    'a & ',
    'a |& ',
    'a\n',
    '{ :; }; ',
    '\\',
    'eval',
    'eval eval',
    'sudo env A=1',
    'setarch -R',
  ],
].map((prefix) => `${prefix}${/[\s\\]$/.test(prefix) ? '' : ' '}rm x`);

const scripts = [
  ...[
    'bash -c -o errexit "rm x"',
    'bash -co errexit "rm x"',
    'bash -norc -c "rm x"',
    'bash -O extglob -c "rm x"',
  ],
  ...[
    'sh +x -ec "rm x"',
    'dash -c "rm x"',
    'bash -c \'bash -c "rm x"\'',
    'env bash -c "rm x"',
    'bash -c "rm $y"',
  ],
  ...[
    'env -S "rm x"',
    'env -iS "A=1 rm x"',
    'su root -c "rm x"',
    'su --command="rm x"',
    'flock /tmp/l -c "rm x"',
  ],
  ...[
    'watch "rm x"',
    'script -c "rm x"',
    'ssh h "ls; rm x"',
    'ssh -oProxyCommand="rm x" h',
    'trap -- "rm x" EXIT',
  ],
  ...[
    'eval -- "rm x"',
    'eval r"m x"',
    'alias x="rm y"',
    'mapfile -C "rm x" a',
    'sort --compress-program=rm a',
  ],
  ...[
    'rg --pre rm x',
    'tar -xf a --to-command="rm x"',
    'tar -cf a b --checkpoint-action=exec="rm x"',
    'tar -I "rm x" -xf a',
  ],
  ...[
    'tar -xzf a --use-compress=rm',
    'split --filter="rm x" f',
    'man -Prm ls',
    'man -P "rm x" ls',
    'rsync -e "rm x" a b',
  ],
  ...[
    'git -c alias.x="!rm y" x',
    'git -c core.pager="rm x" log',
    'git -ccore.pager="rm x" log',
    'git rebase -x "rm y" z',
  ],
  ...['git rebase --exec="rm y"', 'git difftool -x "rm x"', 'git grep -O"rm x" y', 'git clone "ext::rm x"'],
  ...[
    'git clone -u "rm x" a',
    'git clone -c core.sshCommand="rm x" a',
    'git config alias.z "!rm x"',
    'git fetch --upload-pack="rm x"',
  ],
  ...[
    'git filter-branch --tree-filter "rm x" HEAD',
    'GIT_PAGER="rm x" git log',
    "export GIT_SSH_COMMAND='rm x'",
  ],
  ...[
    "PS4='$(rm x)'; set -x",
    'LESSOPEN="|rm x" less a',
    'bash <<E\nrm x\nE',
    'bash <<-"E"\n\trm x\n\tE',
    'bash <<< "rm x"',
  ],
  ...[
    'xargs -I{} sh -c "rm {}"',
    'cat <<E\n`rm x`\nE',
    'echo $((`rm x`))',
    '((y=$(rm x)))',
    'case $(rm x) in esac',
    'A=(1 $(rm x))',
  ],
  ...[
    'echo ${y:-`rm x`}',
    'echo >(rm x)',
    '[[ -n $(rm x) ]]',
    'select y in $(rm x); do :; done',
    'function f() ( rm x )',
  ],
];

describe('restricted commands', () => {
  it.each([...disguises, ...scripts])('are found in %j', (command) => {
    expect(action(command, ['reject', 'rm *'], ['allow', '*'])).toBe('reject');
  });

  it('are found at the end of thousands', () => {
    expect(action(`${'true && '.repeat(5_000)}rm x`, ['reject', 'rm *'], ['allow', '*'])).toBe('reject');
  });

  it.each([
    'rm --recursive --force /',
    'rm -r -v -f /',
    'rm -rfi /',
    'rm -fR -- /',
    'rm --r --f /',
  ])('are found with their options in another form: %s', (command) => {
    expect(action(command, ['reject', 'rm -rf /*'], ['allow', '*'])).toBe('reject');
  });
});

describe('commands known only at run time', () => {
  it.each([
    ...[
      'timeout --unknown 5 ls',
      'env $x',
      'xargs -Q ls',
      'bash -k -c ls',
      'bash --posix -c ls',
      'sh -i',
      'su x',
    ],
    ...["sh -c '((touch x))'", "sh -c '[[ a && touch b ]]'", "sh -c \"echo $'a\\\\'; touch x; #'\""],
    ...[
      'bash 3<f <<"E" 0>&3\nls\nE',
      'bash 3<<"E"\nls\nE',
      '{ bash; } <<"E"\nls\nE',
      'bash <<E\n$x\nE',
      'bash <f',
    ],
    ...[
      'find $x',
      'find * -name a',
      'a=-exec; find . "$a" ls \\;',
      'git --config-env=core.pager=X log',
      'git -c include.path=x log',
    ],
    ...[
      'git --exec-path=. log',
      'git -c core.hooksPath=x commit',
      'sed 1e f',
      "sed 's/a/b/e' f",
      "awk 'BEGIN{system(1)}'",
    ],
    ...[
      'awk \'{print | "sh"}\'',
      'for PATH in .; do ls; done',
      'echo ${PS4:=x}',
      'set -k',
      'set -o posix',
      'enable -f x ls',
    ],
    ...[
      'compgen -W x',
      'zsh -c ls',
      'tmux new ls',
      'strace -o x ls',
      'vim -c q',
      'ed f',
      'chroot d',
      'sudo -s',
      'ld.so $x',
    ],
    ...[
      '`a \\"b\\"`',
      'echo ${x@P}',
      'parallel ls',
      '$x',
      'hash -p /x ls',
      'sort --compress-program "$x"',
      'at now',
    ],
  ])('%j is not allowed by any rule', (command) => {
    expect(action(command, ['allow', '*'])).not.toBe('allow');
  });
});

describe('an allowance', () => {
  it.each<[command: string, ...allowed: string[]]>([
    ['timeout 60 nice -n 10 go test ./...', 'go test *'],
    ['npm test 2>&1 | tail -n 5', 'npm *', 'tail *'],
    ['(cd sub && npm test)', 'cd *', 'npm *'],
    ['bash -lc "npm test"', 'npm *'],
    ['poetry run pytest -q', 'poetry run *'],
    ['docker run --rm img make test', 'docker *'],
    ['git -C sub -c color.ui=false log', 'git *'],
    ['git -c user.name=x commit -m y', 'git *'],
    ['find src -name x -exec grep y {} +', 'find *', 'grep *'],
    ['find . -type f -print0 | xargs -0 grep -n a', 'find *', 'grep *'],
    ["sed -i -e '/a/,/b/{s/c/d/;d}' f", 'sed *'],
    ["awk -F'|' '/a|b/ || $2 == \"|\" { n++ } END { print n }' f", 'awk *'],
    ['tar -czf out.tgz src', 'tar *'],
    ['rg --pretty -e a -g "*.ts"', 'rg *'],
    ['cp a b && echo c | tee d', 'cp *', 'echo *', 'tee *'],
    ['for FILE in *.txt; do [[ -f $FILE ]] && cat "$FILE"; done', 'cat *'],
    ["cat <<'E'\n$(rm x)\nE", 'cat *'],
    ["python3 - <<'E'\nimport os\nE", 'python3 *'],
    ['curl -s u -o f', 'curl *'],
    ['echo "a $(echo b) `echo c`" 2>/dev/null', 'echo *'],
    ['set -euo pipefail; make', 'set *', 'make'],
  ])('covers %j', (command, ...allowed) => {
    expect(action(command, ['allow', ...allowed])).toBe('allow');
  });

  it.each<[command: string, ...allowed: string[]]>([
    ['GIT_PAGER=x git log', 'git *'],
    ['LD_PRELOAD=x git log', 'git *'],
    ['PATH=. git log', 'git *'],
    ['./git log', 'git *'],
    ['/tmp/git log', 'git *'],
    ['bin/git log', 'git *'],
    ['env A=1 git log', 'git *'],
    ['git log | cat', 'git *'],
    ['git -c core.pager=/tmp/x diff', 'git *'],
    ['git log --output=f', 'git *'],
    ['sort -o f g', 'sort *'],
    ['find . -fprintf f x', 'find *'],
    ["sed 's/a/b/w f' g", 'sed *'],
    ['awk \'{print > "f"}\' g', 'awk *'],
    ['uniq a b', 'uniq *'],
    ['xargs ls', 'xargs *'],
    ['sudo ls', 'ls *'],
    ['git log', 'GIT log'],
    ['f() { git log; }; f', 'git *'],
    ['x=1; git log', 'git *'],
    ['ssh host uptime', 'ssh *'],
  ])('does not cover %j', (command, ...allowed) => {
    expect(action(command, ['allow', ...allowed])).toBe('ask');
  });

  it('of an output file covers the option that names the file', () => {
    expect(action('sort -o f g', ['allow', 'sort *', '> f'])).toBe('allow');
  });
});

it.each([
  ['sort a'],
  ['sort --compress-program rm a', 'rm'],
  ['sort --compress-program "$x" a', '`sort` runs something computed'],
  ['sort --compress-program rm --compress-program "$x"', 'rm', '`sort` runs something computed'],
  ['/lib/ld-musl-x86_64.so.1 rm x', 'rm x'],
  ['/lib64/ld-linux-x86-64.so.2 --preload a.so rm x', 'rm x'],
  ['ld.so', ...[]],
])('%j runs exactly the named commands in addition to itself', (script, ...reported) => {
  expect(whatRuns(script).slice(1)).toEqual(reported);
});
