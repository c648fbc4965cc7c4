import { pathGlobs } from '../patterns/path-globs.ts';

const agents = 'it instructs agents';
const hooks = 'hooks run on the machines of everyone who works here';
const editors = 'editors and shells run what it names';
const builds = 'its commands run with the secrets of a build server';
const policy = 'it holds the policy of this bot';

const words = (text: string) => text.split(/\s+/);

/** A path at any depth. */
const anywhere = (reason: string, names: readonly string[]) =>
  names.map((name) => [`**/${name}`, reason] as const);

/** Files and folders of these names at any depth, with everything in the folders. */
const within = (reason: string, names: readonly string[]) =>
  names.flatMap((name) => [[`**/${name}`, reason] as const, [`**/${name}/**`, reason] as const]);

/** Paths from the root, and everything below. */
const atRoot = (reason: string, paths: readonly string[]) =>
  paths.flatMap((path) => [[path, reason] as const, [`${path}/**`, reason] as const]);

/**
 * Paths no run may write, with reasons; case-insensitive, as some file systems are. All are in
 * lower case without braces. Their parts are names, `name.*`, `*.name` and `**`, since paths
 * without any of these names are let pass before the globs are tried.
 */
export const protectedGlobs: readonly (readonly [glob: string, reason: string])[] = [
  ['**/.git', 'it steers git itself'],
  ['**/.git/**', "it is git's own folder"],
  ['**/.gitmodules', 'it names the repositories that git fetches'],
  ['**/.lfsconfig', 'it names the server that git sends files to'],
  ...within("it is the run's own record", ['.anode-harness']),
  ...atRoot(policy, ['.github/anode']),
  ['.github/anode.*', policy],
  ...atRoot('it changes the settings of the repository', ['.github/settings.yml']),
  ...atRoot(
    'workflows run with the secrets of the repository',
    words('.github/workflows .gitea/workflows .forgejo/workflows'),
  ),
  ...atRoot('actions run with the secrets of the workflows that use them', ['.github/actions']),
  ...anywhere(
    agents,
    ['agents', 'agent', 'claude', 'gemini'].flatMap((name) =>
      words(`${name}.md ${name}.local.md ${name}.override.md`),
    ),
  ),
  ...within(
    agents,
    words(`.agents .claude .cursor .gemini .codex .opencode .windsurf .clinerules .roo .kiro .junie .continue
      .qwen .amazonq .crush .kilocode .openhands .goose .augment .trae .factory .codebuddy .iflow .tabnine .cody
      .devin .qoder .rovodev .agent .claude-plugin .cursor-plugin .aiassistant .amp .cline .grok .zencoder`),
  ),
  ...anywhere(
    agents,
    words(`.cursorrules .windsurfrules .roorules .roomodes .kilocoderules .kilocodemodes .goosehints
      .continuerules .augment-guidelines .openhands_instructions .rules .claude.json opencode.json opencode.jsonc
      crush.json .crush.json crush.md qwen.md warp.md .aider.conf.yml .aider.conf.yaml .aider.model.settings.yml
      .coderabbit.yaml .coderabbit.yml .pr_agent.toml .sourcery.yaml`),
  ),
  ...anywhere('it names servers that agents start', ['.mcp.json', '.vscode/mcp.json']),
  ...atRoot(
    agents,
    words(`.github/instructions .github/prompts .github/agents .github/skills .github/chatmodes
      .github/copilot-instructions.md .github/hooks .github/copilot`),
  ),
  ...within(editors, words('.zed .devcontainer .idea .run .fleet .vs')),
  ...anywhere(
    editors,
    words(`.vscode/tasks.json .vscode/launch.json .devcontainer.json .vscode/settings.json *.code-workspace
      .replit .envrc .exrc .vimrc .lvimrc .nvimrc .nvim.lua .dir-locals.el .dir-locals-2.el .gitpod.yml
      .gitpod.dockerfile`),
  ),
  ...within(hooks, ['.husky', '.githooks', '.lefthook']),
  ...anywhere(
    hooks,
    words(`.pre-commit-config.yaml .pre-commit-config.yml lefthook.yml lefthook.yaml .lefthook.yml
      lefthook-local.yml .lefthook-local.yml .lefthook.yaml .overcommit.yml .huskyrc .huskyrc.json .huskyrc.js
      .huskyrc.yml .huskyrc.yaml captainhook.json .simple-git-hooks.json .simple-git-hooks.js
      .simple-git-hooks.cjs`),
  ),
  ...anywhere(builds, ['jenkinsfile', 'jenkinsfile.*']),
  ...atRoot(
    builds,
    words(`.circleci .gitlab .buildkite .woodpecker .semaphore .teamcity .tekton .azure-pipelines .gitlab-ci.yml
      .travis.yml .drone.yml .drone.star .drone.jsonnet .woodpecker.yml .cirrus.yml .cirrus.star .appveyor.yml
      appveyor.yml bitbucket-pipelines.yml wercker.yml azure-pipelines.yml azure-pipelines.yaml
      .azure-pipelines.yml codefresh.yml buildspec.yml buildspec.yaml cloudbuild.yaml cloudbuild.yml
      cloudbuild.json .mergify.yml .builds .build.yml .zuul.yaml .zuul.d zuul.yaml zuul.d screwdriver.yaml
      .vela.yml .vela.yaml .harness .prow.yaml .prow bitrise.yml codemagic.yaml bitbucket-pipelines.yaml
      .woodpecker.yaml`),
  ),
  ...['codeowners', '.github/codeowners', 'docs/codeowners', '.gitlab/codeowners'].map(
    (path) => [path, 'it says who must approve changes'] as const,
  ),
];

