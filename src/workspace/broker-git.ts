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

/**
 * Git on one of our own repositories, for reading what is in it: in the broker's environment (see
 * `gitEnvironment`), without credentials. A command that fails throws simple-git's `GitError`. What needs
 * input, a lock, credentials or an exit code told apart goes through `runGit` instead.
 */
export function brokerGit(place: GitPlace): SimpleGit {
  const environment = { ...gitEnvironment(), ...placeVariables(place) };
  return simpleGit({
    baseDir: place.cwd,
    unsafe: lettingOurSettingsThrough,
    allowEnvironment: Object.keys(environment),
  }).env(environment);
}
