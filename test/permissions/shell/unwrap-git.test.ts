import { expect, test } from 'vitest';
import { whatRuns } from './what-runs.ts';

test.each<[script: string, runs: string[]]>([
  ['git -c alias.x="!rm y" x', ['git -c alias.x=!rm y x', 'rm y']],
  ['git -c alias.x="log -1" x', ['git -c alias.x=log -1 x', 'git log -1']],
  ['git -c core.pager="rm x" log', ['git -c core.pager=rm x log', 'rm x']],
  ['git -c core.pager=cat log', ['git -c core.pager=cat log']],
  ['git -c core.pager= log', ['git -c core.pager= log']],
  ['git -c color.ui=always log', ['git -c color.ui=always log']],
  ['git -c "$s" log', ['git -c ? log', 'a setting of `git` is computed']],
  ['git -c CORE.EDITOR=run log', ['git -c CORE.EDITOR=run log', 'run']],
  [
    'git -c core.hooksPath=d log',
    ['git -c core.hooksPath=d log', '`core.hooksPath` has `git` run what it finds elsewhere'],
  ],
  [
    'git -c includeIf.a.path=f log',
    ['git -c includeIf.a.path=f log', '`includeIf.a.path` has `git` run what it finds elsewhere'],
  ],
  [
    'git -c include.path=f log',
    ['git -c include.path=f log', '`include.path` has `git` run what it finds elsewhere'],
  ],
  [
    'git -c core.worktree=d log',
    ['git -c core.worktree=d log', '`core.worktree` has `git` run what it finds elsewhere'],
  ],
  [
    'git -c core.attributesFile=f log',
    ['git -c core.attributesFile=f log', '`core.attributesFile` has `git` run what it finds elsewhere'],
  ],
  [
    'git -c init.templateDir=d log',
    ['git -c init.templateDir=d log', '`init.templateDir` has `git` run what it finds elsewhere'],
  ],
  [
    'git -c protocol.ext.allow=always log',
    ['git -c protocol.ext.allow=always log', '`protocol.ext.allow` has `git` run what it finds elsewhere'],
  ],
  ['git -ccore.sshCommand=run log', ['git -ccore.sshCommand=run log', 'run']],
  [
    'git --config-env core.pager=X log',
    ['git --config-env core.pager=X log', 'a setting of `git` stands in a variable'],
  ],
  [
    'git --config-env=core.pager=X log',
    ['git --config-env=core.pager=X log', 'a setting of `git` stands in a variable'],
  ],
  ['git --exec-path=d log', ['git --exec-path=d log', '`git` runs its commands from another folder']],
  [
    'git -C d --git-dir g --work-tree w --namespace n --super-prefix s --attr-source a -c core.askPass=run log',
    [
      'git -C d --git-dir g --work-tree w --namespace n --super-prefix s --attr-source a -c core.askPass=run log',
      'run',
    ],
  ],
  ['git --no-pager -c sequence.editor=run log', ['git --no-pager -c sequence.editor=run log', 'run']],
  ['git rebase -x "run a" b', ['git rebase -x run a b', 'run a']],
  ['git rebase -xrun b', ['git rebase -xrun b', 'run']],
  ['git rebase --exec "run a" b', ['git rebase --exec run a b', 'run a']],
  ['git rebase --exec="run a" b', ['git rebase --exec=run a b', 'run a']],
  ['git rebase --exec "$s" b', ['git rebase --exec ? b', '`git` runs something computed']],
  ['git difftool -x run', ['git difftool -x run', 'run']],
  ['git difftool -xrun', ['git difftool -xrun', 'run']],
  ['git difftool --extcmd run', ['git difftool --extcmd run', 'run']],
  ['git difftool --extcmd=run', ['git difftool --extcmd=run', 'run']],
  ['git grep -Orun x', ['git grep -Orun x', 'run']],
  ['git grep --open-files-in-pager=run x', ['git grep --open-files-in-pager=run x', 'run']],
  ['git clone -u run a', ['git clone -u run a', 'run']],
  ['git clone -urun a', ['git clone -urun a', 'run']],
  ['git clone --upload-pack run a', ['git clone --upload-pack run a', 'run']],
  ['git clone --upload-pack=run a', ['git clone --upload-pack=run a', 'run']],
  ['git clone -c core.sshCommand=run a', ['git clone -c core.sshCommand=run a', 'run']],
  ['git clone --config core.sshCommand=run a', ['git clone --config core.sshCommand=run a', 'run']],
  ['git clone --config=core.sshCommand=run a', ['git clone --config=core.sshCommand=run a', 'run']],
  ['git init -c core.fsmonitor=run', ['git init -c core.fsmonitor=run', 'run']],
  ['git fetch --upload-pack run', ['git fetch --upload-pack run', 'run']],
  ['git fetch --upload-pack=run', ['git fetch --upload-pack=run', 'run']],
  ['git fetch-pack --upload-pack=run', ['git fetch-pack --upload-pack=run', 'run']],
  ['git fetch-pack --exec run', ['git fetch-pack --exec run', 'run']],
  ['git ls-remote --upload-pack=run', ['git ls-remote --upload-pack=run', 'run']],
  ['git ls-remote --exec=run', ['git ls-remote --exec=run', 'run']],
  ['git push --receive-pack=run', ['git push --receive-pack=run', 'run']],
  ['git push --exec run', ['git push --exec run', 'run']],
  ['git send-pack --receive-pack=run', ['git send-pack --receive-pack=run', 'run']],
  ['git send-pack --exec=run', ['git send-pack --exec=run', 'run']],
  ['git archive --exec=run', ['git archive --exec=run', 'run']],
  ['git filter-branch --tree-filter run', ['git filter-branch --tree-filter run', 'run']],
  ['git filter-branch --msg-filter=run', ['git filter-branch --msg-filter=run', 'run']],
  ['git send-email --to-cmd=run', ['git send-email --to-cmd=run', 'run']],
  ['git send-email --cc-cmd run', ['git send-email --cc-cmd run', 'run']],
  ['git send-email --header-cmd=run', ['git send-email --header-cmd=run', 'run']],
  ['git send-email --smtp-server=run', ['git send-email --smtp-server=run', 'run']],
  ['git send-email --sendmail-cmd=run', ['git send-email --sendmail-cmd=run', 'run']],
  ['git clone ext::run', ['git clone ext::run', 'run']],
  ['git clone ext::$s', ['git clone ?', '`git` runs something computed']],
  ['git bisect run rm x', ['git bisect run rm x', 'rm x']],
  ['git bisect run "$s" x', ['git bisect run ? x', '`git` runs something computed']],
  ['git bisect run', ['git bisect run']],
  ['git submodule foreach rm x', ['git submodule foreach rm x', 'rm x']],
  ['git submodule foreach --quiet rm x', ['git submodule foreach --quiet rm x', 'rm x']],
  ['git submodule foreach -q rm x', ['git submodule foreach -q rm x', 'rm x']],
  ['git submodule foreach --recursive rm x', ['git submodule foreach --recursive rm x', 'rm x']],
  ['git submodule foreach -- rm x', ['git submodule foreach -- rm x', 'rm x']],
  ['git submodule update x', ['git submodule update x']],
  ['git stash foreach rm', ['git stash foreach rm']],
  ['git config alias.z "!run"', ['git config alias.z !run', 'run']],
  ['git config set core.pager run', ['git config set core.pager run', 'run']],
  ['git config --global --add core.pager run', ['git config --global --add core.pager run', 'run']],
  ['git config core.pager', ['git config core.pager']],
  ['git config color.ui run', ['git config color.ui run']],
  ['git config core.pager "$s"', ['git config core.pager ?', 'a setting of `git` is computed']],
  [
    'git -c "$s" -c core.pager=run log',
    ['git -c ? -c core.pager=run log', 'run', 'a setting of `git` is computed'],
  ],
  ['git commit -x run', ['git commit -x run']],
  ['git log --exec=run', ['git log --exec=run']],
  ['git -c credential.helper=run log', ['git -c credential.helper=run log', 'run']],
  ['git -c credential.https://a.helper=run log', ['git -c credential.https://a.helper=run log', 'run']],
  ['git -c pager.log=run log', ['git -c pager.log=run log', 'run']],
  ['git -c pager.log=true log', ['git -c pager.log=true log']],
  ['git -c diff.external=run log', ['git -c diff.external=run log', 'run']],
  ['git -c diff.a.command=run log', ['git -c diff.a.command=run log', 'run']],
  ['git -c diff.a.textconv=run log', ['git -c diff.a.textconv=run log', 'run']],
  ['git -c merge.a.driver=run log', ['git -c merge.a.driver=run log', 'run']],
  ['git -c filter.a.clean=run log', ['git -c filter.a.clean=run log', 'run']],
  ['git -c filter.a.smudge=run log', ['git -c filter.a.smudge=run log', 'run']],
  ['git -c filter.a.process=run log', ['git -c filter.a.process=run log', 'run']],
  ['git -c gpg.program=run log', ['git -c gpg.program=run log', 'run']],
  ['git -c gpg.ssh.program=run log', ['git -c gpg.ssh.program=run log', 'run']],
  ['git -c difftool.a.cmd=run log', ['git -c difftool.a.cmd=run log', 'run']],
  ['git -c mergetool.a.path=run log', ['git -c mergetool.a.path=run log', 'run']],
  ['git -c interactive.diffFilter=run log', ['git -c interactive.diffFilter=run log', 'run']],
  ['git -c uploadpack.packObjectsHook=run log', ['git -c uploadpack.packObjectsHook=run log', 'run']],
  ['git -c trailer.a.cmd=run log', ['git -c trailer.a.cmd=run log', 'run']],
  ['git -c trailer.a.command=run log', ['git -c trailer.a.command=run log', 'run']],
  ['git -c browser.a.cmd=run log', ['git -c browser.a.cmd=run log', 'run']],
  ['git -c man.a.cmd=run log', ['git -c man.a.cmd=run log', 'run']],
  ['git -c remote.a.uploadpack=run log', ['git -c remote.a.uploadpack=run log', 'run']],
  ['git -c remote.a.receivepack=run log', ['git -c remote.a.receivepack=run log', 'run']],
  ['git -c remote.a.vcs=run log', ['git -c remote.a.vcs=run log', 'run']],
  ['git -c sendemail.a=run log', ['git -c sendemail.a=run log', 'run']],
  ['git -c submodule.a.update=!run log', ['git -c submodule.a.update=!run log', 'run']],
  ['git -c difftool.prompt=run log', ['git -c difftool.prompt=run log', 'run']],
  ['git -c mergetool.prompt=run log', ['git -c mergetool.prompt=run log', 'run']],
  ['git -c tar.a.command=run log', ['git -c tar.a.command=run log', 'run']],
  ['git -c web.browser=run log', ['git -c web.browser=run log', 'run']],
  ['git -c instaweb.httpd=run log', ['git -c instaweb.httpd=run log', 'run']],
  ['git -c receive.a=run log', ['git -c receive.a=run log', 'run']],
  ['git -c ssh.variant=run log', ['git -c ssh.variant=run log', 'run']],
  ['git -c imap.tunnel=run log', ['git -c imap.tunnel=run log', 'run']],
  ['git -c core.gitProxy=run log', ['git -c core.gitProxy=run log', 'run']],
  ['git -c core.alternateRefsCommand=run log', ['git -c core.alternateRefsCommand=run log', 'run']],
  ['git -c core.fsmonitor=true log', ['git -c core.fsmonitor=true log']],
  ['git -c core.pager=less log', ['git -c core.pager=less log']],
  ['git -c ssh.variant=simple log', ['git -c ssh.variant=simple log']],
])('what git runs is found in: %s', (script, runs) => {
  expect(whatRuns(script)).toEqual(runs);
});

