import { type SimpleGit, simpleGit } from 'simple-git';
import { gitEnvironment } from './git-environment.ts';
import { type GitPlace, placeVariables } from './run-git.ts';

/**
 * simple-git refuses variables that could make git start programs. Ours disable that, so exactly
 * these are allowed.
 */
const lettingOurSettingsThrough = {
  allowUnsafeConfigPaths: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeHooksPath: true,
  allowUnsafePager: true,
  allowUnsafeAskPass: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeDiffExternal: true,
  allowUnsafeGpgProgram: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeSubmodule: true,
};

/** Deadline of one command; reading a history takes far less. */
const deadlineMs = 600_000;

/**
 * Opens git on one of our own repositories, for its history. Uses the broker's environment (see
 * `gitEnvironment`) without credentials. Commands end after ten minutes; a failed one throws
 * simple-git's `GitError`.
 *
 * Use `runGit` for contents, input, locks, credentials or exit codes; it also bounds memory.
 */
export function brokerGit(place: GitPlace): SimpleGit {
  const environment = { ...gitEnvironment(), ...placeVariables(place) };
  return simpleGit({
    baseDir: place.cwd,
    unsafe: lettingOurSettingsThrough,
    allowEnvironment: Object.keys(environment),
    timeout: { block: deadlineMs, stdOut: false, stdErr: false },
  }).env(environment);
}
