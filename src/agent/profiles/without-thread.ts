import type { Profile, ToolFilter } from './profiles.ts';

/** Of a run that belongs to no thread, or to one without texts: it is offered no tool that reads it. */
export const noThread: ToolFilter = {
  allow: ['*'],
  deny: ['chat.search', 'chat.read_messages'],
  why: 'This run belongs to no issue or pull request, so there is no conversation to read; go on without it.',
};

/** A profile, and those of its children, without the tools that read the run's thread. */
export function withoutThread(profile: Profile): Profile {
  return { ...profile, within: [...profile.within, noThread] };
}