/** Settings that run nothing: their names are near those that do, at either end or between. */
const harmless = [
  ...[
    'xcore.pager',
    'core.pagers',
    'core.editorx',
    'corexpager',
    'core.page',
    'sequence.editors',
    'sequencexeditor',
  ],
  ...['xpager.log', 'pagerxlog', 'diff.externals', 'diffxexternal', 'diff.ab.commands', 'diff.abxcommand'],
  ...[
    'merge.ab.drivers',
    'mergexab.driver',
    'filter.ab.cleans',
    'filter.ab',
    'credential.helpers',
    'xcredential.helper',
  ],
  ...[
    'credentialxhelper',
    'gpg.programs',
    'gpgxprogram',
    'xdifftool.ab',
    'mergetools.ab.cmd',
    'interactive.diff',
  ],
  ...[
    'trailer.ab',
    'trailer.ab.commands',
    'browser.ab.x',
    'man.ab.x',
    'remote.ab.url',
    'remote.ab.uploadpacks',
  ],
  ...['xsendemail.ab', 'submodule.ab.updates', 'tar.ab.commands', 'web.browsers', 'instaweb', 'ssh.variants'],
  ...['imap.tunnels', 'uploadpack.packobjectshooks', 'core', '', 'xalias.ab', 'aliasxab'],
];

