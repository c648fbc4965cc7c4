import type { BuiltinProfileName } from '../../contract/profile-names.ts';

/** The tools that run a child to its end. */
export const blockingTools = ['task', 'oracle', 'code_review'] as const;

/** The tools for children that run beside their parent. */
export const backgroundTools = [
  'agent.list',
  'agent.delegate',
  'agent.await',
  'sub_agent',
  'task_coordinator',
  'spawn_agent',
  'send_input',
  'wait_agent',
  'list_agents',
  'close_agent',
] as const;

/** The tools for the web, which only some runs have. */
export const webTools = ['web_search', 'web_fetch', 'fetch', 'download'] as const;

/** The tools for messages between the runs of a family. */
export const messageTools = ['send_message', 'receive_messages'] as const;

/** Tools for configured remote agents: one describes them, one delegates work to them. */
export const remoteAgentTools = ['a2a_discover', 'a2a_call'] as const;

/** Optional tools, available if their program is installed or configured. */
export const extraTools = ['monty_python_repl', 'semantic_search'] as const;

/** The tools of language servers, which are there where one is configured or found. */
export const languageTools = ['lsp', 'get_diagnostics', 'diagnostics'] as const;

/** Tools of extensions. A read-only profile has those that declare that they only read. */
const extensionTools = [
  ...webTools,
  ...extraTools,
  'tb__*',
  'mcp__*',
  'plugin__*',
  ...languageTools,
  'a2a_discover',
];

/** Tools of every profile that looks at code. They change nothing. */
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
  ...extensionTools,
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
  ...extensionTools,
];

/** Defaults of a profile. */
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

/** The built-in profiles, by name. */
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
