import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/agent/models/model.ts';
import type { FinishedTurn, TurnReminder } from '../../../src/agent/reminders/turn-reminders.ts';
import { freshLedgers, run, started } from '../loop-fixture.ts';

freshLedgers();

/** The texts behind the results of the last message of a request. */
const reply = (request: ModelRequest | undefined) =>
  request?.messages.at(-1)?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));

describe('a reminder between turns', () => {
  it('is made after the calls of the turn and follows their results, in a fixed order', async () => {
    const seen: ModelRequest[] = [];
    const requested: FinishedTurn[] = [];
    const first: TurnReminder = async (turn) => {
      requested.push(turn);
      return turn.turn === 1 ? 'first' : null;
    };
    const read = { name: 'read', input: { path: 'a' } };
    await run([{ calls: [read] }, { calls: [read] }, { text: 'done' }], {
      seen,
      notes: [first, ({ turn }) => `second of ${turn}`],
    });
    const part = (id: string) => ({
      calls: [{ type: 'tool_call', id, ...read }],
      results: [
        {
          type: 'tool_result',
          call_id: id,
          content: [{ type: 'text', text: 'read done' }],
          is_error: false,
        },
      ],
    });
    expect(requested).toEqual([
      { turn: 1, turnsLeft: 9, cutOff: false, ...part('call_1_0') },
      { turn: 2, turnsLeft: 8, cutOff: false, ...part('call_2_0') },
    ]);
    expect([reply(seen[1]), reply(seen[2])]).toEqual([['first', 'second of 1'], ['second of 2']]);
    expect(seen[2]?.messages.slice(0, 3)).toEqual(seen[1]?.messages);
  });

  it('is not made if the run waits', async () => {
    const asked: number[] = [];
    const note: TurnReminder = ({ turn }) => {
      asked.push(turn);
      return 'unheard';
    };
    const result = await run([{ calls: [{ name: 'read' }, { name: 'ask_user' }] }], { notes: [note] });
    expect({ asked, conclusion: result.conclusion, parts: result.messages.at(-1)?.parts.length }).toEqual({
      asked: [],
      conclusion: 'waiting',
      parts: 1,
    });
  });
});

describe('a tool that ends the run', () => {
  it("ends it as completed with its answer, after the turn's calls and with their results", async () => {
    const seen: ModelRequest[] = [];
    const calls = [{ name: 'finish', input: { path: 'the whole answer' } }, { name: 'edit_file' }];
    const result = await run([{ text: 'working', calls }, { text: 'never asked' }], { seen });
    expect({ ...result, messages: result.messages.map(({ parts }) => parts.length) }).toMatchObject({
      conclusion: 'success',
      answer: 'the whole answer',
      stop: null,
      turns: 1,
      messages: [1, 3, 2],
    });
    expect(started).toEqual(['edit_file x']);
    expect(seen).toHaveLength(1);
  });

  it("leaves the model's last text as the answer if it has none of its own", async () => {
    const result = await run([{ text: 'my words', calls: [{ name: 'finish', input: { path: '' } }] }]);
    expect([result.conclusion, result.answer]).toEqual(['success', 'my words']);
  });
});