test('a setting whose name is only near that of a program runs nothing', () => {
  const scripts = harmless.map((name) => `git -c ${name}=run log`);
  expect(scripts.filter((script) => whatRuns(script).length !== 1)).toEqual([]);
});

/** Settings with longer names between their dots than one letter. */
const programs = [
  ...['diff.abc.command', 'diff.abc.textconv', 'merge.abc.driver', 'filter.abc.clean', 'filter.abc.smudge'],
  ...[
    'filter.abc.process',
    'credential.abc.helper',
    'gpg.abc.program',
    'difftool.abc.cmd',
    'mergetool.abc.path',
  ],
  ...['difftool.abc.path', 'mergetool.abc.cmd', 'trailer.abc.cmd', 'trailer.abc.command', 'browser.abc.cmd'],
  ...[
    'man.abc.cmd',
    'remote.abc.uploadpack',
    'remote.abc.receivepack',
    'remote.abc.vcs',
    'submodule.abc.update',
  ],
  ...[
    'tar.abc.command',
    'sendemail.abc',
    'instaweb.abc',
    'receive.abc',
    'DIFF.External',
    'difftool.',
    'pager.',
  ],
];

test('a setting that is a program runs it, whatever it is for', () => {
  const found = programs.map((name) => whatRuns(`git -c ${name}=run log`).at(-1));
  expect(found).toEqual(programs.map(() => 'run'));
});

