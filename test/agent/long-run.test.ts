import { expect, it } from 'vitest';
import { createModel } from '../../src/agent/models/create-model.ts';
import { startScriptedModel } from '../support/model/scripted-model.ts';
import { entries, freshLedgers, ledger, run } from './loop-fixture.ts';

freshLedgers();

const turns = 500;

/** The scripted model behind the vendor's own SDK, taken to have a window of so many tokens. */
const modelAt = (url: string, maxContextTokens: number) =>
  createModel({
    name: 'anthropic/scripted',
    providers: {
      anthropic: { baseUrl: url, apiKey: 'key', modelDefaults: { scripted: { maxContextTokens } } },
    },
    environment: {},
  });

it('a run of 500 turns in a small window leaves no call or result unpaired', async () => {
  let turn = 0;
  let summaries = 0;
  const sizes: number[] = [];
  let breaks = 0;
  let before = '';
  const server = await startScriptedModel({
    script: (request) => {
      // Without its end, which goes on in the next one.
      const text = JSON.stringify(request.messages).slice(0, -1);
      if (text.includes('Write that note')) return { text: `Summary ${++summaries}.` };
      sizes.push(text.length);
      if (!text.startsWith(before)) breaks += 1;
      before = text;
      turn += 1;
      return turn === turns
        ? { text: 'All of it is done.' }
        : { text: `Turn ${turn}.`, calls: [{ name: 'read', input: { path: `src/file${turn}.ts` } }] };
    },
  });
  try {
    const model = await modelAt(server.url, 14_000);
    const result = await run([], { model, maxTurns: turns, context: { keepRecent: 2_000 } });
    expect({
      conclusion: result.conclusion,
      answer: result.answer,
      turns: result.turns,
      rejections: server.rejections,
      connections: server.connections(),
      summaries,
    }).toEqual({
      conclusion: 'success',
      answer: 'All of it is done.',
      turns,
      rejections: [],
      connections: 1,
      summaries: 3,
    });
    const compactions = entries('compaction');
    expect(compactions.map(({ note }) => note.replace(/^\d+/, 'Some'))).toEqual(
      Array.from({ length: 3 }, () => 'Some older messages were summarised by the model.'),
    );
    // No request outgrows the window, and each but those after a summary begins with the whole one before.
    expect(Math.max(...sizes)).toBeLessThan(4 * 14_000);
    expect(breaks).toBe(3);
    expect(result.messages.length).toBeLessThan(320);
    expect(result.history).toMatchObject({ summary: 'Summary 3.', older: turns - 1 - 150 });
    expect(JSON.stringify(ledger.lines).length / turns).toBeLessThan(1_500);
  } finally {
    await server.close();
  }
});

it('a run adapts to a provider that accepts less than documented', async () => {
  const asked: string[] = [];
  const takes = 20_000;
  const server = await startScriptedModel({
    script: ({ messages }) => {
      const text = JSON.stringify(messages);
      const message = `prompt is too long: ${text.length} > ${takes}`;
      const summary = text.includes('Write that note');
      asked.push(text.length > takes ? 'refused' : summary ? 'summary' : 'turn');
      if (text.length > takes)
        return { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } };
      if (summary) return { text: 'So far so good.' };
      return asked.length > 14
        ? { text: 'Done.' }
        : { calls: [{ name: 'read', input: { path: String(3_000 + asked.length) } }] };
    },
  });
  try {
    const model = await modelAt(server.url, 200_000);
    const result = await run([], { model, maxTurns: 20, context: { keepRecent: 1_500 } });
    const turns = (count: number) => Array.from({ length: count }, () => 'turn');
    expect({ asked, answer: result.answer, rejections: server.rejections }).toEqual({
      asked: [...turns(7), 'refused', 'summary', ...turns(4), 'summary', ...turns(1)],
      answer: 'Done.',
      rejections: [],
    });
    expect(entries('diagnostic').map(({ level }) => level)).toEqual(['warning']);
  } finally {
    await server.close();
  }
});
