import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { CallToolPorts } from '../../src/agent/call-tool.ts';
import type { Model, ModelReply, ModelRequest } from '../../src/agent/models/model.ts';
import { findProfile } from '../../src/agent/profiles.ts';
import { type AgentResult, runAgent } from '../../src/agent/run-agent.ts';
import { openRunBudget } from '../../src/agent/run-budget.ts';
import { openRunLedger, type RunLedger } from '../../src/agent/run-ledger.ts';
import { answerSession, saveSession } from '../../src/agent/session.ts';
import { makeToolSet } from '../../src/agent/tool-set.ts';
import type { Decision } from '../../src/contract/decision.ts';
import { ConfigError, RunStopped, ToolError } from '../../src/contract/errors.ts';
import type { Json } from '../../src/contract/json.ts';
import type { Message } from '../../src/contract/message.ts';
import type { RunEntry } from '../../src/contract/run-ledger.ts';
import { defineTool, type Tool, type ToolContext } from '../../src/tools/tool.ts';

const usage = { input: 10, output: 5, cache_read: 0, cache_write: 0 };
const started: string[] = [];

/** A tool that notes when it ran; `ask` makes the run wait, `fail` is an error for the model. */
function noting(name: string, readOnly: boolean, act?: () => string): Tool {
  return defineTool({
    name,
    description: name,
    input: z.object({ path: z.string().default('x') }),
    level: readOnly ? 'auto_read' : 'confirm_write',
    readOnly,
    targets: (input) => ({ what: input.path }),
    execute: async (input) => {
      started.push(`${name} ${input.path}`);
      return { content: act?.() ?? `${name} done` };
    },
  });
}

const registry = [
  noting('read', true),
  noting('grep', true, () => {
    throw new ToolError('not_found', 'There is no such file.');
  }),
  noting('edit_file', false),
  noting('bash', false, () => {
    throw new Error('a defect');
  }),
  noting('ask_user', false, () => {
    throw new RunStopped({ kind: 'waiting', message: 'Waiting for an answer.' });
  }),
];

const allow: Decision = {
  action: 'allow',
  level: 'auto_read',
  reason: 'allowed',
  rule: null,
  hard: false,
  commands: [],
};

type Turn = {
  fails?: Error;
  text?: string;
  calls?: { name: string; input?: Json }[];
  stop?: ModelReply['stop'];
};

function modelOf(turns: readonly Turn[], seen: ModelRequest[] = []): Model {
  let at = 0;
  return {
    name: 'test/model',
    nativeTools: true,
    contextWindow: 100_000,
    cost: () => 0.01,
    complete: async (request, onText) => {
      seen.push({ ...request, messages: [...request.messages] });
      const turn = turns[at] ?? { text: 'out of turns' };
      at += 1;
      if (turn.fails !== undefined) throw turn.fails;
      if (turn.text !== undefined) onText(turn.text);
      return {
        message: {
          role: 'assistant',
          parts: [
            ...(turn.text === undefined ? [] : [{ type: 'text' as const, text: turn.text }]),
            ...(turn.calls ?? []).map((call, index) => ({
              type: 'tool_call' as const,
              id: `call_${at}_${index}`,
              name: call.name,
              input: call.input ?? {},
            })),
          ],
        },
        stop: turn.stop ?? (turn.calls === undefined ? 'end' : 'tool_calls'),
        usage,
      };
    },
  };
}

let folder: string;
let ledger: RunLedger;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-loop-'));
  ledger = openRunLedger(path.join(folder, 'ledger.jsonl'), {
    now: () => new Date(0),
    redact: (text) => text,
  });
  started.length = 0;
});
afterEach(async () => {
  await ledger.close();
  await rm(folder, { recursive: true });
});

const task: Message = { role: 'user', parts: [{ type: 'text', text: 'the task' }] };

function run(
  turns: readonly Turn[],
  rest: {
    maxTurns?: number;
    seen?: ModelRequest[];
    gate?: CallToolPorts['gate'];
    signal?: AbortSignal;
    messages?: readonly Message[];
  } = {},
): Promise<AgentResult> {
  return runAgent({
    model: modelOf(turns, rest.seen),
    profile: findProfile('craft'),
    system: 'system',
    messages: rest.messages ?? [task],
    turnsBefore: 0,
    maxTurns: rest.maxTurns ?? 5,
    budget: openRunBudget(
      { max_turns: null, max_tool_calls: null, max_tokens: null, max_cost_usd: null, timeout_seconds: null },
      () => new Date(0),
    ),
    calls: {
      tools: makeToolSet(registry, findProfile('craft'), []),
      gate: rest.gate ?? (async () => allow),
      // The tools above use nothing of it.
      context: () => ({}) as ToolContext,
      record: (entry) => ledger.record(entry),
      redact: (text) => text,
      beforeChange: async () => undefined,
      spillFolder: folder,
      now: () => 0,
    },
    ledger,
    listen: () => undefined,
    signal: rest.signal ?? new AbortController().signal,
    now: () => 0,
  });
}

