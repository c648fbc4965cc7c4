import type { Profile, ToolFilter } from './profiles.ts';

/** Takes away the tools that start programs, for a run that may start none. */
export const noCommands: ToolFilter = {
  allow: ['*'],
  deny: ['bash', 'shell_session', 'init_experiment', 'run_experiment', 'log_experiment', 'monty_python_repl'],
  why: 'This run has no sandbox, so nothing can be run in it. Go on with the tools that read and edit, and say in your answer what was not run.',
};

/** A profile, and those of its children, without the tools that start programs. */
export function withoutCommands(profile: Profile): Profile {
  return { ...profile, within: [...profile.within, noCommands] };
}
