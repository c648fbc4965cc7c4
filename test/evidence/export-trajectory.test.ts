import { expect, test } from 'vitest';
import { exportTrajectory } from '../../src/evidence/export-trajectory.ts';
import { textHash } from '../../src/evidence/receipts.ts';
import { recordedRun } from './recorded-run.ts';

test('exports the messages as steps, each call with its result, and the calls of children apart', async () => {
  const tokens = { prompt_tokens: 45, completion_tokens: 2, cached_tokens: 30 };
  expect(await exportTrajectory(recordedRun)).toEqual({
    schema_version: 'ATIF-v1.6',
    session_id: 'sess_1',
    agent: {
      name: 'anode-ci',
      version: 'unknown',
      model_name: 'vertex/some/model',
      extra: { profile: 'craft', preset: 'careful' },
    },
    steps: [
      { step_id: 1, timestamp: '2026-01-02T03:04:01.000Z', source: 'user', message: 'Do it.' },
      {
        ...{ step_id: 2, timestamp: '2026-01-02T03:04:04.000Z', source: 'agent', message: 'I look.' },
        model_name: 'vertex/some/model',
        tool_calls: [
          { tool_call_id: 'c1', function_name: 'read', arguments: { path: 'a.txt' } },
          { tool_call_id: 'c2', function_name: 'bash', arguments: { raw: 'not json' } },
        ],
        observation: { results: [{ source_call_id: 'c1', content: 'one' }] },
        metrics: { ...tokens, cost_usd: 0.5 },
      },
      {
        ...{ step_id: 3, timestamp: '2026-01-02T03:04:14.000Z', source: 'agent', message: 'Done.' },
        model_name: 'vertex/some/model',
        metrics: { ...tokens, cost_usd: null },
      },
    ],
    final_metrics: {
      ...{ total_prompt_tokens: 90, total_completion_tokens: 4, total_cached_tokens: 60 },
      ...{ total_cost_usd: 0.5, total_steps: 3 },
    },
    extra: {
      run_id: 'run_1',
      conclusion: 'success',
      children: [
        {
          ...{ child_run_id: 'child_1', timestamp: '2026-01-02T03:04:08.000Z', tool_call_id: 'c1' },
          ...{ function_name: 'grep', arguments: { pattern: 'x' }, decision: 'allow' },
          result: { ok: false, sha256: textHash('no') },
        },
      ],
    },
  });
});

test('exports a run that was killed without totals', async () => {
  const { final_metrics, extra } = await exportTrajectory(recordedRun.slice(0, 5));
  expect([final_metrics, extra.conclusion]).toEqual([{ total_steps: 2 }, null]);
});
