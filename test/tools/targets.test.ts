import { expect, test } from 'vitest';
import { builtinTools } from '../../src/tools/registry/builtin-tools.ts';

function toolOf(name: string) {
  const tool = builtinTools.find((one) => one.name === name);
  if (tool === undefined) throw new TypeError(`no tool is called ${name}`);
  return tool;
}

/** The targets of a call: its words, then each path and command that it touches. */
function targetsOf(name: string, given: object): string {
  const tool = toolOf(name);
  const { what, paths = [], commands = [], urls = [], ...rest } = tool.targets(tool.input.parse(given));
  expect({ urls, rest }).toEqual({ urls: [], rest: {} });
  return [
    what,
    ...paths.map(({ path, access }) => `${access}s ${path}`),
    ...commands.map((one) => `runs ${one}`),
  ].join(' | ');
}

test.for([
  ['read', { path: 'a.ts' }, 'a.ts | reads a.ts'],
  ['multi_read', { paths: ['a.ts', 'b.ts'] }, 'a.ts, b.ts | reads a.ts | reads b.ts'],
  ['glob', { pattern: '*.ts' }, '*.ts | reads .'],
  ['glob', { pattern: '*.ts', path: 'src' }, '*.ts in src | reads src'],
  ['grep', { pattern: 'x', path: 'src' }, '"x" in src | reads src'],
  ['code_search', { query: 'x', path: 'src' }, 'symbol "x" in src | reads src'],
  ['finder', { query: 'x', path: 'src' }, 'text "x" in src | reads src'],
  ['list_directory', { path: 'src' }, 'src | reads src'],
  ['repo_search', { query: 'x' }, 'text "x" in all repositories | reads .'],
  [
    'repo_search',
    { query: 'x', repositories: ['api', 'web'], mode: 'files' },
    'files "x" in api, web | reads .',
  ],
  ['bash', { command: 'ls' }, 'ls | runs ls'],
  ['bash', { command: 'ls', cwd: 'src' }, 'ls | reads src | runs ls'],
  ['edit_file', { path: 'a.ts', old_str: 'x', new_str: 'y' }, 'a.ts | writes a.ts'],
  [
    'multi_edit',
    {
      path: 'a.ts',
      edits: [
        { old: 'x', 'new': 'y' },
        { path: 'b.ts', old: 'x', 'new': 'y' },
      ],
    },
    'a.ts, b.ts | writes a.ts | writes b.ts',
  ],
  ['insert_text', { path: 'a.ts', line: 0, text: 'x' }, 'a.ts | writes a.ts'],
  ['create_file', { path: 'a.ts', content: 'x' }, 'a.ts | writes a.ts'],
  [
    'apply_patch',
    {
      patch:
        '*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n-x\n+y\n*** Add File: c.ts\n+x\n*** Delete File: d.ts\n*** End Patch',
    },
    'a.ts, b.ts, c.ts, d.ts | writes a.ts | writes b.ts | writes c.ts | writes d.ts',
  ],
  [
    'apply_patch',
    { patch: '*** Begin Patch\n*** Add File: c.ts\n+x\n*** End Patch', workdir: 'src' },
    'src/c.ts | writes src/c.ts',
  ],
  ['patch', { patch: '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-x\n+y\n' }, 'a.ts | writes a.ts'],
  [
    'patch',
    { patch: '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-x\n+y\n', workdir: 'src' },
    'src/a.ts | writes src/a.ts',
  ],
  [
    'patch',
    { patch: '--- v1/src/a.ts\n+++ v2/src/a.ts\n@@ -1 +1 @@\n-x\n+y\n', strip: 2 },
    'a.ts | writes a.ts',
  ],
  ['PATCH', { patch: '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-x\n+y\n' }, 'a.ts | writes a.ts'],
  ['todo_read', {}, 'the task list'],
  ['todo_write', { todos: [{ content: 'x' }, { content: 'y' }] }, '2 tasks'],
  ['ask_user', { question: 'Which?' }, 'Which?'],
  [
    'request_permissions',
    { reason: 'why', permissions: [{ tool: 'bash' }, { tool: 'x' }], tools: ['web'] },
    'bash, x, web',
  ],
  [
    'request_permissions',
    { reason: 'why', permissions: [{ tool: 'bash', matches: { command: 'npm *' } }] },
    'bash',
  ],
  ['handoff', { summary: 'The rest', goal: 'g' }, 'to user: The rest'],
  ['handoff', { summary: 'The rest' }, 'to user: The rest'],
  ['task', { goal: 'Do it' }, 'Do it'],
  ['task', { goal: 'Do it', title: 'It' }, 'It'],
  ['oracle', { question: 'Why?', files: ['a.ts'] }, 'Why? | reads a.ts'],
  [
    'code_review',
    { diff_description: 'A change', files: ['a.ts', 'b.ts'] },
    'A change | reads a.ts | reads b.ts',
  ],
  ['report_findings', { findings: [] }, '0 findings'],
  ['describe_pull_request', { body: 'four' }, '4 characters'],
  ['set_labels', { labels: ['bug', 'ui'], duplicate_of: [3] }, 'bug, ui, #3'],
  ['set_labels', { labels: [] }, ''],
  ['view_image', { path: 'a.png' }, 'a.png | reads a.png'],
  ['look_at', { path: 'a.png' }, 'a.png | reads a.png'],
  ['look_at', { target: 'shot.png' }, 'shot.png'],
  ['workspace.list_files', {}, '.'],
  ['workspace.list_files', { path: 'output' }, 'output'],
  ['workspace.search_files', { query: 'x' }, '"x" in .'],
  ['workspace.search_files', { query: 'x', path: 'output' }, '"x" in output'],
  ['workspace.read_file', { path: 'output/a.md' }, 'output/a.md'],
  ['workspace.write_file', { path: 'output/a.md', content: 'x' }, 'output/a.md'],
  ['workspace.apply_patch', { path: 'output/a.md', old_string: 'x', new_string: 'y' }, 'output/a.md'],
  ['workspace.commit', { path: 'output/a.md' }, 'output/a.md'],
  ['workspace.finish', {}, 'the work is done'],
  ['workspace.finish', { reason: 'done' }, 'done'],
  ['task_list', { action: 'list' }, 'list'],
  ['task_list', { action: 'get', taskID: 't1', title: 'T' }, 'get t1'],
  ['task_list', { action: 'create', title: 'T' }, 'create T'],
  ['dice.roll', { formula: '2d6' }, '2d6'],
  ['render', { root: 'a', elements: { a: { type: 'Text' }, b: { type: 'Text' } } }, 'a'],
  ['chart', { type: 'bar', data: { a: 1 } }, 'bar'],
  ['chart', { type: 'bar', title: 'Sizes', data: { a: 1 } }, 'Sizes'],
  ['shell_session', { action: 'open', command: 'node' }, 'open node'],
  ['shell_session', { action: 'open', command: 'node', cwd: 'src' }, 'open node'],
  ['shell_session', { action: 'write', session_id: 's1', input: 'x' }, 'write s1'],
  ['shell_session', { action: 'poll', session_id: 's1' }, 'poll s1'],
  ['shell_session', { action: 'list' }, 'list'],
  ['run_experiment', {}, 'the benchmark'],
  ['run_experiment', { command: 'make' }, 'make | runs make'],
  ['log_experiment', { status: 'keep', metric: 1, description: 'd' }, 'keep: d'],
  ['find_thread', {}, 'the newest'],
  ['find_thread', { query: 'q' }, 'q'],
  ['read_thread', { thread_id: 't' }, 't'],
  ['chat.search', { query: 'q' }, 'q'],
  ['chat.read_messages', { messages: [{ index: 1 }, { index: 4 }] }, 'messages 1, 4'],
  ['agent.list', {}, 'any'],
  ['agent.list', { query: 'q' }, 'q'],
  ['agent.delegate', { agentId: 'find', task: { objective: 'o' } }, 'o'],
  ['agent.delegate', { agentId: 'find', task: { objective: 'o', title: 'T' } }, 'T'],
  ['agent.await', {}, 'all tasks'],
  ['agent.await', { taskIds: ['a', 'b'] }, 'a, b'],
  ['task.return', { summary: 's' }, 's'],
  ['sub_agent', { task: 't' }, 't'],
  ['sub_agent', { task: 't', title: 'T' }, 'T'],
  ['task_coordinator', { tasks: [{ task: 'one' }, { task: 'two' }] }, '2 tasks: one; two'],
  ['spawn_agent', { message: 'm' }, 'm'],
  ['spawn_agent', { message: 'm', title: 'T' }, 'T'],
  ['send_input', { id: 'a', message: 'm' }, 'a: m'],
  ['wait_agent', {}, 'all agents'],
  ['wait_agent', { ids: ['a', 'b'] }, 'a, b'],
  ['list_agents', {}, 'all agents'],
  ['close_agent', { id: 'a' }, 'a'],
  ['receive_messages', {}, 'own mailbox'],
  ['list_skills', {}, 'the skills'],
  ['skill', { name: 'n' }, 'n'],
  ['read_skill', { name: 'n' }, 'n'],
  ['create_skill', { name: 'n', description: 'd', content: 'c' }, '.agents/skills/n/SKILL.md'],
  ['skill.list', {}, 'the skills'],
  ['skill.list', { query: 'q' }, 'the skills'],
  ['skill.search', { name: 'n', query: 'q' }, '"q" in n'],
  ['skill.read', { name: 'n' }, 'n/SKILL.md'],
  ['skill.read', { name: 'n', path: 'p' }, 'n/p'],
  ['worldinfo.read_activated', {}, 'the index'],
  ['worldinfo.read_activated', { entries: [{ ref: 'AGENTS.md' }, { ref: 'b' }] }, 'AGENTS.md, b'],
  ['compact', {}, 'the conversation'],
  ['get_context_remaining', {}, 'the context'],
  [
    'batch',
    {
      calls: [
        { tool: 'read', args: {} },
        { tool: 'grep', args: {} },
      ],
    },
    'read, grep',
  ],
  ['tool_search', { query: 'q' }, 'q'],
  ['use_tool', { name: 'n', args: {} }, 'n'],
  [
    'init_experiment',
    { name: 'n', primary_metric: 'ms', direction: 'lower', command: 'make' },
    'n: ms, lower is better',
  ],
  ['send_message', { recipient: 'a', message: 'm' }, 'status to a'],
] as const)('%s %j touches %s', ([name, given, targets]) => {
  expect(targetsOf(name, given)).toBe(targets);
});

