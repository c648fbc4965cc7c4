import { describe, expect, it, test } from 'vitest';
import { isCredentialPath } from '../../../src/permissions/gate/credential-paths.ts';
import { isProtected, maybeProtected } from '../../../src/permissions/gate/protected-paths.ts';

const agents = 'it instructs agents';
const hooks = 'hooks run on the machines of everyone who works here';
const editors = 'editors and shells run what it names';
const builds = 'its commands run with the secrets of a build server';
const servers = 'it names servers that agents start';
const owners = 'it says who must approve changes';

/** Names in a text, one after another. */
const names = (text: string) => text.trim().split(/\s+/);

const anyFolder = `.agents .claude .cursor .gemini .codex .opencode .windsurf .clinerules .roo .kiro .junie .continue
  .qwen .amazonq .crush .kilocode .openhands .goose .augment .trae .factory .codebuddy .iflow .tabnine .cody .devin
  .qoder .rovodev .agent .claude-plugin .cursor-plugin .aiassistant .amp .cline .grok .zencoder`;
const instructions = `agents.md agents.local.md agents.override.md agent.md agent.local.md agent.override.md claude.md
  claude.local.md claude.override.md gemini.md gemini.local.md gemini.override.md .cursorrules .windsurfrules .roorules
  .roomodes .kilocoderules .kilocodemodes .goosehints .continuerules .augment-guidelines .openhands_instructions .rules
  .claude.json opencode.json opencode.jsonc crush.json .crush.json crush.md qwen.md warp.md .aider.conf.yml
  .aider.conf.yaml .aider.model.settings.yml .coderabbit.yaml .coderabbit.yml .pr_agent.toml .sourcery.yaml`;
const editorFiles = `.vscode/tasks.json .vscode/launch.json .devcontainer.json .envrc .exrc .vimrc .lvimrc .nvimrc
  .vscode/settings.json .replit .nvim.lua .dir-locals.el .dir-locals-2.el .gitpod.yml .gitpod.dockerfile`;
const hookFiles = `.pre-commit-config.yaml .pre-commit-config.yml lefthook.yml lefthook.yaml .lefthook.yml
  lefthook-local.yml .lefthook-local.yml .lefthook.yaml .overcommit.yml .huskyrc .huskyrc.json .huskyrc.js
  .huskyrc.yml .huskyrc.yaml captainhook.json .simple-git-hooks.json .simple-git-hooks.js .simple-git-hooks.cjs`;
const buildPlaces = `.circleci .gitlab .buildkite .woodpecker .semaphore .teamcity .tekton .azure-pipelines .gitlab-ci.yml
  .travis.yml .drone.yml .drone.star .drone.jsonnet .woodpecker.yml .cirrus.yml .cirrus.star .appveyor.yml appveyor.yml
  bitbucket-pipelines.yml wercker.yml azure-pipelines.yml azure-pipelines.yaml .azure-pipelines.yml codefresh.yml
  buildspec.yml buildspec.yaml cloudbuild.yaml cloudbuild.yml cloudbuild.json .mergify.yml .builds .build.yml .zuul.yaml
  .zuul.d zuul.yaml zuul.d screwdriver.yaml .vela.yml .vela.yaml .harness .prow.yaml .prow bitrise.yml codemagic.yaml
  bitbucket-pipelines.yaml .woodpecker.yaml`;
const githubPlaces = `.github/instructions .github/prompts .github/agents .github/skills .github/chatmodes
  .github/copilot-instructions.md .github/hooks .github/copilot`;

test.each<[where: string, reason: string, paths: string]>([
  ['anywhere', agents, instructions],
  ['anywhere', servers, '.mcp.json .vscode/mcp.json'],
  ['anywhere', editors, editorFiles],
  ['anywhere', hooks, hookFiles],
  ['anywhere', builds, 'jenkinsfile jenkinsfile.release'],
  ['anywhere', 'it names the repositories that git fetches', '.gitmodules'],
  ['anywhere', 'it names the server that git sends files to', '.lfsconfig'],
  ['anywhere, with all below', agents, anyFolder],
  ['anywhere, with all below', editors, '.zed .devcontainer .idea .run .fleet .vs'],
  ['anywhere, with all below', hooks, '.husky .githooks .lefthook'],
  ['anywhere, with all below', "it is the run's own record", '.anode-harness'],
  ['at the root, with all below', 'it holds the policy of this bot', '.github/anode'],
  [
    'at the root, with all below',
    'workflows run with the secrets of the repository',
    '.github/workflows .gitea/workflows .forgejo/workflows',
  ],
  [
    'at the root, with all below',
    'actions run with the secrets of the workflows that use them',
    '.github/actions',
  ],
  ['at the root, with all below', 'it changes the settings of the repository', '.github/settings.yml'],
  ['at the root, with all below', agents, githubPlaces],
  ['at the root, with all below', builds, buildPlaces],
  ['at the root', 'it holds the policy of this bot', '.github/anode.yml .github/anode.json'],
  ['at the root', owners, 'codeowners .github/codeowners docs/codeowners'],
])('%s: %s', (where, reason, paths) => {
  const everywhere = where.startsWith('anywhere') ? reason : null;
  const below = where.endsWith('below') ? reason : null;
  expect(
    names(paths).map((path) => [
      path,
      ...[path, `far/off/${path}`, `${path}/in/it`].map((one) => isProtected(one)),
    ]),
  ).toEqual(names(paths).map((path) => [path, reason, everywhere, below]));
  expect(names(paths).filter((path) => isProtected(`x${path}`) === reason)).toEqual([]);
});

