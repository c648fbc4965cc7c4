import { expect, test } from 'vitest';
import {
  isProgress,
  renderProgress,
  renderTodoChecklist,
} from '../../../src/reporting/progress/render-progress.ts';

test('renders fifty items, one line each', () => {
  const todo = (content: string, status = 'pending') => ({ id: '1', content, status }) as never;
  expect([
    renderTodoChecklist([
      todo('a\nb'),
      todo('c', 'completed'),
      todo('d', 'in_progress'),
      todo('x'.repeat(301)),
    ]),
    renderTodoChecklist(Array.from({ length: 50 }, () => todo('a'))).split('\n').length,
    renderTodoChecklist(Array.from({ length: 51 }, () => todo('a')))
      .split('\n')
      .slice(-2),
    renderTodoChecklist([]),
  ]).toEqual([
    `- [ ] a b\n- [x] c\n- [ ] **d**\n- [ ] ${'x'.repeat(299)}…`,
    50,
    ['- [ ] a', '- … and 1 more'],
    '',
  ]);
});

test('renders the activity, and identifies progress by its heading', () => {
  const view = { todos: [], turn: 0, maxTurns: null, costUsd: 0, activity: null, state: 'starting' } as const;
  const render = (more: object, runUrl: string | null = null) => renderProgress({ ...view, ...more }, runUrl);
  const todos = [
    { id: '1', content: 'a', status: 'completed' },
    { id: '2', content: 'b', status: 'pending' },
  ];
  expect([
    render({}),
    render(
      { turn: 2, costUsd: 0.5, state: 'running', activity: { tool: 'bash', what: `x\n${'y'.repeat(200)}` } },
      'https://ci',
    ),
    render({ turn: 2, maxTurns: 9, costUsd: null, state: 'waiting', todos }),
    render({ state: 'finished', todos: todos.slice(1) }),
  ]).toEqual([
    '**Working on it.**\n\n<sub>Starting</sub>',
    `**Working on it.**\n\nNow: \`bash x ${'y'.repeat(152)}…\`\n\n<sub>Turn 2 · $0.50 · [run](https://ci)</sub>`,
    '**Waiting for an answer.**\n\n- [x] a\n- [ ] b\n\n<sub>Turn 2 of 9 · 1 of 2 steps done</sub>',
    '**Writing the report.**\n\n- [ ] b\n\n<sub>Starting · 0 of 1 step done</sub>',
  ]);
  const states = ['starting', 'running', 'waiting', 'finished'].map((state) =>
    isProgress(`<!-- m -->\n${render({ state })}`),
  );
  expect([
    ...states,
    isProgress('<!-- m -->\n**Done.**\n'),
    isProgress('<!-- m -->\n**Working on it.** x'),
  ]).toEqual([...[true, true, true, true, false, false]]);
});
