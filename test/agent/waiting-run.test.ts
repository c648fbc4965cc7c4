import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/agent/models/model.ts';
import { answerSession, saveSession } from '../../src/agent/session.ts';
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

  it('keeps the message it committed, from the last commit of the whole of it', async () => {
    for (const [mode, text] of [
      ['append', 'one'],
      ['replace', 'two '],
      ['append', 'three'],
    ] as const)
      ledger.record({ type: 'answer.committed', path: `output/${text.trim()}.md`, mode, text });
    const { session } = await wait();
    expect(session?.committed).toEqual({ path: 'output/three.md', text: 'two three' });
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