test.each<[path: string, reason: string | null]>([
  ['.git', 'it steers git itself'],
  ['sub/.git', 'it steers git itself'],
  ['.git/x', "it is git's own folder"],
  ['sub/.git/hooks/x', "it is git's own folder"],
  ['.gitlab/codeowners', builds],
  ['.devcontainer/a.json', editors],
  ['a.code-workspace', editors],
  ['far/off/A b.Code-Workspace', editors],
  ['a.code-workspace.md', null],
  ['code-workspace', null],
])('%s: %s', (path, reason) => {
  expect(isProtected(path)).toBe(reason);
});

test('protected names may have a fixed beginning or ending', () => {
  const may = [
    'Jenkinsfile.x',
    'A b.Code-Workspace',
    '.vscode',
    'settings.yml',
    'a.workspace',
    'x.jenkinsfile',
  ];
  expect(may.map(maybeProtected)).toEqual([true, true, true, true, false, false]);
});

describe('protected paths', () => {
  it.each([
    '.git',
    '.git/hooks/pre-commit',
    'sub/.git/config',
    '.github/anode.yml',
    '.github/anode.json',
    '.github/workflows/ci.yml',
    '.github/workflows',
    '.github/actions/x/action.yml',
    'AGENTS.md',
    'AGENT.md',
    'packages/a/CLAUDE.md',
    '.agents/skills/x/SKILL.md',
    '.claude/settings.json',
    '.mcp.json',
    '.vscode/mcp.json',
    'web/.windsurf/rules/a.md',
    '.clinerules',
    '.clinerules/a.md',
    '.windsurfrules',
    'QWEN.md',
    '.github/instructions/a.md',
    '.github/copilot-instructions.md',
    '.husky/pre-commit',
    '.githooks/x',
    'CODEOWNERS',
    '.github/CODEOWNERS',
    'docs/CODEOWNERS',
    '.anode-harness/run.jsonl',
  ])('%s is protected', (path) => {
    expect(isProtected(path)).toEqual(expect.any(String));
  });

  it.each([
    '.GitHub/Workflows/x.yml',
    './.github//workflows/x.yml',
    'a/../.git/config',
    '.git./config',
    '.g\u200cit/config',
    'agents.MD',
    '.github/workflows/',
  ])('%j is protected however it is written', (path) => {
    expect(isProtected(path)).toEqual(expect.any(String));
  });

  it.each([
    'src/a.ts',
    '.gitignore',
    '.gitattributes',
    '.github/dependabot.yml',
    'docs/AGENTS.txt',
    'action.yml',
    'lib/codeowners',
    'github/workflows/x.yml',
  ])('%s is not', (path) => {
    expect(isProtected(path)).toBeNull();
  });

  it('lifts only what `protected.allow` names', () => {
    const allow = ['.github/workflows/docs-*.yml'];
    expect([
      isProtected('.github/workflows/docs-a.yml', allow),
      isProtected('.github/workflows/ci.yml', allow),
    ]).toEqual([null, 'workflows run with the secrets of the repository']);
  });
});

describe('credential paths', () => {
  it.each([
    '.netrc',
    '~/.netrc',
    'a/.git-credentials',
    '.ssh/known_hosts',
    'id_rsa',
    'keys/id_ed25519',
    '/proc/self/environ',
    '/proc/1/environ',
    '/home/x/.aws/credentials',
    '.git/config',
    '/etc/shadow',
    '/root/.config/gh/hosts.yml',
    '/root/.config/gcloud/credentials.db',
    '/root/.config/git/credentials',
    '/root/.config/anode/key',
    '.git/modules/a/b/config',
    '.pgpass',
    '.vault-token',
    '_netrc',
    'id_dsa',
    'id_ecdsa',
    '.gnupg/private-keys-v1.d/a.key',
    '.azure/msal_token_cache.json',
    'gha-creds-0123abcd.json',
    '/root/.docker/config.json',
    '/root/.kube/config',
    '/proc/1/mem',
    '/etc/gshadow',
    '/etc/sudoers',
  ])('%s holds credentials', (path) => {
    expect(isCredentialPath(path)).toBe('credentials are kept there');
  });

  it.each([
    '.gitconfig',
    'src/netrc.ts',
    'id_rsa.pub',
    '/proc/cpuinfo',
    '.npmrc',
    'docs/shadow',
  ])('%s does not', (path) => {
    expect(isCredentialPath(path)).toBeNull();
  });
});