test('settings that send git elsewhere are known by their whole names', () => {
  const open = [
    'include.path',
    'INCLUDE.Path',
    'includeif.abc.path',
    'core.hookspath',
    'init.templatedir',
    'protocol.x',
  ];
  const near = [
    'include.paths',
    'xinclude.path',
    'includexpath',
    'includeifx',
    'core.hookspaths',
    'core.worktrees',
  ];
  const others = [
    'core.attributesfiles',
    'init.templatedirs',
    'initxtemplatedir',
    'xprotocol.x',
    'protocolx',
    'core.hooks',
  ];
  const elsewhere = (name: string) =>
    whatRuns(`git -c ${name}=d log`).at(-1) === `\`${name}\` has \`git\` run what it finds elsewhere`;
  expect([open.filter((name) => !elsewhere(name)), [...near, ...others].filter(elsewhere)]).toEqual([[], []]);
});

test('a setting that only switches something, or names a usual pager, runs nothing', () => {
  const values = [
    'true',
    'false',
    'yes',
    'no',
    'on',
    'off',
    '0',
    '1',
    'cat',
    'less',
    'simple',
    'ssh',
    'none',
    '',
    'TRUE',
    'Cat',
  ];
  const others = ['xtrue', 'truex', 'lesser', '01', '10', 'ssh2', 'nones', 'tru'];
  const runs = (value: string) => whatRuns(`git -c core.pager=${value} log`).length > 1;
  expect([values.filter(runs), others.filter((value) => !runs(value))]).toEqual([[], []]);
});

