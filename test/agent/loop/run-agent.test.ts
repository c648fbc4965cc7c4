import { describe, expect, it } from 'vitest';
import { newHistoryFold } from '../../../src/agent/context/history-fold.ts';
import type { ModelRequest } from '../../../src/agent/models/model.ts';
import type { Decision } from '../../../src/contract/decision.ts';
import { ConfigError } from '../../../src/contract/errors.ts';
import { allow, entries, freshLedgers, run, started, task } from '../loop-fixture.ts';

freshLedgers();

describe('the loop', () => {
  it('calls tools and gives their results to the next turn until the model answers', async () => {
    const seen: ModelRequest[] = [];
    const result = await run(
      [{ text: 'looking', calls: [{ name: 'read', input: { path: 'a' } }] }, { text: 'the answer' }],
      { seen },
    );
    expect(result).toEqual({
      conclusion: 'success',
      answer: 'the answer',
      stop: null,
      turns: 2,
      usage: { input: 20, output: 10, cache_read: 0, cache_write: 0 },
      costUsd: 0.02,
      durationMs: 0,
      waitingCallId: null,
      history: {
        ...newHistoryFold().history,
        read: ['a'],
        actions: [{ turn: 1, call: 'read a', ok: true }],
      },
      messages: [
        task,
        {
          role: 'assistant',
          parts: [
            { type: 'text', text: 'looking' },
            { type: 'tool_call', id: 'call_1_0', name: 'read', input: { path: 'a' } },
          ],
        },
        {
          role: 'user',
          parts: [
            {
              type: 'tool_result',
              call_id: 'call_1_0',
              content: [{ type: 'text', text: 'read done' }],
              is_error: false,
            },
          ],
        },
        { role: 'assistant', parts: [{ type: 'text', text: 'the answer' }] },
      ],
    });
    expect(seen.map((request) => request.messages.length)).toEqual([1, 3]);
  });

  it('runs the calls of a turn in order if one of them does more than read', async () => {
    const calls = ['a', 'b', 'c'].map((name) => ({
      name: name === 'b' ? 'edit_file' : 'read',
      input: { path: name },
    }));
    await run([{ calls }, { text: 'done' }]);
    expect(started).toEqual(['read a', 'edit_file b', 'read c']);
  });

  it('gives the model an error with a remedy and continues', async () => {
    const result = await run([
      { calls: [{ name: 'grep' }, { name: 'reed' }, { name: 'read', input: '{"path": ' }] },
      { text: 'done' },
    ]);
    expect(result.conclusion).toBe('success');
    expect(
      result.messages[2]?.parts.map((part) =>
        part.type === 'tool_result' ? [part.is_error, part.content] : part,
      ),
    ).toEqual([
      [true, [{ type: 'text', text: 'There is no such file.' }]],
      [
        true,
        [
          {
            type: 'text',
            text: 'There is no tool "reed" in this run. Tools: read, grep, edit_file, bash, ask_user, tool_search, use_tool and what tool_search finds.',
          },
        ],
      ],
      [
        true,
        [
          {
            type: 'text',
            text: 'The arguments of read are not valid JSON (they end in the middle) and were not run. Send one complete JSON object.',
          },
        ],
      ],
    ]);
  });

  it('does not execute calls that the gate refuses, and records the refusal', async () => {
    const gate = async (): Promise<Decision> => ({ ...allow, action: 'reject', reason: 'It is protected.' });
    await run([{ calls: [{ name: 'edit_file', input: { path: 'a' } }] }, { text: 'done' }], { gate });
    expect(started).toEqual([]);
    expect(entries('refusal')).toEqual([
      {
        type: 'refusal',
        refusal: { tool: 'edit_file', what: 'a', reason: 'It is protected.', call_id: 'call_1_0' },
      },
    ]);
  });

  it('ends at the turn limit with its work so far, after telling the model that one turn is left', async () => {
    const seen: ModelRequest[] = [];
    const reading = { text: 'so far', calls: [{ name: 'read' }] };
    const result = await run([reading, reading, reading], { maxTurns: 2, seen });
    expect({ ...result, messages: [] }).toEqual({
      conclusion: 'limit',
      answer: 'so far',
      stop: { kind: 'turn_limit', message: 'The run used its 2 turns before it was done.' },
      turns: 2,
      usage: { input: 20, output: 10, cache_read: 0, cache_write: 0 },
      costUsd: 0.02,
      durationMs: 0,
      waitingCallId: null,
      history: {
        ...newHistoryFold().history,
        read: ['x'],
        actions: [1, 2].map((turn) => ({ turn, call: 'read x', ok: true })),
      },
      messages: [],
    });
    expect(JSON.stringify(seen[1]?.messages.at(-1))).toContain('One turn is left');
  });

  it('retries after an empty answer, but only a limited number of times', async () => {
    const result = await run([{ text: '' }, { text: '' }, { text: '' }, { text: 'late' }]);
    expect({ conclusion: result.conclusion, stop: result.stop, turns: result.turns }).toEqual({
      conclusion: 'failure',
      stop: {
        kind: 'provider_failed',
        message:
          'The model ended its turn three times without a whole answer. Ask again, or choose another model.',
      },
      turns: 3,
    });
  });

  it('asks once after an announced action, then takes the text as the answer', async () => {
    const seen: ModelRequest[] = [];
    const announced = { text: 'Let me look.', stop: 'unclear' as const };
    const result = await run([announced, { calls: [{ name: 'read' }] }, announced, announced], { seen });
    const nudge = {
      role: 'user',
      parts: [{ type: 'text', text: 'No action word was found. Start a line with BASH:, TOOL: or ANSWER:.' }],
    };
    expect([seen[1]?.messages.at(-1), seen[3]?.messages.at(-1)]).toEqual([nudge, nudge]);
    expect({ conclusion: result.conclusion, answer: result.answer, turns: result.turns }).toEqual({
      conclusion: 'success',
      answer: 'Let me look.',
      turns: 4,
    });
  });

  it('ends as failed when the model refuses', async () => {
    const result = await run([{ text: 'I will not.', stop: 'refusal' }]);
    expect({ conclusion: result.conclusion, stop: result.stop }).toEqual({
      conclusion: 'failure',
      stop: { kind: 'provider_refused', message: 'The model refused to go on: I will not.' },
    });
  });

  it('ends as cancelled when it is aborted', async () => {
    const result = await run([{ text: 'never said' }], { signal: AbortSignal.abort() });
    expect({ conclusion: result.conclusion, stop: result.stop, turns: result.turns }).toEqual({
      conclusion: 'cancelled',
      stop: { kind: 'cancelled', message: 'The run was cancelled.' },
      turns: 0,
    });
  });

  it('ends as failed when the key is refused, at the start or later, and keeps its work', async () => {
    const fails = new ConfigError(
      'The endpoint did not accept the key in ANTHROPIC_API_KEY: set a valid one.',
    );
    const ends = [
      await run([{ fails }]),
      await run([{ text: 'half done', calls: [{ name: 'edit_file' }] }, { fails }]),
    ];
    const stop = { kind: 'provider_failed', message: fails.message };
    expect(ends.map(({ conclusion, answer, stop, turns }) => ({ conclusion, answer, stop, turns }))).toEqual([
      { conclusion: 'failure', answer: '', stop, turns: 1 },
      { conclusion: 'failure', answer: 'half done', stop, turns: 2 },
    ]);
  });

  it('ends as failed at a defect of a tool, with its work and the error message', async () => {
    const { conclusion, answer, stop, turns } = await run([{ text: 'half done', calls: [{ name: 'bash' }] }]);
    expect({ conclusion, answer, stop, turns }).toEqual({
      ...{ conclusion: 'failure', answer: 'half done', turns: 1 },
      stop: {
        kind: 'internal_error',
        message: 'Anode CI itself failed: Error: a defect. What the run did before is kept.',
      },
    });
  });
});

