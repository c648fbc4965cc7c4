import { expect, test } from 'vitest';
import {
  hardDeny,
  isPlainDevice,
  isTemporary,
  startFolder,
  startsElsewhere,
} from '../../../src/permissions/gate/hard-denies.ts';
import { isProtected } from '../../../src/permissions/gate/protected-paths.ts';
import type { Policy, PolicyCall } from '../../../src/permissions/policy/policy.ts';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { bashCall, pathCall, policy } from '../gate-fixtures.ts';

const denied = (call: PolicyCall, change: Partial<Policy> = {}) =>
  hardDeny(call, (call.targets.commands ?? []).map(analyseScript), policy(change));
const within = (command: string, cwd: string) => bashCall(command, { input: { command, cwd } });

const credentials = (path: string) => ({
  reason: `\`${path}\` may be neither read nor written: credentials are kept there.`,
});
const hooks = (path: string) => ({
  reason: `\`${path}\` is protected, because it is git's own folder. No run may change it.`,
});
const outside = (path: string) => ({
  reason: `\`> ${path}\` writes outside the workspace.`,
  advice: 'Write inside it, or under /tmp.',
});

test.each<[title: string, call: PolicyCall, why: ReturnType<typeof denied>]>([
  ['reads inside', pathCall('read', 'read', 'a'), null],
  ['writes inside', pathCall('edit_file', 'write', 'a'), null],
  ['reads what is protected', pathCall('read', 'read', 'AGENTS.md'), null],
  [
    'reads outside',
    pathCall('read', 'read', '/etc/x'),
    { reason: '`/etc/x` lies outside the workspace.', advice: 'Use paths inside it.' },
  ],
  ['reads a credential', pathCall('read', 'read', 'a', '.netrc'), credentials('.netrc')],
  ['writes a credential', pathCall('edit_file', 'write', '.netrc'), credentials('.netrc')],
  ['writes what is protected', pathCall('edit_file', 'write', '.git/hooks/x'), hooks('.git/hooks/x')],
  ['redirects into it', bashCall('ls > .git/x'), hooks('.git/x')],
  ['copies into it', bashCall('cp a .git/x'), hooks('.git/x')],
  ['copies into it by its whole path', bashCall('cp a /repo/.git/x'), hooks('.git/x')],
  ['copies into it from a folder', within('cp a ../.git/x', 'sub'), hooks('.git/x')],
  ['redirects into it from a folder', within('ls > .git/x', 'sub'), hooks('sub/.git/x')],
  ['copies out of the workspace', bashCall('cp a /srv/.git/x'), null],
  ['names a credential', bashCall('cat ~/.netrc'), credentials('~/.netrc')],
  ['names one as an option', bashCall('ls --ignore=.netrc'), null],
  ['names one as the program', bashCall('.netrc a'), null],
  ['reads one by a redirection', bashCall('cat < /root/.netrc'), credentials('/root/.netrc')],
  ['writes to a device', bashCall('ls > /dev/null'), null],
  ['writes elsewhere', bashCall('ls > /srv/x'), null],
])('a hard deny stops a call that %s in a sandbox', (_, call, why) => {
  expect(denied(call)).toEqual(why);
});

test('without a sandbox a redirection out of the workspace may write only to temporary folders and devices', () => {
  const scripts = [
    'ls > /srv/x',
    'ls > ../x',
    'cat < /srv/x',
    'ls > /tmp/x',
    'ls > /dev/tty1',
    'ls <> /srv/y',
  ];
  expect(scripts.map((script) => denied(bashCall(script), { sandboxed: false }))).toEqual([
    outside('/srv/x'),
    outside('../x'),
    null,
    null,
    null,
    outside('/srv/y'),
  ]);
});

test('a folder that is mounted for reading cannot be written', () => {
  const relativePath = (path: string) => path;
  expect([
    denied(pathCall('edit_file', 'write', '/opt/docs/a'), { relativePath }),
    denied(pathCall('read', 'read', '/opt/docs/a'), { relativePath }),
  ]).toEqual([{ reason: '`/opt/docs/a` may only be read.', advice: 'Write inside the workspace.' }, null]);
});

test('the configuration can lift protected paths', () => {
  const protectedAllow = ['.github/workflows/a.yml'];
  const calls = ['a', 'b'].flatMap((name) => [
    pathCall('edit_file', 'write', `.github/workflows/${name}.yml`),
    bashCall(`touch .github/workflows/${name}.yml`),
    bashCall(`ls > .github/workflows/${name}.yml`),
  ]);
  const why = {
    reason:
      '`.github/workflows/b.yml` is protected, because workflows run with the secrets of the repository. No run may change it.',
  };
  expect(calls.map((call) => denied(call, { protectedAllow }))).toEqual([null, null, null, why, why, why]);
});

test('a call starts in the folder that it names', () => {
  const inputs = [{ cwd: 'a' }, { workdir: 'b' }, { cwd: 'a', workdir: 'b' }, { cwd: 1 }, {}];
  expect(inputs.map((input) => startFolder(bashCall('ls', { input })))).toEqual(['a', 'b', 'a', '', '']);
});

