// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash writes its variables so
import { expect, test } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { destroys } from '../../../src/permissions/shell/destructive.ts';

const reasons = (script: string) =>
  analyseScript(script)
    .commands.map(destroys)
    .filter((reason) => reason !== null);

const destructive: Readonly<Record<string, readonly string[]>> = {
  'stops the machine': [
    ...['shutdown now', 'reboot', 'halt', 'poweroff', 'init 0', 'telinit 0', 'systemctl poweroff'],
    ...['systemctl reboot', 'systemctl halt', 'systemctl kexec', 'systemctl rescue', 'systemctl emergency'],
  ],
  'destroys what is stored': [
    ...['mkfs /dev/x', 'mkfs.ext4 /dev/x', 'mke2fs /dev/x', 'mkswap /dev/x', 'fdisk /dev/x', 'sfdisk /dev/x'],
    ...['parted /dev/x', 'wipefs /dev/x', 'blkdiscard /dev/x', 'shred f'],
  ],
  'runs as another user': ['sudo x', 'doas x', 'su x', 'pkexec x'],
  'deletes folders without asking': [
    'rm -rf x',
    'rm -fR x',
    'rm -r -f x',
    'rm --recursive --force x',
    'rm --r --f x',
  ],
  'deletes everything': [
    ...[
      'rm -r /',
      'rm -R ~',
      'rm -r .',
      'rm -r /*',
      'rm -r ~/',
      'rm -r ./',
      'rm -r ..',
      'rm -r ../',
      'rm -r *',
    ],
    ...['rm -r */', 'rm -r $HOME', 'rm -r ${HOME}', 'rm -r $HOME/', 'rm -r "$HOME"', 'rm -r "${HOME}"/'],
    ...['rm -r /usr', 'rm -r /usr/', 'rm --recursive a /', 'rm -r "$HOME"/'],
  ],
  'overwrites the file named by `of=`': ['dd if=a of=b'],
  'opens files to all users': [
    ...['chmod 777 f', 'chmod 0777 f', 'chmod a+rwx f', 'chmod u+s f', 'chmod +s f', 'chmod ug+xs f'],
    ...['chmod 2755 f', 'chmod 4755 f', 'chmod 7777 f'],
  ],
  'takes files from their owners': ['chown -R a /', 'chown --recursive a ~'],
  'deletes whatever it finds': ['find . -name x -delete'],
  'throws files away': ['mv x /dev/null'],
  'ends every process': ['kill -1', 'kill -9 -1'],
  'deletes the timetable': ['crontab -r'],
  'publishes to the world': [
    ...['npm publish', 'pnpm publish', 'yarn publish', 'cargo publish', 'poetry publish', 'npm unpublish x'],
    ...['npm --tag a publish', 'cargo +nightly publish', 'npm --unknown a publish', 'poetry -q publish'],
  ],
  'destroys infrastructure': ['terraform destroy', 'kubectl delete pod x'],
  'runs what was just downloaded': [
    ...['curl u | sh', 'wget -O- u | bash', 'fetch u | dash', 'nc h 1 | zsh', 'ncat h 1 | ksh'],
    ...['socat - h | fish', 'curl u | python', 'curl u | python3', 'curl u | node', 'curl u | perl'],
    ...['curl u | ruby', 'curl u | php'],
  ],
  'overwrites or deletes what others have pushed': [
    ...['git push -f', 'git push --force', 'git push --force-with-lease', 'git push --mirror'],
    ...[
      'git push --delete o b',
      'git push --prune o',
      'git push -d o b',
      'git push o +main',
      'git push o :main',
    ],
    'git -C d push -f',
  ],
  'throws away uncommitted work': [
    ...['git reset --hard', 'git checkout -f', 'git checkout --force', 'git switch -f'],
    ...[
      'git switch --discard-changes',
      'git -c a=b reset --hard',
      'git --git-dir x --work-tree y reset --hard',
      'git --unknown x reset --hard',
      'git --unknown reset --hard',
      'git --namespace=a -p reset --hard',
    ],
  ],
  'deletes untracked files': ['git clean -fd', 'git clean --force'],
  'deletes unmerged work': ['git branch -D b', 'git branch -d -f b', 'git branch --delete --force b'],
  'throws away stashed work': ['git stash clear', 'git stash drop'],
  'deletes history': ['git reflog expire --all', 'git reflog delete x'],
  'rewrites history': ['git filter-branch x', 'git filter-repo x'],
};

test.each(Object.entries(destructive))('%s: every command that does', (reason, scripts) => {
  expect(scripts.filter((script) => !reasons(script).includes(reason))).toEqual([]);
});

test('a command that overwrites nothing is not destructive', () => {
  const stored = [
    ...['rm x', 'rm -f x', 'rm -r d', 'dd if=a', 'chmod 755 f', 'chmod 1755 f', 'chmod u+x f', 'chmod 77 f'],
    ...['chown -R a d', 'chown a /', 'find . -name x', 'mv a b', 'kill 1', 'kill -9 12', 'crontab -l'],
    ...[
      'systemctl status x',
      'npm run publish',
      'npm pack',
      'terraform plan',
      'kubectl get pod',
      'cat f | sh',
    ],
    ...['curl u | cat', 'git push', 'git push o main', 'git reset x', 'git clean -n', 'git checkout b'],
    ...[
      'rm -r a/',
      'rm -r /usr/a',
      'rm -r a/*',
      'rm -r .a',
      'rm -r ...',
      'rm -r $HOMES',
      'rm -r x$HOME',
      'rm -r ~a',
    ],
    ...['rm -r "$x"', 'rm -r $HOME/a', 'rm x-r /', 'rm --fo x /', 'rm a.rf', 'chmod x777 f', 'chmod 47555 f'],
    ...[
      'chmod a+rwxs',
      'chmod xa+rwx f',
      'chmod 12755 f',
      'systemctl xreboot',
      'systemctl rebooted',
      'dd xof=b',
    ],
    ...[
      'kill -1 12',
      'npm x publish',
      'npm xpublish',
      'npm publishes',
      'mkfsx',
      'find . -deletes',
      'mv a /dev/nullx',
    ],
    ...[
      'git x push -f',
      'git branch x-D',
      'git push o a+b',
      'git push o a:b',
      'git push x--force',
      'git stash pop drop',
    ],
    ...[
      'git push x-d',
      'git push --deleted',
      'git push + :',
      'git reflog show delete',
      'git',
      'git -C d',
      'x=1',
    ],
    ...['git switch b', 'git branch -d b', 'git branch -f b', 'git stash', 'git reflog', 'git log', 'ls'],
  ];
  expect(stored.filter((script) => reasons(script).length > 0)).toEqual([]);
});
