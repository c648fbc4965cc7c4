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

const reading = [
  'read',
  'multi_read',
  'list_directory',
  'glob',
  'grep',
  'finder',
  'code_search',
  'repo_search',
  'view_image',
  'look_at',
  'todo_read',
  'todo_write',
  'workspace.list_files',
  'workspace.search_files',
  'workspace.read_file',
  'batch',
  'tool_search',
  'use_tool',
];

const working = [
  ...reading,
  'bash',
  'shell_session',
  'edit_file',
  'multi_edit',
  'insert_text',
  'create_file',
  'apply_patch',
  'patch',
  'PATCH',
  'task_list',
  'workspace.write_file',
  'workspace.apply_patch',
  'dice.roll',
  'ask_user',
  'request_permissions',
  'handoff',
  'code_review',
];

const builtinProfiles: readonly Profile[] = [
  {
    name: 'craft',
    purpose: 'General-purpose coding',
    tools: working,
    readOnly: false,
    maxTurns: 20,
    effort: 3,
  },
  {
    name: 'study',
    purpose: 'Thorough work on what takes long',
    tools: working,
    readOnly: false,
    maxTurns: 40,
    effort: 4,
  },
  {
    name: 'review',
    purpose: 'Read-only code review',
    tools: [...reading, 'report_findings'],
    readOnly: true,
    maxTurns: 12,
    effort: 3,
  },
  {
    name: 'ask',
    purpose: 'Answers about the code, read-only',
    tools: [...reading, 'ask_user'],
    readOnly: true,
    maxTurns: 15,
    effort: 3,
  },
  {
    name: 'plan',
    purpose: 'A plan for somebody to approve, read-only',
    tools: [...reading, 'ask_user'],
    readOnly: true,
    maxTurns: 20,
    effort: 4,
  },
  {
    name: 'describe',
    purpose: 'The description of a pull request, read-only',
    tools: [...reading, 'describe_pull_request'],
    readOnly: true,
    maxTurns: 8,
    effort: 2,
  },
  {
    name: 'triage',
    purpose: 'Labels and duplicates of a thread, read-only',
    tools: [...reading, 'set_labels'],
    readOnly: true,
    maxTurns: 6,
    effort: 2,
  },
];

const aliases: Readonly<Record<string, string>> = { smart: 'craft', deep: 'study' };

/** The profile of that name or alias; a `ConfigError` lists the known ones otherwise. */
export function findProfile(name: string): Profile {
  const profile = builtinProfiles.find((one) => one.name === (aliases[name] ?? name));
  if (profile !== undefined) return profile;
  const known = builtinProfiles.map((one) => one.name).join(', ');
  throw new ConfigError(`There is no profile "${name}". Known profiles: ${known}.`, { key: 'profile' });
}