const entries = <Type extends RunEntry['type']>(type: Type) =>
  ledger.lines.flatMap((line) =>
    line.entry.type === type ? [line.entry as Extract<RunEntry, { type: Type }>] : [],
  );

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

  it('runs the calls of a turn in order as soon as one of them does not only read', async () => {
    const calls = ['a', 'b', 'c'].map((name) => ({
      name: name === 'b' ? 'edit_file' : 'read',
      input: { path: name },
    }));
    await run([{ calls }, { text: 'done' }]);
    expect(started).toEqual(['read a', 'edit_file b', 'read c']);
  });

  it('gives the model an error it can act on, and goes on', async () => {
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
            text: 'There is no tool "reed" in this run. Tools: read, grep, edit_file, bash, ask_user.',
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

  it('does not execute what the gate refuses, and records the refusal', async () => {
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

  it('ends at the turn limit with what it has, after telling the model that one turn is left', async () => {
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
      messages: [],
    });
    expect(JSON.stringify(seen[1]?.messages.at(-1))).toContain('One turn is left');
  });

  it('asks again after an empty answer, but not for ever', async () => {
    const result = await run([{ text: '' }, { text: '' }, { text: '' }, { text: 'late' }]);
    expect({ conclusion: result.conclusion, stop: result.stop, turns: result.turns }).toEqual({
      conclusion: 'failure',
      stop: {
        kind: 'provider_failed',
        message: 'The model ended its turn three times without a whole answer.',
      },
      turns: 3,
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

  it('keeps what it has when the key is refused later, and crashes when it never was good', async () => {
    const fails = new ConfigError(
      'The endpoint did not accept the key in ANTHROPIC_API_KEY: set a valid one.',
    );
    await expect(run([{ fails }])).rejects.toBe(fails);
    const { conclusion, answer, stop, turns } = await run([
      { text: 'half done', calls: [{ name: 'edit_file' }] },
      { fails },
    ]);
    expect({ conclusion, answer, stop, turns }).toEqual({
      conclusion: 'failure',
      answer: 'half done',
      stop: { kind: 'provider_failed', message: fails.message },
      turns: 2,
    });
  });

  it('lets a defect of a tool crash the run with its cause', async () => {
    await expect(run([{ calls: [{ name: 'bash' }] }])).rejects.toThrow('a defect');
  });
});

describe('a run that waits', () => {
  const question = { question: 'Which?', options: [], allow_freeform: true, required: true, questions: [] };

  async function wait() {
    ledger.record({
      type: 'run.started',
      run_id: 'run_1',
      session_id: 'sess_1',
      parent_run_id: null,
      model: 'test/model',
      profile: 'craft',
      preset: 'careful',
      sandbox: 'off',
      prompt: 'the task',
      max_turns: 5,
      base_sha: 'abc',
    });
    ledger.record({ type: 'question', question });
    const result = await run([{ calls: [{ name: 'read' }, { name: 'ask_user' }, { name: 'edit_file' }] }]);
    return {
      result,
      session: saveSession(result, ledger.lines, { plan: null, patch: 'the patch', now: new Date(0) }),
    };
  }

  it('keeps the conversation, the question and the changes, and executes nothing behind the question', async () => {
    const { result, session } = await wait();
    expect({ conclusion: result.conclusion, started: [...started] }).toEqual({
      conclusion: 'waiting',
      started: ['read x', 'ask_user x'],
    });
    expect(session).toEqual({
      version: 1,
      run_id: 'run_1',
      session_id: 'sess_1',
      plan: null,
      messages: result.messages,
      question: { call_id: 'call_1_1', question },
      todos: [],
      usage,
      turns: 1,
      patch: 'the patch',
      base_sha: 'abc',
      profile: 'craft',
      model: 'test/model',
      preset: 'careful',
      saved_at: '1970-01-01T00:00:00.000Z',
    });
  });

  it('goes on with the answer as the result of the question', async () => {
    const { session } = await wait();
    if (session === null) throw new Error('no session was saved');
    const seen: ModelRequest[] = [];
    const result = await run([{ text: 'then so' }], {
      messages: answerSession(session, 'the second', 'The branch moved.'),
      seen,
    });
    expect(result.conclusion).toBe('success');
    expect(seen[0]?.messages.at(-1)).toEqual({
      role: 'user',
      parts: [
        {
          type: 'tool_result',
          call_id: 'call_1_0',
          content: [{ type: 'text', text: 'read done' }],
          is_error: false,
        },
        {
          type: 'tool_result',
          call_id: 'call_1_2',
          content: [
            {
              type: 'text',
              text: 'Not run: the run stopped at the call before it. Call it again if it is still wanted.',
            },
          ],
          is_error: true,
        },
        {
          type: 'tool_result',
          call_id: 'call_1_1',
          content: [{ type: 'text', text: 'The user answered: the second' }],
          is_error: false,
        },
        { type: 'text', text: 'The branch moved.' },
      ],
    });
  });
});