/** The answers of a tool about one call, where they are not the same for all its calls. */
function replyOf(name: string, given: object): string {
  const { input, level, readOnly, children, startsCommands } = toolOf(name);
  const read = input.parse(given);
  return JSON.stringify([
    typeof level === 'function' ? level(read) : null,
    typeof readOnly === 'function' ? readOnly(read) : null,
    children?.(read) ?? null,
    startsCommands?.(read) ?? null,
  ]);
}

test.for([
  ['bash', { command: 'ls' }, '[null,true,null,true]'],
  ['bash', { command: 'ls', cwd: 'src' }, '[null,true,null,true]'],
  ['bash', { command: 'ls', run_in_background: true }, '[null,false,null,true]'],
  ['bash', { command: 'rm x' }, '[null,false,null,true]'],
  ['bash', { command: 'cat <<E\n*** Begin Patch\n*** End Patch\nE' }, '[null,true,null,true]'],
  ['task_list', { action: 'create', title: 'T' }, '["state_write",false,null,null]'],
  ['task_list', { action: 'list' }, '["auto_read",true,null,null]'],
  ['task_list', { action: 'get', taskID: '1' }, '["auto_read",true,null,null]'],
  ['task_list', { action: 'update', taskID: '1' }, '["state_write",false,null,null]'],
  ['task_list', { action: 'delete', taskID: '1' }, '["state_write",false,null,null]'],
  ['shell_session', { action: 'open', command: 'node' }, '["confirm_execute",false,null,true]'],
  [
    'shell_session',
    { action: 'write', session_id: 's1', input: 'x' },
    '["confirm_execute",false,null,false]',
  ],
  ['shell_session', { action: 'poll', session_id: 's1' }, '["auto_read",false,null,false]'],
  ['shell_session', { action: 'kill', session_id: 's1' }, '["state_write",false,null,false]'],
  ['shell_session', { action: 'list' }, '["auto_read",true,null,false]'],
  ['run_experiment', {}, '[null,null,null,null]'],
  ['receive_messages', {}, '[null,false,null,null]'],
  ['receive_messages', { peek: true }, '[null,true,null,null]'],
  ['receive_messages', { wait_ms: 5 }, '[null,false,null,null]'],
  ['task', { goal: 'g' }, '[null,null,[{"profile":"craft","readOnly":false}],null]'],
  [
    'task',
    { goal: 'g', profile: 'Explore', read_only: true },
    '[null,null,[{"profile":"find","readOnly":true}],null]',
  ],
  [
    'agent.delegate',
    { agentId: 'find', task: { objective: 'o' } },
    '[null,null,[{"profile":"find","readOnly":false}],null]',
  ],
  [
    'agent.delegate',
    { agentId: 'find', task: { objective: 'o' }, policy: { readOnly: true } },
    '[null,null,[{"profile":"find","readOnly":false}],null]',
  ],
  ['sub_agent', { task: 't' }, '[null,null,[{"profile":"craft","readOnly":false}],null]'],
  [
    'sub_agent',
    { task: 't', agent_type: 'find', read_only: true },
    '[null,null,[{"profile":"find","readOnly":true}],null]',
  ],
  ['spawn_agent', { message: 'm' }, '[null,null,[{"profile":"craft","readOnly":false}],null]'],
  [
    'spawn_agent',
    { message: 'm', agent_type: 'find', read_only: true },
    '[null,null,[{"profile":"find","readOnly":true}],null]',
  ],
  [
    'task_coordinator',
    { tasks: [{ task: 'one' }, { task: 'two', agent_type: 'find' }] },
    '[null,null,[{"profile":"craft","readOnly":false},{"profile":"find","readOnly":false}],null]',
  ],
  [
    'task_coordinator',
    { tasks: [{ task: 'one', read_only: true }] },
    '[null,null,[{"profile":"craft","readOnly":true}],null]',
  ],
] as const)('%s %j has its own level, or only reads, or starts children or commands', ([
  name,
  given,
  reply,
]) => {
  expect(replyOf(name, given)).toBe(reply);
});
