import { type SimpleGit, simpleGit } from 'simple-git';
import { gitEnvironment } from './git-environment.ts';
import { type GitPlace, placeVariables } from './run-git.ts';

/**
 * simple-git refuses variables that could make git start programs. Ours are there to switch that off, so
 * exactly these are let through.
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

/** No look at a history takes as long. */
const deadlineMs = 600_000;

/**
 * Git on one of our own repositories, for its history: in the broker's environment (see `gitEnvironment`), without credentials.
 * It is ended after ten minutes. A command that fails throws simple-git's `GitError`. What reads contents, or needs input, a lock,
 * credentials or an exit code told apart goes through `runGit`, which bounds its memory too.
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