describe("the model's own earlier text", () => {
  it('contains repaired arguments if they have a single reading', async () => {
    const seen: ModelRequest[] = [];
    await run(
      [
        {
          calls: [
            { name: 'read', input: "{path: 'a'," + '}' },
            { name: 'read', input: '{"path": "b' },
          ],
        },
        { text: 'done' },
      ],
      { seen },
    );
    expect(
      seen[1]?.messages[1]?.parts.map((part) => (part.type === 'tool_call' ? part.input : part)),
    ).toEqual([{ path: 'a' }, '{"path": "b']);
  });

  it('is followed by the reason of a refusal, and by advice that people are not told', async () => {
    const seen: ModelRequest[] = [];
    const refused = { ...allow, action: 'reject', reason: 'No writing.', advice: 'Read.' } as const;
    await run([{ calls: [{ name: 'edit_file' }] }, { calls: [{ name: 'edit_file' }] }, { text: 'done' }], {
      seen,
      gate: async () => refused,
    });
    const reply = seen[2]?.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool_result' ? part.content : [])),
    );
    expect(reply).toEqual([
      {
        type: 'text',
        text: 'Refused: No writing. Read. Nothing of the call was done. Nobody can allow it in this run, also not by ask_user. Go on without it, and say in your answer what could not be done.',
      },
      { type: 'text', text: 'Refused: No writing. Read. Nothing of the call was done.' },
    ]);
    expect(entries('refusal').map(({ refusal }) => refusal.reason)).toEqual(['No writing.', 'No writing.']);
  });
});