test.each([
  ...['git rebase --executor run', 'git rebase y-x run', 'git rebase y--exec run', 'git rebase -X ours'],
  ...[
    'git difftool --extcmds run',
    'git difftool y-x run',
    'git grep -O x',
    'git grep y-Orun x',
    'git grep --open-files-in-pager x',
  ],
  ...[
    'git clone --upload-packs run',
    'git clone y-u run',
    'git fetch --upload-packs run',
    'git fetch y--upload-pack=run',
  ],
  ...[
    'git fetch-pack --executor run',
    'git fetch-pack y--exec=run',
    'git ls-remote --executor run',
    'git ls-remote y--exec=run',
  ],
  ...[
    'git push --receive-packs run',
    'git push y--exec=run',
    'git send-pack --executor run',
    'git send-pack y--exec=run',
  ],
  ...[
    'git archive --executor run',
    'git archive y--exec=run',
    'git filter-branch --tree-filters run',
    'git filter-branch y--tree-filter run',
  ],
  ...[
    'git send-email --to-cmds run',
    'git send-email y--to-cmd=run',
    'git send-email y--smtp-server=run',
    'git send-email --smtp-servers run',
  ],
  ...[
    'git clone xext::run',
    'git clone y --configs core.pager=run',
    'git clone y x--config=core.pager=run',
    'git cloned -c core.pager=run',
  ],
  ...[
    'git reinit -c core.pager=run',
    'git init y-c core.pager=run',
    'git bisect foreach rm x',
    'git submodule run rm x',
  ],
  ...[
    'git rebisect run rm x',
    'git submodules foreach rm x',
    'git submodule foreach',
    'git configs core.pager run',
    'git config --get core.pager',
  ],
  ...['git config xalias.z run', 'git config set', 'git constructor -x run', 'git toString x'],
])('git runs nothing else in: %s', (script) => {
  expect(whatRuns(script)).toEqual([script]);
});

test.each([
  ...[
    'git --git-dir=g -c core.pager=run log',
    'git --work-tree=w -c core.pager=run log',
    'git --namespace=n -c core.pager=run log',
  ],
  ...[
    'git --super-prefix=s -c core.pager=run log',
    'git --attr-source=a -c core.pager=run log',
    'git -p -c core.pager=run log',
  ],
  ...[
    'git -C d -c core.pager=run log',
    'git clone --upload-pack run ext',
    'git config alias.z !run',
    'git config --add alias.z !run',
  ],
  ...[
    'git config set alias.z !run',
    'git config add core.editor run',
    'git bisect start run run',
    'git submodule foreach --quiet run',
  ],
  ...[
    'git init --config core.editor=run',
    'git init --config=core.editor=run',
    'git send-email --smtp-server run',
    'git push --exec=run',
  ],
])('git runs the program `run` in: %s', (script) => {
  expect(whatRuns(script)).toEqual([script, 'run']);
});

test('the first of several reasons for what is not known is told', () => {
  const computed = '`git` runs something computed';
  expect([
    whatRuns('git -c "$s" --exec-path=d log').at(-1),
    whatRuns('git --exec-path=d -c "$s" log').at(-1),
    whatRuns('git --exec-path=d rebase --exec "$s" b').at(-1),
    whatRuns('git rebase --exec "$s" b').at(-1),
    whatRuns('git rebase --exec="$s" b').at(-1),
    whatRuns('git submodule foreach rm "$s"').at(-1),
    whatRuns('git -c core.hooksPath=d -c include.path=f log').at(-1),
    whatRuns('git --config-env=a=B -c include.path=f log').at(-1),
    whatRuns('git rebase -x').at(-1),
    whatRuns('git rebase --exec= b'),
  ]).toEqual([
    'a setting of `git` is computed',
    ...['`git` runs its commands from another folder', '`git` runs its commands from another folder'],
    ...[computed, computed, computed],
    '`core.hooksPath` has `git` run what it finds elsewhere',
    ...['a setting of `git` stands in a variable', computed],
    ['git rebase --exec= b'],
  ]);
});
