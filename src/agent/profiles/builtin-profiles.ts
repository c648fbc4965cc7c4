import type { BuiltinProfileName } from '../../contract/profile-names.ts';
import {
  backgroundTools,
  blockingTools,
  extraTools,
  languageTools,
  messageTools,
  remoteAgentTools,
  webTools,
} from './agent-tools.ts';

/** What others bring. Of a profile that only reads those remain that say they only read. */
const brought = [
  ...webTools,
  ...extraTools,
  'tb__*',
  'mcp__*',
  'plugin__*',
  ...languageTools,
  'a2a_discover',
];

/** What every profile has that looks at code, and changes nothing. */
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
  'render',
  'chart',
  'todo_read',
  'todo_write',
  'workspace.list_files',
  'workspace.search_files',
  'workspace.read_file',
  'find_thread',
  'read_thread',
  'chat.search',
  'chat.read_messages',
  'list_skills',
  'skill',
  'read_skill',
  'skill.list',
  'skill.search',
  'skill.read',
  'worldinfo.read_activated',
  'compact',
  'get_context_remaining',
  'batch',
  'tool_search',
  'use_tool',
  ...brought,
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
  'workspace.commit',
  'workspace.finish',
  'create_skill',
  'dice.roll',
  'init_experiment',
  'run_experiment',
  'log_experiment',
  'ask_user',
  'request_permissions',
  'handoff',
  ...blockingTools,
  ...remoteAgentTools,
];

/** Enough for a small task that is already understood. */
const focused = [
  'read',
  'multi_read',
  'list_directory',
  'glob',
  'grep',
  'bash',
  'edit_file',
  'multi_edit',
  'insert_text',
  'create_file',
  'apply_patch',
  'patch',
  'PATCH',
  'ask_user',
  'request_permissions',
  'compact',
  'get_context_remaining',
  'batch',
  'tool_search',
  'use_tool',
  ...brought,
];

/** What a profile is unless it says otherwise. */
const standard = {
  deny: [],
  within: [],
  schemas: 'whole',
  readOnly: false,
  model: null,
  instructions: null,
  mostTurns: 40,
  maxCallsPerRun: null,
  maxCallsPerTool: {},
  callable: true,
  allowAsSubagent: true,
  allowedCallers: ['*'],
  maxDelegations: 50,
  maxConcurrentDelegations: 4,
} as const;

/** A profile that only reads, as do the children that its `finder` may start. */
const readOnly = { ...standard, readOnly: true, maxDelegations: 8 } as const;

/** The result of one of these is of its own kind, which no other agent could do anything with. */
const ownResult = { ...readOnly, callable: false, allowAsSubagent: false } as const;

/** What the built-in profiles are, by name. */
export const builtinProfileData = {
  craft: {
    ...standard,
    description: 'General-purpose coding',
    allow: working,
    maxTurns: 20,
    effort: 3,
  },
  quick: {
    ...standard,
    description: 'Small tasks, fast',
    allow: focused,
    maxDelegations: 0,
    maxTurns: 10,
    effort: 2,
  },
  study: {
    ...standard,
    description: 'Architecture, debugging and other thorough work, with agents beside it',
    allow: [...working, ...backgroundTools, ...messageTools],
    maxTurns: 40,
    effort: 4,
  },
  review: {
    ...readOnly,
    description: 'Code review, read-only',
    allow: [...reading, 'report_findings'],
    maxTurns: 12,
    effort: 3,
  },
  oracle: {
    ...readOnly,
    description: 'A second opinion on a hard question, read-only',
    allow: reading,
    maxTurns: 8,
    effort: 4,
  },
  find: {
    ...readOnly,
    description: 'Finds where something is in the repository and its notes, read-only',
    allow: reading,
    maxTurns: 8,
    effort: 2,
  },
  aggman: {
    ...readOnly,
    description: 'Puts together what several agents and earlier runs came to, read-only',
    allow: ['find_thread', 'read_thread', 'receive_messages', 'todo_read', ...webTools],
    maxTurns: 6,
    effort: 2,
  },
  ask: {
    ...ownResult,
    description: 'Answers about the code, read-only',
    allow: [...reading, 'ask_user'],
    maxTurns: 15,
    effort: 3,
  },
  plan: {
    ...ownResult,
    description: 'A plan for somebody to approve, read-only',
    allow: [...reading, 'ask_user'],
    maxTurns: 20,
    effort: 4,
  },
  describe: {
    ...ownResult,
    description: 'The description of a pull request, read-only',
    allow: [...reading, 'describe_pull_request'],
    maxTurns: 8,
    effort: 2,
  },
  triage: {
    ...ownResult,
    description: 'Labels and duplicates of a thread, read-only',
    allow: [...reading, 'set_labels'],
    maxTurns: 6,
    effort: 2,
  },
} as const satisfies Readonly<Record<BuiltinProfileName, object>>;
