import { expect, test } from 'vitest';
import { whatRuns } from './what-runs.ts';

/**
 * Settings that run nothing: their names resemble those that do, at either end or in the middle.
 */
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

test('a setting whose name only resembles that of a program runs nothing', () => {
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

test('a setting whose value is a program runs it', () => {
  const found = programs.map((name) => whatRuns(`git -c ${name}=run log`).at(-1));
  expect(found).toEqual(programs.map(() => 'run'));
});

test('settings that redirect git are recognised by their full names', () => {
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

test('a setting that is a switch or names a usual pager runs nothing', () => {
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

test('only the first of several reasons for an unknown part is reported', () => {
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
