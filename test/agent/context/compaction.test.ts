import { describe, expect, it } from 'vitest';
import type { Model, ModelReply, ModelRequest } from '../../../src/agent/models/model.ts';
import { ProviderError, RequestRejected } from '../../../src/agent/models/provider-error.ts';
import { continueSession, saveStopped } from '../../../src/agent/saved-session.ts';
import { RunStopped } from '../../../src/contract/errors.ts';
import type { Message } from '../../../src/contract/message.ts';
import type { RunHistory } from '../../../src/contract/run-history.ts';
import { SavedSession } from '../../../src/contract/session.ts';
import { entries, freshLedgers, ledger, run, runStarted, started, type Turn, task } from '../loop-fixture.ts';

freshLedgers();

const reading = (characters: number): Turn => ({
  calls: [{ name: 'read', input: { path: String(characters) } }],
});
/** The words of the request that asks for a summary. */
const asksForSummary = (request: ModelRequest | undefined): boolean =>
  JSON.stringify(request?.messages.at(-1)).includes('Write that note');

const textOf = (message: Message | undefined): string =>
  (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** Ids of calls without a result in the next message, and of results without a call in the one before. */
function orphans(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, parts }, index) => {
    const others = messages[index + (role === 'user' ? -1 : 1)]?.parts ?? [];
    return parts.flatMap((part) => {
      if (part.type === 'tool_call')
        return others.some((one) => one.type === 'tool_result' && one.call_id === part.id) ? [] : [part.id];
      if (part.type !== 'tool_result') return [];
      return others.some((one) => one.type === 'tool_call' && one.id === part.call_id) ? [] : [part.call_id];
    });
  });
}

/** A window of 10,000 tokens: 8,500 may be filled, and the newest 1,000 stay. */
const small = { window: 10_000, maxTurns: 40, context: { keepRecent: 1_000 } };

