import type { Octokit } from '@octokit/rest';
import { configFiles, isTrustedBranch } from '../../config/defaults.ts';
import { mergeConfig } from '../../config/merge-config.ts';
import { parseRepositoryConfig, type RunHost } from '../../config/parse-repository-config.ts';
import type { Config } from '../../config/schema.ts';
import { ConfigError } from '../../contract/errors.ts';
import { isNotFound } from '../../github/api-errors.ts';

/** A configuration file of a repository. */
export interface ConfigFile {
  readonly file: string;
  readonly text: string;
}

/** The configuration of a run, and the text it was read from; null without a file. */
export interface RepositoryConfig {
  readonly config: Config;
  readonly source: ConfigFile | null;
  /** The merged files, strongest first. */
  readonly layers: readonly { readonly name: string; readonly config: Config }[];
}

/** The branch to read a configuration from, which is never the head of a pull request. */
export interface ConfigLocation {
  readonly owner: string;
  readonly name: string;
  readonly branch: string;
}

/** A repository with its default branch and the thread's base branch. */
interface ThreadBranches extends Pick<ConfigLocation, 'owner' | 'name'> {
  readonly defaultBranch: string;
  readonly baseBranch: string;
}

/**
 * Returns the configuration of a run and its branch: the default branch, unless that lists the base
 * branch in `trustedBranches`. The author of a pull request chooses its base, so no other branch
 * counts. Throws `ConfigError`.
 */
export async function readTrustedConfig(
  octokit: Octokit,
  { owner, name, defaultBranch, baseBranch }: ThreadBranches,
  host: RunHost,
): Promise<RepositoryConfig & { readonly branch: string }> {
  const main = await readRepositoryConfig(octokit, { owner, name, branch: defaultBranch }, host);
  const trusted = isTrustedBranch(baseBranch, main.config.trustedBranches ?? []);
  if (baseBranch === defaultBranch || !trusted) return { ...main, branch: defaultBranch };
  const base = await readRepositoryConfig(octokit, { owner, name, branch: baseBranch }, host);
  return { ...base, branch: baseBranch };
}

/**
 * Merges a branch's configuration over the organisation's, from the owner's repository `.github`.
 * If both exist, the source is the merged configuration as JSON. Throws `ConfigError`.
 */
export async function readRepositoryConfig(
  octokit: Octokit,
  location: ConfigLocation,
  host: RunHost,
): Promise<RepositoryConfig> {
  const { owner, name, branch } = location;
  const [own, organisation] = await Promise.all([
    readConfigFile(octokit, owner, name, branch),
    name === '.github' ? null : readConfigFile(octokit, owner, '.github', null),
  ]);
  const parse = (file: ConfigFile | null): Config =>
    file === null ? {} : parseRepositoryConfig(file.text, file.file, host);
  const layerOf = (file: ConfigFile | null) =>
    file === null ? [] : [{ name: file.file, config: parse(file) }];
  if (organisation === null) return { config: parse(own), source: own, layers: layerOf(own) };
  const named = { ...organisation, file: `${owner}/.github: ${organisation.file}` };
  const layers = [...layerOf(own), ...layerOf(named)];
  const config = mergeConfig(...layers.map((layer) => layer.config));
  if (own === null) return { config, source: named, layers };
  return { config, source: { file: `${own.file} over ${named.file}`, text: asFile(config) }, layers };
}

/** Returns a configuration as file text, without the origins of its rules and hooks. */
function asFile({ permissions, hooks, ...config }: Config): string {
  const unplaced = <Item extends object>(item: Item) => ({ ...item, source: undefined });
  return JSON.stringify({
    ...config,
    permissions: permissions && { ...permissions, rules: permissions.rules?.map(unplaced) },
    hooks: hooks && { before: hooks.before?.map(unplaced), after: hooks.after?.map(unplaced) },
  });
}

/**
 * GitHub lists at most this many entries and does not report a cut (GitHub Docs, "Get repository
 * content").
 */
const mostListed = 1_000;

/** Reads the first existing configuration file; null if the repository has none or is hidden. */
async function readConfigFile(
  octokit: Octokit,
  owner: string,
  repo: string,
  branch: string | null,
): Promise<ConfigFile | null> {
  const ref = branch === null ? {} : { ref: branch };
  const folder = configFiles[0].slice(0, configFiles[0].lastIndexOf('/'));
  const names: string[] = await octokit.rest.repos
    .getContent({ owner, repo, path: folder, ...ref })
    .then(({ data }) => (Array.isArray(data) ? data.map((entry) => entry.path) : []))
    .catch((error: unknown) => {
      if (isNotFound(error)) return [];
      throw error;
    });
  const listed = configFiles.filter((name) => names.includes(name));
  for (const file of names.length < mostListed ? listed : configFiles) {
    const answer = await octokit.rest.repos
      .getContent({ owner, repo, path: file, ...ref })
      .catch((error: unknown) => {
        if (isNotFound(error)) return null;
        throw error;
      });
    if (answer === null) continue;
    const { data } = answer;
    if (Array.isArray(data) || data.type !== 'file' || data.encoding !== 'base64') {
      throw new ConfigError(`${file}: not a regular file of at most 1 MB.`, { file });
    }
    return { file, text: Buffer.from(data.content, 'base64').toString('utf8') };
  }
  return null;
}
