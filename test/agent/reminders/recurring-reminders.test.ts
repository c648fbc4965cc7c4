import { describe, expect, it } from 'vitest';
import { newHistoryFold } from '../../../src/agent/context/history-fold.ts';
import type { ModelRequest } from '../../../src/agent/models/model.ts';
import {
  cutOffReminder,
  limitReminder,
  repeatedCallReminder,
  staleTasksReminder,
  staleTodosReminder,
} from '../../../src/agent/reminders/recurring-reminders.ts';
import type { FinishedTurn, TurnReminder } from '../../../src/agent/reminders/turn-reminders.ts';
import type { Json } from '../../../src/contract/json.ts';
import type { RunLimits } from '../../../src/contract/limits.ts';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import type { Todo } from '../../../src/contract/run-results.ts';
import { entries, freshLedgers, run, started, type Turn, usage } from '../loop-fixture.ts';

/** A turn with calls and their results. */
function made(
  turn: number,
  calls: readonly [name: string, input: Json, result: string][] = [],
): FinishedTurn {
  return {
    turn,
    turnsLeft: 10,
    calls: calls.map(([name, input], index) => ({ type: 'tool_call', id: `c${index}`, name, input })),
    results: calls.map(([, , text], index) => ({
      type: 'tool_result',
      call_id: `c${index}`,
      content: [{ type: 'text', text }],
      is_error: false,
    })),
  };
}

