import { expect, test } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { optionPrograms } from '../../../src/permissions/shell/option-programs.ts';

const programs = (script: string) => {
  const [command] = analyseScript(script).commands;
  const [name, ...rest] = command?.words ?? [];
  return optionPrograms(name?.value ?? '', rest);
};

/** Every option that names a program, with `run` as its value. */
const options = [
  ...['sort --compress-program', 'rg --pre', 'rg --hostname-bin', 'tar -I', 'tar --use-compress-program'],
  ...['tar --to-command', 'tar -F', 'tar --info-script', 'tar --new-volume-script', 'tar --rsh-command'],
  ...['tar --rmt-command', 'cpio --rsh-command', 'split --filter', 'man -P', 'man --pager', 'man -H'],
  ...['man --html', 'rsync -e', 'rsync --rsh', 'rsync --rsync-path', 'sdiff --diff-program'],
  ...['diff3 --diff-program', 'zip --unzip-command', 'zip -TT', 'tcpdump -z', 'scp -S', 'sftp -S'],
  ...['script -c', 'script --command', 'nc -e', 'nc -c', 'ncat -e', 'ncat --exec', 'ncat -c'],
  ...['ncat --sh-exec', 'bat --pager', 'ag --pager', 'ack --pager', 'delta --pager', 'wget --use-askpass'],
  ...['fzf --preview', 'nodemon -x', 'nodemon --exec', 'gdb --eval-command', 'mapfile -C', 'readarray -C'],
  ...['compgen -C', 'complete -C', 'bind -x'],
];

test.each(options)('%s takes a program from the next word and from the same word', (option) => {
  const joined = option.includes(' --') ? `${option}=run` : `${option}run`;
  expect([programs(`${option} run x`), programs(`${option} "$x"`), programs(joined)]).toEqual([
    ['run'],
    [null],
    ['run'],
  ]);
});

test.each([
  ['tar --checkpoint-action=exec=run', ['run']],
  ['tar --checkpoint-action=EXEC=run', ['run']],
  ['tar --checkpoint-action=echo', []],
  ['scp -o ProxyCommand=run a b', ['run']],
  ['scp -oproxycommand=run a b', ['run']],
  ['scp -o Port=22 a b', []],
  ['sftp -o ProxyCommand=run a', ['run']],
  ['tar -xzI run', ['run']],
  ['sort --comp run', ['run']],
  ['sort --co run', []],
  ['sort --key 1', []],
  ['sort -o run', []],
  ['sort -- --compress-program run', []],
  ['tar -I -', []],
  ["tar -I ''", []],
  ['sort --compress-program="$x"', [null]],
  ['cat --pager run', []],
] as const)('%s', (script, expected) => {
  expect(programs(script)).toEqual(expected);
});
