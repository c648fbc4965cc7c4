import { expect, test } from 'vitest';
import { startingView } from '../../../src/reporting/progress/progress-view.ts';
import { renderCost, renderProgress } from '../../../src/reporting/progress/render-progress.ts';

test('A run that starts says so, and where its log is.', () => {
  expect(renderProgress(startingView, 'https://ci.test/1')).toBe(
    '**Working on it.**\n\n<sub>Starting · [run](https://ci.test/1)</sub>',
  );
});

test('A run that goes on shows its list, the call under way, and what it cost so far.', () => {
  const todos = [
    { id: '1', content: 'Look', status: 'completed' as const },
    { id: '2', content: 'Ask @ada', status: 'pending' as const },
  ];
  expect(
    renderProgress(
      {
        todos,
        turn: 3,
        maxTurns: 40,
        costUsd: 0.1234,
        activity: { tool: 'bash', what: 'echo `a`\n' },
        state: 'running',
      },
      null,
    ),
  ).toBe(
    [
      '**Working on it.**',
      '- [x] Look\n- [ ] Ask @\u200bada',
      'Now: `` bash echo `a` ``',
      '<sub>Turn 3 of 40 · $0.12 · 1 of 2 steps done</sub>',
    ].join('\n\n'),
  );
});

test('Small costs show a difference.', () => {
  expect([0, 0.0042, 0.1, 12].map(renderCost)).toEqual(['$0.00', '$0.0042', '$0.10', '$12.00']);
});