const matchers = protectedGlobs.map(([glob, reason]) => [pathGlobs([glob]), reason] as const);

/**
 * Last names of all protected paths and of the folders above them, except for the contents of
 * protected folders.
 */
const watchedNames = new Set(protectedGlobs.flatMap(([glob]) => glob.replace(/\/\*\*$/, '').split('/')));
/** Names fixed up to their first dot. */
const beginnings = new Set(
  [...watchedNames].filter((name) => name.endsWith('.*')).map((name) => name.slice(0, -1)),
);
/** Names fixed from their last dot on. */
const endings = new Set(
  [...watchedNames].filter((name) => name.startsWith('*.')).map((name) => name.slice(1)),
);

/** Returns false for every normalised name that no protected path and no folder above one has. */
function isWatched(name: string): boolean {
  return (
    watchedNames.has(name) ||
    beginnings.has(name.slice(0, name.indexOf('.') + 1)) ||
    endings.has(name.slice(name.lastIndexOf('.')))
  );
}

/**
 * Returns why a run may not write a path, or null. `path` is relative to the workspace. `.`, `..`
 * and double slashes are resolved. Case, Unicode form, trailing dots and spaces are ignored.
 * `allow` holds the globs of `protected.allow`, which exempt a path.
 */
export function isProtected(path: string, allow: readonly string[] = []): string | null {
  const normal = normalise(path);
  if (!normal.split('/').some(isWatched)) return null;
  const found = matchers.find(([matches]) => matches(normal));
  if (found === undefined) return null;
  const lifted = pathGlobs(allow.map((glob) => glob.toLowerCase()))(normal);
  return lifted ? null : found[1];
}

/**
 * Unprotected folders above protected paths: `.vscode`, `.github`. A link there would replace what
 * they contain.
 */
const holders = pathGlobs(
  protectedGlobs.flatMap(([glob]) => {
    const parts = glob.replace(/\/\*\*$/, '').split('/');
    const first = parts[0] === '**' ? 2 : 1;
    return parts.slice(first).map((_, index) => parts.slice(0, first + index).join('/'));
  }),
);

/** Returns true for a path at which a link would lead to protected paths. */
export function holdsProtected(path: string): boolean {
  return holders(normalise(path));
}

/**
 * Returns false, cheaply, for almost every name that is neither protected nor a folder above
 * protected paths.
 */
export function maybeProtected(name: string): boolean {
  return isWatched(/^[\x20-\x7e]*[^. ]$/.test(name) ? name.toLowerCase() : normalise(name));
}

function normalise(path: string): string {
  const parts: string[] = [];
  for (const part of path
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part.replace(/[. ]+$/, ''));
  }
  return parts.join('/').toLowerCase();
}
