import type { ToolProfileName } from '../../contract/profile-names.ts';
import { backgroundTools, blockingTools, messageTools, remoteAgentTools, webTools } from './agent-tools.ts';
import type { Profile, ToolFilter } from './profiles.ts';

/** What a tool profile makes of a profile: a further filter, and how much of each schema is told. */
interface ToolProfile extends ToolFilter {
  readonly schemas: Profile['schemas'];
}

const network = [...webTools, ...remoteAgentTools, 'mcp__*'];

/** What reads and changes files and runs commands, and no more. */
const essential = ['read', 'grep', 'glob', 'bash', 'edit_file', 'create_file'];

/** The tool profiles as data. What a review, a description or a triage states its result with stays in each. */
const toolProfiles: Readonly<Record<ToolProfileName, ToolProfile>> = {
  coding: { allow: ['*'], deny: [], schemas: 'whole' },
  full: { allow: ['*'], deny: ['tool_search', 'use_tool'], schemas: 'whole' },
  standard: {
    allow: ['*'],
    deny: [...blockingTools, ...backgroundTools, ...messageTools, ...network],
    schemas: 'whole',
  },
  ds4: { allow: essential, deny: [], schemas: 'short' },
  none: { allow: [], deny: [], schemas: 'whole' },
};

/** A profile within a tool profile: a tool has to be in both. `coding` leaves it as it is. */
export function withToolProfile(profile: Profile, name: ToolProfileName): Profile {
  if (name === 'coding') return profile;
  const { allow, deny, schemas } = toolProfiles[name];
  return { ...profile, within: [...profile.within, { allow, deny }], schemas };
}