test('a start folder outside gets advice, with `cd` only if that works', () => {
  const call = within('ls', '/srv/x');
  const reported = (folder: string, advice: string) => ({
    reason: `\`${folder}\` is outside the workspace, where commands must start. Nothing was run.`,
    advice,
  });
  const byCd = 'Leave the folder out and go there by `cd` in the command.';
  const open = { sandboxed: false, preset: 'unrestricted' } as const;
  expect([
    startsElsewhere(call, policy()),
    startsElsewhere(call, policy(open)),
    startsElsewhere(call, policy({ ...open, readOnly: true })),
    startsElsewhere(call, policy({ ...open, commandCeiling: 'there is no sandbox' })),
    startsElsewhere(call, policy({ sandboxed: false })),
    startsElsewhere(within('ls', 'sub'), policy()),
    startsElsewhere(within('ls', ''), policy()),
    startsElsewhere(within('ls', '/root/.ssh'), policy()),
    startsElsewhere({ ...call, targets: { what: 'x', commands: [] } }, policy()),
    startsElsewhere({ ...call, targets: { what: 'x' } }, policy()),
    startsElsewhere(within('ls', '/tmp/x'), policy()),
  ]).toEqual([
    reported('/srv/x', 'Leave the folder out, or name one of the workspace, from its root.'),
    reported('/srv/x', byCd),
    ...Array.from({ length: 8 }, () => null),
    reported('/tmp/x', byCd),
  ]);
});

test('temporary folders and devices that store nothing are recognised', () => {
  const devices = ['null', 'zero', 'stdout', 'stderr', 'tty', 'random', 'urandom'];
  expect(devices.filter((name) => !isPlainDevice(`/dev/${name}`))).toEqual([]);
  const others = [
    '/dev/sda',
    '/dev/stdin',
    '/dev/fd/12',
    '/dev/tty1',
    '/dev/fd/',
    '/dev/fd/x',
    'dev/null',
    '/x/dev/null',
    '/dev/xrandom',
  ];
  expect(others.filter(isPlainDevice)).toEqual([]);
  const temporary = ['/tmp', '/tmp/a', '/var/tmp', '/var/tmp/a', '/srv/../tmp/x'];
  const lasting = ['/tmpx', '/var', '/var/tmpx', 'tmp', '/srv/tmp', '/tmp/../srv'];
  expect([temporary.filter((path) => !isTemporary(path)), lasting.filter(isTemporary)]).toEqual([[], []]);
});

const agents = 'it instructs agents';
const people = 'hooks run on the machines of everyone who works here';
const folders =
  '.agents .claude .cursor .gemini .codex .opencode .windsurf .clinerules .roo .kiro .junie .continue .qwen .amazonq';

test.each<[why: string, ...paths: string[]]>([
  ['it steers git itself', '.git', 'a/.git'],
  ["it is git's own folder", '.git/x', 'a/.git/b/c'],
  ["it is the run's own record", '.anode-harness', '.anode-harness/x', 'a/.anode-harness/x'],
  ['it holds the policy of this bot', '.github/anode', '.github/anode/x', '.github/anode.yml'],
  ['workflows run with the secrets of the repository', '.github/workflows', '.github/workflows/a/b'],
  ['actions run with the secrets of the workflows that use them', '.github/actions', '.github/actions/a/b'],
  [
    agents,
    ...['agents', 'agent', 'claude', 'gemini'].flatMap((name) => [`${name}.md`, `a/${name}.local.md`]),
  ],
  [agents, ...folders.split(' ').flatMap((name) => [name, `a/${name}`, `${name}/x/y`])],
  [agents, '.cursorrules', '.windsurfrules', '.roorules', '.goosehints', 'qwen.md', 'a/qwen.md'],
  [
    'it names servers that agents start',
    '.mcp.json',
    'a/.mcp.json',
    '.vscode/mcp.json',
    'a/.vscode/mcp.json',
  ],
  [
    agents,
    ...['instructions', 'prompts', 'agents', 'skills'].flatMap((name) => [
      `.github/${name}`,
      `.github/${name}/a/b`,
    ]),
  ],
  [agents, '.github/copilot-instructions.md'],
  [people, '.husky', '.githooks', 'a/.husky', '.husky/x/y', 'a/.githooks/x'],
  ['it says who must approve changes', 'codeowners', '.github/codeowners', 'docs/codeowners'],
])('writing is refused in every run, because %s', (why, ...paths) => {
  expect(paths.map((path) => isProtected(path))).toEqual(paths.map(() => why));
});

test('similar names can be written', () => {
  const paths = [
    ...[
      '.gitx',
      '.github/anodes',
      '.github/workflow',
      '.github/action',
      'a/.github/workflows/x',
      'agents.txt',
    ],
    ...['agents.local.txt', 'my-agents.md', 'claude', '.agentx', '.claudes/x', 'cursorrules', '.mcp.jsonc'],
    ...[
      'vscode/mcp.json',
      '.vscode/settings.jsonc',
      'a/.github/prompts/x',
      '.github/prompt',
      'huskyrc',
      '.huskyrcx',
    ],
    ...['a/codeowners', 'docs/a/codeowners', '.github/copilot.md', '.', ''],
  ];
  expect(paths.filter((path) => isProtected(path) !== null)).toEqual([]);
});

test('a path is recognised in any spelling', () => {
  const spelt = ['.git ', '.git...', './/a//../.git', 'a/./.git', '\uff0egit', '.gi\u00adt', '.GIT/X. /y'];
  expect(spelt.filter((path) => isProtected(path) === null)).toEqual([]);
  expect([isProtected('... /x'), isProtected('AGENTS.md', ['agents.MD'])]).toEqual([null, null]);
});