/** In which of the turns the note spoke. */
async function spoke(note: TurnReminder, turns: readonly FinishedTurn[]): Promise<number[]> {
  const reply: number[] = [];
  for (const turn of turns) if ((await note(turn)) !== null) reply.push(turn.turn);
  return reply;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('a call truncated at the output limit', () => {
  freshLedgers();

  it('gets the advice to send it in parts and does not count as broken', async () => {
    const broken = made(1, [['create_file', '{"path":"a.md","content":"aaa', 'not valid JSON']]);
    const whole = made(2, [['create_file', { path: 'a.md', content: 'a' }, 'Created']]);
    expect([
      await cutOffReminder({ ...broken, cutOff: true }),
      await cutOffReminder(broken),
      await cutOffReminder({ ...whole, cutOff: true }),
    ]).toEqual([
      'Your reply was cut off at the output limit, in the middle of that call. Send less in one call: a long file in parts, each whole.',
      null,
      null,
    ]);
  });

  it("is recognised by the reply's stop reason", async () => {
    const result = await run([
      { calls: [{ name: 'edit_file', input: '{"path":"a' }], stop: 'length' },
      { calls: [{ name: 'edit_file', input: '{"path":"a' }] },
      { text: 'done' },
    ]);
    const reported = result.messages.map((message) =>
      JSON.stringify(message).includes('cut off at the output'),
    );
    expect(reported).toEqual([false, false, true, false, false, false]);
  });
});

describe('a repeated call with the same result', () => {
  const read = (result: string): [string, Json, string] => ['read', { path: 'a' }, result];

  it('gets a reminder every third time, whatever is called in between', async () => {
    const note = repeatedCallReminder({ changes: 0 });
    const turns = numbers(7).map((turn) => made(turn, [read('same'), ['grep', { turn }, 'same']]));
    expect(await spoke(note, turns)).toEqual([3, 6]);
    const words = await repeatedCallReminder({ changes: 0 })(
      made(1, [read('same'), read('same'), read('same')]),
    );
    expect(words).toBe(
      'read has brought the same result 3 times for the same input, and nothing has changed since. Do something else, or answer with what you have.',
    );
  });

  it('is counted from zero after another result or a changed file', async () => {
    const results = ['a', 'a', 'b', 'b', 'a', 'a'];
    const turns = results.map((result, index) => made(index + 1, [read(result)]));
    expect(await spoke(repeatedCallReminder({ changes: 0 }), turns)).toEqual([]);
    const history = { changes: 0 };
    const note = repeatedCallReminder(history);
    const same = numbers(6).map((turn) => made(turn, [read('same')]));
    expect(await spoke(note, same.slice(0, 2))).toEqual([]);
    history.changes = 1;
    expect(await spoke(note, same.slice(2))).toEqual([5]);
  });
});

describe('an untouched task list', () => {
  const open: Todo[] = [
    { id: '1', content: 'a', status: 'completed' },
    { id: '2', content: 'b', status: 'pending' },
  ];

  it('gets a reminder once after eight turns, and again if it is written and forgotten again', async () => {
    const history = { todos: open, todosAt: 2 };
    const note = staleTodosReminder(history);
    expect(
      await spoke(
        note,
        numbers(30).map((turn) => made(turn)),
      ),
    ).toEqual([10]);
    history.todosAt = 31;
    expect(
      await spoke(
        note,
        numbers(60)
          .slice(31)
          .map((turn) => made(turn)),
      ),
    ).toEqual([39]);
  });

  it('gets no reminder if no task is open', async () => {
    const todos = open.slice(0, 1);
    const turns = numbers(30).map((turn) => made(turn));
    expect(await spoke(staleTodosReminder({ todos, todosAt: 0 }), turns)).toEqual([]);
    expect(await spoke(staleTodosReminder({ todos: [], todosAt: 0 }), turns)).toEqual([]);
  });
});

describe('untouched tasks for later runs', () => {
  const taskList = (turn: number, action: string, data: Json): RunEntry[] => [
    { type: 'turn.started', turn },
    {
      ...{ type: 'tool.call', call_id: `c${turn}`, tool: 'task_list', input: { action }, what: action },
      decision: null,
    },
    {
      ...{ type: 'tool.result', call_id: `c${turn}`, tool: 'task_list', ok: true, content: '', data },
      ...{ error_kind: null, spill: null, duration_ms: 0 },
    },
  ];
  const task = (id: string, status = 'open') => ({ id, status });
  /** The reminder in turn 20 after these calls, one a turn. */
  const reports = (calls: readonly (readonly [action: string, data: Json])[]) => {
    const history = newHistoryFold();
    const all = calls.flatMap(([action, data], index) => taskList(index + 1, action, data));
    for (const entry of all) history.add(entry);
    return staleTasksReminder(history)(made(20));
  };

  it('get a reminder if the run made or changed them, in their last known state', async () => {
    const create = ['create', { task: task('a') }] as const;
    const open =
      'One task that you made or changed with task_list is open, and you did not look there for 18 turns. Bring them up to date with task_list; what is meant for later runs may stay open.';
    expect([
      await reports([create, ['list', { tasks: [task('a'), task('b')], total: 2 }]]),
      await reports([create, ['get', { task: task('b') }]]),
      (await reports([create, ['update', { task: task('b', 'in_progress') }]]))?.split(',')[0],
    ]).toEqual([open, open, '2 tasks that you made or changed with task_list are open']);
    expect([
      await reports([]),
      await reports([['list', { tasks: [task('b')], total: 1 }]]),
      await reports([create, ['update', { task: task('a', 'completed') }]]),
      await reports([create, ['list', { tasks: [task('a', 'completed')], total: 1 }]]),
      await reports([create, ['delete', { deleted: 'a' }]]),
    ]).toEqual([null, null, null, null, null]);
  });

  it('get one reminder until the run reads them again', async () => {
    const tasks = { open: 2, at: 2 };
    const note = staleTasksReminder({ tasks });
    const turns = numbers(40).map((turn) => made(turn));
    expect(await spoke(note, turns.slice(0, 20))).toEqual([10]);
    tasks.at = 21;
    expect(await spoke(note, turns.slice(20))).toEqual([29]);
  });
});

describe('a limit that is near', () => {
  it('is reported when a tenth is left, and again when another turn would exceed it', async () => {
    let left = 100;
    const words: (string | null)[] = [];
    const note = limitReminder({
      left: () => [{ kind: 'token_limit', most: 100, left, text: `${left} of 100 tokens` }],
    });
    for (left of [60, 40, 20, 10, 9, 5, 2, 1, 0]) words.push(await note(made(1)));
    const last = 'Give your final answer now: what is done, what is not, how to go on.';
    expect(words.map((text) => text ?? '')).toEqual([
      '',
      '',
      `The run is near a limit: 20 of 100 tokens left. ${last}`,
      ...['', '', '', '', '', ''],
    ]);
    left = 12;
    const slow = limitReminder({
      left: () => [{ kind: 'time_limit', most: 100, left, text: `${left} of 100 seconds` }],
    });
    const replyText: (string | null)[] = [];
    for (left of [90, 80, 70, 60, 50, 40, 30, 20, 11, 10, 8, 3]) replyText.push(await slow(made(1)));
    expect(replyText.filter((text) => text !== null)).toEqual([
      'The run is near a limit: 10 of 100 seconds left. Come to an end.',
      `The run is near a limit: 3 of 100 seconds left. ${last}`,
    ]);
  });

  it('does not count usage before the run as a turn', async () => {
    let left = 40;
    const note = limitReminder({
      left: () => [{ kind: 'token_limit', most: 100, left, text: `${left} of 100 tokens` }],
    });
    const words: (string | null)[] = [];
    for (left of [36, 32, 4]) words.push(await note(made(1)));
    expect(words).toEqual([null, null, expect.stringContaining('4 of 100 tokens left. Give your final')]);
  });

  it('is reported only for the nearer of two call limits with the same number', async () => {
    const calls = (left: number) => ({
      ...{ kind: 'tool_call_limit' as const, most: 20, left },
      text: `${left} of 20 tool calls`,
    });
    let all = [calls(10), calls(20)];
    const note = limitReminder({ left: () => all });
    const words: (string | null)[] = [];
    for (const [run = 0, own = 0] of [
      [9, 19],
      [8, 18],
      [2, 12],
    ]) {
      all = [calls(run), calls(own)];
      words.push(await note(made(1)));
    }
    expect(words).toEqual([null, null, 'The run is near a limit: 2 of 20 tool calls left. Come to an end.']);
  });
});

describe('a run at a limit', () => {
  freshLedgers();
  const reading: Turn = { text: 'so far', calls: [{ name: 'read' }] };
  const turns = Array.from({ length: 12 }, (_, index) => ({
    ...reading,
    calls: [{ name: 'read', input: { path: `f${index}` } }],
  }));
  const tokens = usage.input + usage.output;

  it.each([
    // Without calls it has one more turn, to say what it has.
    ['tool_call_limit', { max_tool_calls: 4 }, 5, 'The run used its 4 tool calls.'],
    ['token_limit', { max_tokens: 4 * tokens }, 4, 'The run used 60 tokens of the 60 allowed.'],
    ['cost_limit', { max_cost_usd: 0.04 }, 4, 'The run cost $0.04 of the $0.04 allowed.'],
    ['time_limit', { timeout_seconds: 8 }, 4, 'The run took longer than the 8 seconds allowed.'],
  ])('of the kind %s ends with its work so far, after a reminder', async (kind, limits, most, message) => {
    const seen: ModelRequest[] = [];
    // Each turn takes two seconds.
    const now = () => new Date(2_000 * seen.length);
    const result = await run(turns, { seen, limits, now, maxTurns: 20 });
    expect({ ...result, stop: result.stop, messages: [], history: null }).toMatchObject({
      conclusion: 'limit',
      answer: 'so far',
      stop: { kind, message },
      turns: most,
    });
    expect(entries('limit')).toEqual([{ type: 'limit', stop: { kind, message } }]);
    const reportedTexts = seen.map(({ messages }) =>
      JSON.stringify(messages.at(-1)).includes('near a limit'),
    );
    expect(reportedTexts).toEqual([false, false, false, true, false].slice(0, most));
  });

  it('gets one more turn for its answer after its last call', async () => {
    const seen: ModelRequest[] = [];
    const { stop, ...rest } = await run([turns[0] ?? {}, turns[1] ?? {}, { text: 'Half of it is done.' }], {
      seen,
      limits: { max_tool_calls: 2 },
    });
    expect([rest.conclusion, stop, rest.answer, rest.turns]).toEqual([
      'limit',
      { kind: 'tool_call_limit', message: 'The run used its 2 tool calls.' },
      'Half of it is done.',
      3,
    ]);
    expect(seen[2]?.messages.at(-1)?.parts.at(-1)).toEqual({
      type: 'text',
      text: 'All 2 tool calls are used up; answer in words: no tool can be called any more. Give your final answer now: what is done, what is not, how to go on.',
    });
    expect(entries('limit')).toEqual([{ type: 'limit', stop }]);
  });

  it('makes no call in that turn, and gives each a result for a resumed run', async () => {
    const result = await run(turns, { limits: { max_tool_calls: 2 } });
    expect([result.turns, started]).toEqual([3, ['read f0', 'read f1']]);
    expect(JSON.stringify(result.messages.at(-1))).toContain('Not run: the run has used all its tool calls.');
  });

  it('answers with its last text after its last call, and is asked once if there is none', async () => {
    const limits = { max_tool_calls: 2 };
    const ended = async (...given: Turn[]) => {
      const { answer, turns: taken } = await run(given, { limits });
      return [answer, taken];
    };
    const silent: Turn[] = turns.map(({ calls = [] }) => ({ calls }));
    const [first = {}, second = {}, third = {}] = silent;
    expect([
      await ended({ ...first, text: 'I look.' }, second, third, { text: 'Too late.' }),
      await ended(first, second, third, { text: 'Half of it is done.' }),
      await ended(...silent),
    ]).toEqual([
      ['I look.', 3],
      ['Half of it is done.', 4],
      ['', 4],
    ]);
  });

  it('gives its tools the remaining time of a time limit', async () => {
    const asking: Turn[] = [{ calls: [{ name: 'read', input: { path: 'time' } }] }, { text: 'Done.' }];
    const told = async (limits: Partial<RunLimits>) =>
      (await run(asking, { limits })).messages[2]?.parts.flatMap((part) =>
        part.type === 'tool_result' ? part.content : [],
      );
    expect([await told({ timeout_seconds: 8 }), await told({})]).toEqual([
      [{ type: 'text', text: '8000 ms left' }],
      [{ type: 'text', text: 'null ms left' }],
    ]);
  });

  it('skips the calls of a batch beyond the limit', async () => {
    const calls = ['a', 'b', 'c'].map((path) => ({ tool: 'edit_file', args: { path } }));
    const result = await run([{ calls: [{ name: 'batch', input: { calls } }] }], {
      limits: { max_tool_calls: 3 },
    });
    expect(result.stop?.kind).toBe('tool_call_limit');
    expect(started).toEqual(['edit_file a', 'edit_file b']);
    expect(JSON.stringify(result.messages.at(2))).toContain('Not run: the run has used all its tool calls.');
  });

  it('skips the calls of a turn beyond the limit', async () => {
    const calls = ['a', 'b', 'c', 'd'].map((path) => ({ name: 'edit_file', input: { path } }));
    const result = await run([{ calls }], { limits: { max_tool_calls: 3 } });
    expect(result.stop?.kind).toBe('tool_call_limit');
    expect(entries('tool.call').map(({ what }) => what)).toEqual(['a', 'b', 'c']);
    expect(result.messages[2]?.parts[3]).toEqual({
      type: 'tool_result',
      call_id: 'call_1_3',
      content: [
        {
          type: 'text',
          text: 'Not run: the run has used all its tool calls. Give your answer now.',
        },
      ],
      is_error: true,
    });
  });
});
