/** The tools that run a child to its end. */
export const blockingTools = ['task', 'oracle', 'code_review'] as const;

/** The tools for children that go on beside their parent. */
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

/** The tools for agents elsewhere, which are there where some are configured: one reads what they are, one hands them work. */
export const remoteAgentTools = ['a2a_discover', 'a2a_call'] as const;

/** Optional extras, which are there where what they need is installed or configured. */
export const extraTools = ['monty_python_repl', 'semantic_search'] as const;

/** The tools of language servers, which are there where one is configured or found. */
export const languageTools = ['lsp', 'get_diagnostics', 'diagnostics'] as const;
