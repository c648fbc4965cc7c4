import type { Change } from '../../contract/change.ts';

/** Files that other machines execute or install from without a review. */
const HIGH = [
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$/,
  /(^|\/)(Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock)$/,
  /(^|\/)(setup\.py|build\.rs|binding\.gyp|\.npmrc|\.yarnrc\.yml|\.pnpmfile\.cjs)$/,
  /(^|\/)(Jenkinsfile|\.gitlab-ci\.yml|azure-pipelines\.ya?ml|\.travis\.yml|action\.ya?ml)$/,
  /^\.github\//,
  /(^|\/)(\.circleci|\.buildkite|\.husky|\.ci)\//,
  /(^|\/)(\.gitmodules|\.gitattributes|CODEOWNERS)$/,
];

/** Files that decide how a project is built or run. */
const MEDIUM = [
  /\.(ya?ml|toml|ini|cfg|conf|properties|env)$/,
  /(^|\/)[^/]*\.?config\.[^/]+$/,
  /(^|\/)(tsconfig[^/]*\.json|package\.json|composer\.json|go\.mod|Gemfile|requirements[^/]*\.txt)$/,
  /(^|\/)(Dockerfile[^/]*|Makefile|CMakeLists\.txt|build\.gradle(\.kts)?|pom\.xml)$/,
  /(^|\/)\.[^/]+$/,
];

/**
 * Scripts that npm runs automatically on install, pack or publish (npm-scripts, "Life Cycle
 * Scripts").
 */
export const lifecycleScript =
  /^(pre|post)?(install|prepare|pack|publish|uninstall)$|^prepublishOnly$|^dependencies$/;
const INSTALLED = 'dependencies devDependencies optionalDependencies peerDependencies overrides'.split(' ');

function installParts(manifest: string | null): unknown {
  if (manifest === null) return null;
  const parsed: unknown = JSON.parse(manifest);
  if (typeof parsed !== 'object' || parsed === null) return parsed;
  const fields = Object.entries(parsed);
  const scripts: unknown = fields.find(([key]) => key === 'scripts')?.[1];
  return [
    Object.entries(scripts ?? {}).filter(([name]) => lifecycleScript.test(name)),
    fields.filter(([key]) => INSTALLED.includes(key)),
  ];
}

/** True when a package.json now runs or installs something else, or cannot be parsed. */
function installsOtherwise(before: string | null, after: string | null): boolean {
  try {
    return JSON.stringify(installParts(before)) !== JSON.stringify(installParts(after));
  } catch {
    return true;
  }
}

/** True for a path whose risk depends on its content, which then must be given to `changeRisk`. */
export function riskNeedsContent(path: string): boolean {
  return /(^|\/)package\.json$/.test(path);
}

/**
 * Returns the review risk of a change. High: other machines run or install something (lifecycle
 * scripts, dependencies, lock files, CI). Medium: configuration. Low: everything else.
 */
export function changeRisk(
  path: string,
  manifest: { readonly before: string | null; readonly after: string | null },
): Change['risk'] {
  if (HIGH.some((pattern) => pattern.test(path))) return 'high';
  if (riskNeedsContent(path) && installsOtherwise(manifest.before, manifest.after)) return 'high';
  return MEDIUM.some((pattern) => pattern.test(path)) ? 'medium' : 'low';
}
