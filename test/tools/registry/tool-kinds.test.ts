import { expect, test } from 'vitest';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';
import { foundBy, toolKinds } from '../../../src/tools/registry/tool-kinds.ts';

const toolsFoundBy = (query: string) => builtinTools.filter(foundBy(query)).map(({ name }) => name);

test('kinds are listed in their order', () => {
  expect([...new Set(Object.values(toolKinds(builtinTools)))].join(', ')).toBe(
    'images, charts, shells that stay, line inserts, other repositories, tasks, parallel calls, run files, skills, second opinions, agents, the thread, earlier runs, handoff, experiments',
  );
});

const past = 'find_thread, read_thread';
test.each([
  ['view_image, look_at', ['images', 'an image', 'picture', 'screenshots', 'photo', 'PNG']],
  ['chart, render', ['charts', 'graph', 'plot', 'diagrams']],
  [
    'shell_session',
    [
      ...['shells that stay', 'stay shell', 'interactive shell', 'persistent command', 'background process'],
      'background terminal',
    ],
  ],
  ['insert_text', ['line inserts', 'insert a line', 'insert text']],
  [
    'repo_search',
    ['other repositories', 'another repo', 'other repos', 'another repository', 'other repository'],
  ],
  ['task_list', ['tasks']],
  ['batch', ['parallel calls', 'parallel', 'several calls', 'many tools', 'several tools']],
  ['workspace.list_files, workspace.read_file, workspace.write_file', ['run files', 'file of the run']],
  ['skill, read_skill, skill.read', ['skills', 'skill']],
  ['oracle', ['second opinions', 'opinion', 'advice']],
  ['agent.delegate, sub_agent, spawn_agent', ['agents', 'subagent', 'delegate']],
  ['chat.search, chat.read_messages', ['the thread', 'thread', 'comments', 'discussion']],
  [
    past,
    [
      ...['earlier runs', 'previous run', 'past session', 'prior conversation', 'last run', 'last session'],
      'earlier conversations',
    ],
  ],
  ['handoff', ['handoff', 'hand over', 'hand off']],
  ['init_experiment', ['experiments', 'benchmark', 'measure']],
  [
    '',
    ['', 'the', 'that', 'shell', 'insert', 'other', 'several', 'run', 'earlier', 'hand', 'stay', 'nothing'],
  ],
])('%s is found by %j', (tools, queries) => {
  expect(queries.map((query) => toolsFoundBy(query).join(', '))).toEqual(queries.map(() => tools));
});

test('all named kinds match, once each', () => {
  expect(toolsFoundBy('draw a chart, or an image; a plot')).toEqual([
    'view_image',
    'look_at',
    'chart',
    'render',
  ]);
});
