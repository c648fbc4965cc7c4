import { ConfigError } from '../contract/errors.ts';

/** What a kind of run may use: canonical tool names, how many turns, how hard the model thinks (0 to 4). */
export interface Profile {
  readonly name: string;
  readonly purpose: string;
  readonly tools: readonly string[];
  readonly readOnly: boolean;
  readonly maxTurns: number;
  readonly effort: number;
}

const reading = ['read', 'multi_read', 'glob', 'grep', 'finder', 'todo_read', 'todo_write'];

const builtinProfiles: readonly Profile[] = [
  {
    name: 'craft',
    purpose: 'General-purpose coding',
    tools: [
      ...reading,
      'bash',
      'edit_file',
      'create_file',
      'apply_patch',
      'PATCH',
      'ask_user',
      'handoff',
      'code_review',
    ],
    readOnly: false,
    maxTurns: 20,
    effort: 3,
  },
  {
    name: 'review',
    purpose: 'Read-only code review',
    tools: [...reading, 'report_findings'],
    readOnly: true,
    maxTurns: 12,
    effort: 3,
  },
];

const aliases: Readonly<Record<string, string>> = { smart: 'craft' };

/** The profile of that name or alias; a `ConfigError` lists the known ones otherwise. */
export function findProfile(name: string): Profile {
  const profile = builtinProfiles.find((one) => one.name === (aliases[name] ?? name));
  if (profile !== undefined) return profile;
  const known = builtinProfiles.map((one) => one.name).join(', ');
  throw new ConfigError(`There is no profile "${name}". Known profiles: ${known}.`, { key: 'profile' });
}
