import { describe, expect, test } from 'vitest';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import { childData, renderChild, stateOf } from '../../../src/tools/children/render-children.ts';
import type { ChildResult, ChildStatus, TaskResult } from '../../../src/tools/services/children.ts';

const change = (path: string) => ({ type: 'change', change: { path } }) as unknown as RunEntry;
const finished = (message: string | null) =>
  ({ type: 'run.finished', ...(message === null ? {} : { stop: { message } }) }) as unknown as RunEntry;
const usage = { input: 1, output: 2 } as unknown as ChildResult['usage'];
const result = (more: Partial<ChildResult> = {}): ChildResult => ({
  ...{ childRunId: 'run_2', conclusion: 'success', answer: 'Done.\n== b ==', entries: [], turns: 3, usage },
  ...more,
});
const child = (more: Partial<ChildStatus> = {}): ChildStatus => ({
  ...{ id: 'a', title: 'Look', profile: 'find', readOnly: true, state: 'ended', returned: null },
  result: result(),
  ...more,
});
const returned: TaskResult = { summary: '== it ==', status: 'completed' } as TaskResult;

describe('the state of a child', () => {
  test.each([
    [{ state: 'queued' }, 'queued'],
    [{ state: 'running', returned: { ...returned, status: 'failed' } }, 'running'],
    [{ state: 'closed' }, 'closed'],
    [{}, 'completed'],
    [{ result: null }, 'failed'],
    [{ result: result({ conclusion: 'limit' }) }, 'failed'],
    [{ returned: { ...returned, status: 'failed' } }, 'failed'],
    [{ result: result({ conclusion: 'limit' }), returned }, 'completed'],
  ] as const)('%j is %s', (more, state) => {
    expect(stateOf(child(more as Partial<ChildStatus>))).toBe(state);
  });
});

describe('the text of a child', () => {
  const head = '== a (find): Look — completed ==';
  test.each([
    [{}, `${head}\nDone.\n == b ==`],
    [{ state: 'closed' }, '== a (find): Look — closed ==\nDone.\n == b =='],
    [{ state: 'queued' }, '== a (find): Look — queued =='],
    [{ state: 'running' }, '== a (find): Look — running =='],
    [{ result: null }, '== a (find): Look — failed =='],
    [
      { result: result({ answer: '', entries: [change('x'), change('y'), change('x')] }) },
      `${head}\n(The child gave no answer.)\n\n[files it changed: x, y]`,
    ],
    [
      { result: result({ conclusion: 'limit', entries: [finished('old'), finished('No turns are left.')] }) },
      '== a (find): Look — failed ==\nDone.\n == b ==\n\n[the child ended early (limit): No turns are left. The text above is its work so far.]',
    ],
    [
      { result: result({ conclusion: 'limit', entries: [finished('old'), finished(null)] }) },
      '== a (find): Look — failed ==\nDone.\n == b ==\n\n[the child ended early (limit) The text above is its work so far.]',
    ],
    [{ returned }, `${head}\n == it ==`],
    [
      {
        result: result({ entries: [change('x'), change('y')] }),
        returned: {
          ...returned,
          confidence: 'low',
          artifacts: [{ path: 'p.md', kind: 'markdown', role: 'draft' }],
          findings: [{ a: 1 }, 'f'],
          warnings: ['w\n== c =='],
          suggestedNextActions: ['n', 'm'],
          questionsForCaller: ['q'],
        },
      },
      [
        ...[head, ' == it ==', 'confidence: low', 'artifacts:', '- p.md (markdown, draft)'],
        ...[
          'findings:',
          '- {"a":1}',
          '- "f"',
          'warnings:',
          '- w',
          ' == c ==',
          'suggested next:',
          '- n',
          '- m',
        ],
        ...['questions for you:', '- q', 'files it changed:', '- x', '- y'],
      ].join('\n'),
    ],
  ])('%#', (more, text) => {
    expect(renderChild(child(more as Partial<ChildStatus>))).toBe(text);
  });

  test('is one line if requested', () => {
    expect(renderChild(child(), { short: true })).toBe(head);
  });
});

test('the data of a child has its result and the paths of its files', () => {
  const plain = { id: 'a', title: 'Look', profile: 'find' };
  const ended = { conclusion: 'success', turns: 3, usage, changed: ['x'] };
  expect([
    childData(child({ state: 'running', result: null })),
    childData(child({ result: result({ entries: [change('x')] }) })),
    childData(child({ result: result({ entries: [change('x')] }), returned })),
  ]).toEqual([
    { ...plain, status: 'running' },
    { ...plain, status: 'completed', ...ended, summary: 'Done.\n== b ==' },
    {
      ...{ ...plain, status: 'completed', ...ended, summary: '== it ==', result: returned },
      ...{ result_path: 'summaries/a/result.json', summary_path: 'summaries/a/summary.md' },
    },
  ]);
});
