import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/agent/models/model.ts';
import { answerSession, saveSession } from '../../src/agent/saved-session.ts';
import { freshLedgers, ledger, run, runStarted, started, usage } from './loop-fixture.ts';

freshLedgers();

describe('a run that waits', () => {
  const question = { question: 'Which?', options: [], allow_freeform: true, required: true, questions: [] };

  async function wait() {
    ledger.record(runStarted);
    ledger.record({ type: 'question', question });
    const result = await run([{ calls: [{ name: 'read' }, { name: 'ask_user' }, { name: 'edit_file' }] }]);
    return {
      result,
      session: saveSession(result, ledger.lines, { plan: null, patch: 'the patch', now: new Date(0) }),
    };
  }

  it('stores conversation, question and changes, and executes nothing after the question', async () => {
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
      approvals: [],
      findings: [],
      usage,
      turns: 1,
      tool_calls: 2,
      cost_usd: 0.01,
      duration_ms: 0,
      history: result.history,
      patch: 'the patch',
      base_sha: 'abc',
      profile: 'craft',
      model: 'test/model',
      preset: 'careful',
      saved_at: '1970-01-01T00:00:00.000Z',
    });
  });

  it('waits even if it was to end in the same turn, and tells the model that it has not ended', async () => {
    ledger.record(runStarted);
    ledger.record({ type: 'question', question });
    const end = { name: 'finish', input: { path: 'all done' } };
    const before = await run([{ calls: [end, { name: 'ask_user' }] }]);
    const session = saveSession(before, ledger.lines, { plan: null, patch: '', now: new Date(0) });
    if (session === null) throw new Error('no session was saved');
    const seen: ModelRequest[] = [];
    const after = await run([{ text: 'then so' }], { messages: answerSession(session, 'a', null), seen });
    expect([before.conclusion, before.answer, after.conclusion, after.answer]).toEqual([
      'waiting',
      '',
      'success',
      'then so',
    ]);
    const reported = seen[0]?.messages
      .at(-1)
      ?.parts.map((part) => (part.type === 'tool_result' ? part.content : part));
    expect(reported).toEqual([
      [{ type: 'text', text: 'The run ends.' }],
      [{ type: 'text', text: 'The user answered: a' }],
      {
        type: 'text',
        text: 'The run has not ended, though a call above asks for that: it waited for a person first. Go on from there, and end it anew once it is done.',
      },
    ]);
    const other = await run([{ calls: [{ name: 'ask_user' }, end] }]);
    expect([other.conclusion, JSON.stringify(other.messages.at(-1))]).toEqual([
      'waiting',
      expect.stringContaining('Not run: the run stopped at the call before it.'),
    ]);
  });

  it('keeps its committed message from the last commit of the whole work', async () => {
    for (const [mode, text] of [
      ['append', 'one'],
      ['replace', 'two '],
      ['append', 'three'],
    ] as const)
      ledger.record({ type: 'answer.committed', path: `output/${text.trim()}.md`, mode, text });
    const { session } = await wait();
    expect(session?.committed).toEqual({ path: 'output/three.md', text: 'two three' });
  });

  it('continues with the answer as the result of the question', async () => {
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