describe('a conversation that outgrows its model', () => {
  it("continues from a summary message: the task verbatim, facts from the ledger, the model's summary", async () => {
    const seen: ModelRequest[] = [];
    const turns: Turn[] = [
      ...[1, 2, 3, 4].map(() => reading(8_000)),
      reading(4_000),
      { text: 'Found: the bug is in a.ts:7.' },
      { text: 'done' },
    ];
    const result = await run(turns, { ...small, seen });
    expect({ conclusion: result.conclusion, answer: result.answer, turns: result.turns }).toEqual({
      conclusion: 'success',
      answer: 'done',
      turns: 6,
    });
    expect(seen.map(asksForSummary)).toEqual([false, false, false, false, false, true, false]);
    const [before, ask, after] = seen.slice(-3);
    // The summary request repeats what was sent before, so the provider has it in its cache.
    expect(ask?.messages.slice(0, -1)).toEqual(before?.messages.slice(0, (ask?.messages.length ?? 0) - 1));
    const [first, ...rest] = after?.messages ?? [];
    expect(first?.parts[0]).toEqual(task.parts[0]);
    expect(textOf(first)).toContain('Summary, in your own words:\nFound: the bug is in a.ts:7.');
    expect(textOf(first)).toContain('Files read:\n- 8000\n- 4000');
    expect(textOf(first)).toContain('Turns 1 to 4 of this run');
    expect(rest.map(({ role }) => role)).toEqual(['assistant', 'user']);
    expect(orphans(after?.messages ?? [])).toEqual([]);
  });

  it("is recorded, and the summary's usage counts", async () => {
    const turns: Turn[] = [
      ...Array.from({ length: 5 }, () => reading(8_000)),
      { text: 'S' },
      { text: 'done' },
    ];
    const result = await run(turns, small);
    const [{ kept = '', ...entry } = {}, ...others] = entries('compaction');
    expect([entry, others]).toEqual([
      {
        type: 'compaction',
        before_tokens: 10_058,
        after_tokens: expect.any(Number),
        note: '8 older messages were summarised by the model.',
      },
      [],
    ]);
    expect(kept).toContain('Summary, in your own words:\nS');
    expect(result.usage).toEqual({ input: 70, output: 35, cache_read: 0, cache_write: 0 });
    expect(result.costUsd).toBeCloseTo(0.07);
    expect(entries('usage').map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5, 6, 6]);
  });

  it('is a prefix of what follows, and the next summary replaces the first', async () => {
    const seen: ModelRequest[] = [];
    const ten = Array.from({ length: 4 }, () => reading(8_000));
    const turns = [...ten, reading(8_000), { text: 'one' }, ...ten, { text: 'two' }];
    await run([...turns, { text: 'done' }], { ...small, seen });
    const requests = seen.filter((request) => !asksForSummary(request));
    const breaks = requests.slice(1).filter((request, index) => {
      const earlier = requests[index]?.messages ?? [];
      return JSON.stringify(request.messages.slice(0, earlier.length)) !== JSON.stringify(earlier);
    });
    expect(breaks).toHaveLength(2);
    const note = textOf(requests.at(-1)?.messages[0]);
    expect(note.match(/<earlier_turns>/g)).toHaveLength(1);
    expect(note).toContain('Summary, in your own words:\ntwo');
    expect(requests.flatMap(({ messages }) => orphans(messages))).toEqual([]);
  });

  it('ends at a cost limit that the summary reached', async () => {
    const turns: Turn[] = [...Array.from({ length: 5 }, () => reading(8_000)), { text: 'S' }, { text: 'no' }];
    const result = await run(turns, { ...small, limits: { max_cost_usd: 0.06 } });
    expect([result.stop?.kind, entries('compaction').length, result.answer]).toEqual(['cost_limit', 1, '']);
  });

  it.each([
    ['cannot be had', { fails: new RunStopped({ kind: 'provider_failed', message: 'down' }) }],
    ['is empty', { text: ' ' }],
    ['is refused', { text: 'I will not.', stop: 'refusal' as const }],
  ])('continues from the ledger alone if a summary %s', async (_, summary) => {
    const seen: ModelRequest[] = [];
    const turns: Turn[] = [...Array.from({ length: 5 }, () => reading(8_000)), summary, { text: 'done' }];
    const result = await run(turns, { ...small, seen });
    expect(result.answer).toBe('done');
    expect(textOf(seen.at(-1)?.messages[0])).toContain('There is no summary: look again at what you need.');
    expect(entries('compaction').map(({ note }) => note)).toEqual([
      '8 older messages were listed from the record, without a summary.',
    ]);
  });

  it('asks once more if the model calls a tool instead of summarising, and does not run the call', async () => {
    const seen: ModelRequest[] = [];
    const calling: Turn = { text: 'Let me look again.', calls: [{ name: 'edit_file' }] };
    const turns: Turn[] = [
      ...Array.from({ length: 5 }, () => reading(8_000)),
      calling,
      { text: 'Found: the bug is in a.ts:7.' },
      { text: 'done' },
    ];
    const result = await run(turns, { ...small, seen });
    const [requested, again, after] = seen.slice(-3);
    expect(again?.messages.slice(0, requested?.messages.length)).toEqual(requested?.messages);
    expect(again?.messages.at(-1)).toEqual({
      role: 'user',
      parts: [
        {
          ...{ type: 'tool_result', call_id: 'call_6_0', is_error: true },
          content: [
            {
              type: 'text',
              text: 'Not run: nothing is called now. Write the note that was asked for, as plain text.',
            },
          ],
        },
      ],
    });
    const note = textOf(after?.messages[0]);
    expect([result.answer, started.includes('edit_file x')]).toEqual(['done', false]);
    expect(note).toContain('Summary, in your own words:\nFound: the bug is in a.ts:7.');
    expect(entries('usage').map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5, 6, 6, 6]);
  });

  it.each([
    ['only calls again', 'Let me look.', { calls: [{ name: 'edit_file' }] }, 'There is no summary'],
    ['says no word at all', undefined, { calls: [{ name: 'edit_file' }] }, 'There is no summary'],
    ['wrote a whole note before it', 'N'.repeat(200), null, `your own words:\n${'N'.repeat(200)}`],
  ])('continues with the available text if a model %s', async (_, text, second, stored) => {
    const seen: ModelRequest[] = [];
    const calling: Turn = { ...(text === undefined ? {} : { text }), calls: [{ name: 'edit_file' }] };
    const turns: Turn[] = [
      ...Array.from({ length: 5 }, () => reading(8_000)),
      ...[calling, ...(second === null ? [] : [second])],
      { text: 'done' },
    ];
    const result = await run(turns, { ...small, seen });
    expect([result.answer, seen.length]).toEqual(['done', turns.length]);
    expect(textOf(seen.at(-1)?.messages[0])).toContain(stored);
  });

  it('ends if it is cancelled during the summary', async () => {
    const control = new AbortController();
    const cancelling: Turn = {
      get text(): string {
        control.abort();
        throw control.signal.reason;
      },
    };
    const turns = [...Array.from({ length: 5 }, () => reading(8_000)), cancelling, { text: 'never' }];
    const result = await run(turns, { ...small, signal: control.signal });
    expect([result.conclusion, entries('compaction')]).toEqual(['cancelled', []]);
  });
});

