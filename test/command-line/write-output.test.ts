import { expect, test } from 'vitest';
import { describeGoingOn, describeOutcome } from '../../src/command-line/describe-outcome.ts';
import { eventWriter } from '../../src/command-line/write-output.ts';
import type { StopReason } from '../../src/contract/limits.ts';
import type { RunEvent } from '../../src/contract/run-event.ts';
import { sampleOutcome } from '../reporting/samples.ts';

/** What is printed of events on the way. */
function printed(events: readonly RunEvent[]): string {
  let text = '';
  const write = eventWriter('text', (more) => {
    text += more;
  });
  for (const event of events) write(event);
  return text;
}

test('calls of a child are indented below it, each with its name, and its end is printed', () => {
  const child = { child_run_id: 'child_1', title: 'Look' };
  const usage = { input: 1, output: 1, cache_read: 0, cache_write: 0 };
  expect(
    printed([
      { type: 'child_run.started', ...child, profile: 'find' },
      { type: 'child_run.tool_call', ...child, tool: 'code_review', what: '' },
      { type: 'child_run.tool_result', ...child, tool: 'read', ok: true, content: 'x' },
      { type: 'child_run.tool_result', ...child, tool: 'read', ok: false, content: 'a does not exist.' },
      {
        ...{
          type: 'child_run.result',
          child_run_id: 'child_1',
          conclusion: 'success',
          summary: 'Found.\nIt.',
        },
        ...{ turns: 2, usage, cost_usd: 0 },
      },
    ]),
  ).toBe(
    '· child run: Look\n  Look: code_review\n    a does not exist.\n· child run ended: success, 2 turns: Found.\n',
  );
});

test('printed text contains no commands for a terminal or a workflow log', () => {
  const order = '::set-output name=conclusion::success';
  const result = { type: 'tool.result', call_id: 'c', tool: 't', ok: false, duration_ms: 1 } as const;
  const common = { error_kind: null, spill: null };
  expect(
    printed([
      { type: 'diagnostic', level: 'warning', message: `The server said:\n${order}\r${order}` },
      { ...result, ...common, content: `\u001b[0m${order}\nmore` },
      { ...result, ...common, content: 'first\r::add-mask::e' },
      {
        ...{ type: 'tool.call', call_id: 'c', tool: 't', input: {}, decision: null },
        what: `x \u001b]0;title\u0007 ##[set-output name=a;]b`,
      },
    ]),
  ).toBe(
    [
      `! The server said: ${order} ${order}`,
      '  : :set-output name=conclusion::success',
      '  first ::add-mask::e',
      '· t x  # #[set-output name=a;]b',
      '',
    ].join('\n'),
  );
});

test('each limit names the key that raises it, and the resume command', () => {
  const told = (kind: StopReason['kind'], goesOn: boolean, paths: readonly string[] = []) =>
    describeGoingOn(
      {
        run_id: 'run_1',
        stop: { kind, message: 'x' },
        changes: {
          base_sha: '',
          patch: '',
          files: paths.map((name) => ({
            ...{ path: name, kind: 'add' as const, mode: null, old_mode: null },
            ...{ content: '', binary: false, diff: '' },
          })),
        },
      },
      '/w/.anode-harness/run_1',
      goesOn,
    );
  const command = 'Go on from here, with limits of its own: anode resume run_1 --cwd /w';
  const raise = (keys: string) =>
    `For more in one run: raise ${keys} in the configuration (--config, or your own).`;
  expect([
    told('turn_limit', true, ['a.txt']),
    told('tool_call_limit', true),
    told('token_limit', true),
    told('cost_limit', true),
    told('time_limit', false),
    told('cancelled', true),
    told('provider_failed', false),
  ]).toEqual([
    ['What it changed so far is in the checkout.', command, raise('--max-turns, or limits.maxTurns')],
    [command, raise('limits.maxToolCalls')],
    [command, raise('limits.maxTokens')],
    [command, raise('limits.maxCostUsd')],
    [raise('limits.timeoutSeconds')],
    [command],
    [],
  ]);
});

test('a call for approval is displayed with every character', () => {
  const approval = {
    ...{ tool: 'bash', what: 'x', hash: 'h4sh', call_id: 'c', reason: 'it writes', waits: true },
    commands: ['echo \u202egnp.exe'],
    input: '{ "command": "a\u200bb" }',
  };
  const shown = describeOutcome(
    sampleOutcome({ conclusion: 'waiting', answer: '', pending_approval: approval }),
    '/w/.anode-harness/run_1',
  );
  expect(shown.split('\n').slice(3, 9)).toEqual([
    'Approval needed for bash (h4sh):',
    '  echo <U+202E>gnp.exe',
    '  { "command": "a<U+200B>b" }',
    '  because: it writes',
    'Approve with: anode resume run_1 approve h4sh --cwd /w',
    'Deny with:    anode resume run_1 deny "<reason>" --cwd /w',
  ]);
});
