import { expect, test } from 'vitest';
import { isProtected, maybeProtected } from '../../../src/permissions/gate/protected-paths.ts';

const agents = 'it instructs agents';
const hooks = 'hooks run on the machines of whoever works here';
const editors = 'editors and shells run what it names';
const builds = 'what it names runs with the secrets of a build server';
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

test('a name of a protected path may be one by its beginning or its ending too', () => {
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