describe('a conversation that is to be shortened early', () => {
  it('is summarised before the next request, with the given focus', async () => {
    const seen: ModelRequest[] = [];
    const asking: Turn = {
      calls: [
        { name: 'compact', input: { instructions: 'the API' } },
        { name: 'read', input: { path: '9' } },
      ],
    };
    const turns: Turn[] = [
      reading(8_000),
      reading(8_000),
      asking,
      { text: 'the API is X' },
      { text: 'done' },
    ];
    const result = await run(turns, { ...small, seen });
    expect(result.answer).toBe('done');
    expect(seen.map(asksForSummary)).toEqual([false, false, false, true, false]);
    expect(textOf(seen[3]?.messages.at(-1))).toMatch(/Above all keep: the API$/);
    expect(textOf(seen[4]?.messages[0])).toContain('the API is X');
    expect(orphans(seen[4]?.messages ?? [])).toEqual([]);
  });

  it('is summarised even if automatic summaries are off', async () => {
    const seen: ModelRequest[] = [];
    const turns: Turn[] = [reading(8_000), reading(8_000), { calls: [{ name: 'compact' }] }, { text: 'S' }];
    await run([...turns, { text: 'done' }], {
      ...small,
      context: { keepRecent: 1_000, compactEnabled: false },
      seen,
    });
    expect(seen.map(asksForSummary)).toEqual([false, false, false, true, false]);
  });
});

describe('a session resumed after a summary', () => {
  it('has all earlier actions and texts in one message, also after another summary', async () => {
    ledger.record(runStarted);
    const first: Turn[] = [...Array.from({ length: 5 }, () => reading(8_000)), { text: 'one' }, reading(10)];
    const stopped = await run(first, { ...small, maxTurns: 6 });
    const session = saveStopped(stopped, ledger.lines, { plan: null, patch: '', now: new Date(0) });
    if (session === null) throw new Error('no session was saved');
    expect([stopped.conclusion, session.history?.actions.length, session.history?.summary]).toEqual([
      'limit',
      6,
      'one',
    ]);
    const seen: ModelRequest[] = [];
    const more: Turn[] = [
      ...[1, 2, 3, 4].map((number) => reading(7_000 + number)),
      { text: '' },
      { text: 'done' },
    ];
    const result = await run(more, {
      ...small,
      seen,
      messages: continueSession(SavedSession.parse(session), 'Mind the tests.', null),
      before: { ...session.history, said: [{ question: null, words: 'Mind the tests.' }] } as RunHistory,
    });
    expect(result.answer).toBe('done');
    const note = textOf(seen.at(-1)?.messages[0]);
    expect(note.match(/<earlier_turns>/g)).toHaveLength(1);
    expect(note).toContain('- Mind the tests.');
    expect(note).toContain('- turn 6: read 10');
    expect(note).toContain(': read 7003');
    expect(note).toContain('Summary, in your own words:\none');
    expect(seen.flatMap(({ messages }) => orphans(messages))).toEqual([]);
  });
});

describe('content larger than the whole window', () => {
  const tiny = { window: 5_000, maxTurns: 10 };

  it('is cut in the middle of a result, so the model reads its beginning and end', async () => {
    const seen: ModelRequest[] = [];
    const result = await run([reading(45_000), { text: 'done' }], { ...tiny, seen });
    expect(result.answer).toBe('done');
    const [part] = seen.at(-1)?.messages.at(-1)?.parts ?? [];
    const text = part?.type === 'tool_result' && part.content[0]?.type === 'text' ? part.content[0].text : '';
    expect(text).toMatch(/^x+\n\[… \d+ characters left out, as there was no room for them …\]\nx+$/);
    expect(text.length).toBeLessThan(15_000);
    expect(entries('compaction').map(({ note }) => note)).toEqual(['Texts that were cut to fit: 1.']);
  });

  it('is cut evenly over the results of parallel calls', async () => {
    const seen: ModelRequest[] = [];
    const calls = [9_000, 45_000, 45_000, 300].map((size) => ({
      name: 'read',
      input: { path: String(size) },
    }));
    await run([{ calls }, { text: 'done' }], { ...tiny, seen });
    const lengths = seen
      .at(-1)
      ?.messages.at(-1)
      ?.parts.map((part) =>
        part.type === 'tool_result' && part.content[0]?.type === 'text' ? part.content[0].text.length : 0,
      );
    const [a = 0, b, c, d] = lengths ?? [];
    expect(a).toBeLessThan(6_000);
    expect([b, c, d]).toEqual([expect.any(Number), b, 300]);
  });

  it('is cut in the middle of the first message, whose task is at the end', async () => {
    const seen: ModelRequest[] = [];
    const first: Message = {
      role: 'user',
      parts: [{ type: 'text', text: `${'pack '.repeat(8_000)}<task>\nfix it\n</task>` }],
    };
    const result = await run([{ text: 'done' }], { ...tiny, seen, messages: [first] });
    expect(result.answer).toBe('done');
    expect(textOf(seen[0]?.messages[0])).toMatch(/^pack .*left out.*<task>\nfix it\n<\/task>$/s);
  });

  it('is reported once if even the system prompt does not fit', async () => {
    const system = 's'.repeat(12_000);
    const result = await run([reading(10), { text: 'done' }], { ...tiny, system });
    expect(result.answer).toBe('done');
    expect(entries('diagnostic').map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The system prompt and the tools alone take about \d+ of the 4250 tokens/),
    ]);
  });

  it('is summarised whole if the model wrote it', async () => {
    const seen: ModelRequest[] = [];
    const writing: Turn = { calls: [{ name: 'edit_file', input: { path: 'a', text: 'y'.repeat(40_000) } }] };
    const result = await run([writing, { text: 'I wrote a.' }, { text: 'done' }], { ...tiny, seen });
    expect(result.answer).toBe('done');
    expect(seen.at(-1)?.messages).toHaveLength(1);
    expect(textOf(seen.at(-1)?.messages[0])).toContain('I wrote a.');
  });
});

