import type { Octokit } from '@octokit/rest';
import { mergeConfig } from '../src/config/merge-config.ts';
import { parseRepositoryConfig } from '../src/config/parse-repository-config.ts';
import type { ActionInputs } from './inputs.ts';
import type { Job } from './job.ts';
import { readInputFile } from './read-input-file.ts';

/** A path of a configuration file. Everything else is YAML. */
const configPath = /^[^\n:{}]+\.(?:ya?ml|jsonc?)$/;

/**
 * Adds the configuration of the input `config` to the inputs, which are stronger. It may set what
 * the repository's own file may, and is stronger than that. A file comes from the default branch.
 * Throws `ConfigError` with the key of a mistake.
 */
export async function configuredInputs(
  inputs: ActionInputs,
  job: Job,
  octokit: Octokit,
): Promise<ActionInputs> {
  const { config, overrides } = inputs;
  if (config === null) return inputs;
  const isFile = configPath.test(config);
  const text = isFile ? await readFromBase(config, job, octokit) : config;
  const parsed = parseRepositoryConfig(text, isFile ? config : 'the input config', 'action');
  return { ...inputs, overrides: mergeConfig(overrides, parsed) };
}

async function readFromBase(file: string, job: Job, octokit: Octokit): Promise<string> {
  const { data } = await octokit.rest.repos.get({ owner: job.owner, repo: job.repository });
  const base = { owner: job.owner, name: job.repository, branch: data.default_branch };
  return readInputFile('config', file, job, { octokit, base });
}