describe('a request that the provider rejects as too long', () => {
  const rejected = new RequestRejected({ kind: 'provider_failed', message: 'prompt is too long' });
  const grown = Array.from({ length: 4 }, () => reading(8_000));

  it('is sent once more, shorter, and the run assumes a smaller window from then on', async () => {
    const seen: ModelRequest[] = [];
    const turns: Turn[] = [...grown, { fails: rejected }, { text: 'so far' }, { text: 'done' }];
    const result = await run(turns, { ...small, window: 100_000, seen });
    expect([result.conclusion, result.answer, result.turns]).toEqual(['success', 'done', 5]);
    expect(seen.map(asksForSummary)).toEqual([false, false, false, false, false, true, false]);
    expect(entries('diagnostic').map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The model took 8\d{3} tokens for too many, of the 100000 it is taken to have/),
    ]);
  });

  it("ends the run with the provider's message if the shorter one is refused too", async () => {
    const turns: Turn[] = [...grown, { fails: rejected }, { text: 'so far' }, { fails: rejected }];
    const result = await run(turns, { ...small, window: 100_000 });
    expect([result.conclusion, result.stop]).toEqual(['failure', rejected.reason]);
  });

  /**
   * Reads 8,000 characters eight times, then acts as another model with a declared window of `said`
   * tokens and a real one of `takes`.
   */
  function shrinking(replyText: number, takes: number, seen: ModelRequest[]): Model {
    const cause = new ProviderError('too_long', 'prompt is too long');
    const reply = (parts: Extract<Message, { role: 'assistant' }>['parts']): ModelReply => ({
      ...{ message: { role: 'assistant', parts }, stop: 'end' },
      usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
    });
    let turn = 0;
    return {
      ...{ name: 'test/model', nativeTools: true, cost: () => 0 },
      get contextWindow() {
        return turn < 8 ? 40_000 : replyText;
      },
      async complete(request) {
        seen.push({ ...request, messages: [...request.messages] });
        if (turn >= 8 && JSON.stringify(request.messages).length > takes * 4)
          throw new RequestRejected({ kind: 'provider_failed', message: 'too long' }, { cause });
        if (asksForSummary(request)) return reply([{ type: 'text', text: 'S' }]);
        turn += 1;
        if (turn > 8) return reply([{ type: 'text', text: 'done' }]);
        return reply([{ type: 'tool_call', id: `c${turn}`, name: 'read', input: { path: '8000' } }]);
      },
    };
  }

  it('is shortened as often as necessary if the provider names its length as the reason', async () => {
    const seen: ModelRequest[] = [];
    const result = await run([], { model: shrinking(40_000, 5_000, seen), maxTurns: 9 });
    expect([result.conclusion, result.answer]).toEqual(['success', 'done']);
    expect(entries('compaction').length).toBeGreaterThan(1);
  });

  it('fits the window of a fallback model at once', async () => {
    const seen: ModelRequest[] = [];
    const result = await run([], { model: shrinking(8_000, 8_000, seen), maxTurns: 9 });
    expect([result.conclusion, result.answer]).toEqual(['success', 'done']);
    expect(seen).toHaveLength(10);
  });

  it('ends the run immediately if nothing can be shortened', async () => {
    const seen: ModelRequest[] = [];
    const result = await run([{ fails: rejected }], { seen });
    expect([seen.length, result.stop]).toEqual([1, rejected.reason]);
  });
});
