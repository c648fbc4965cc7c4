import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type Local, localKey, startLocal } from '../uses/support/start-local.ts';
import { type Recorded, readRecorded, saidBy } from './read-recorded.ts';
import { type ReplayServer, startReplay } from './replay-server.ts';
import { withForeign } from './with-foreign.ts';

vi.setConfig({ testTimeout: 120_000 });

const models = { anthropic: 'anthropic/claude-sonnet-4-6', chat: 'own/any', responses: 'openai/gpt-5.5' };

/** As much of an event as is looked at. */
const Event = z.looseObject({
  type: z.string(),
  turn: z.int().optional(),
  text: z.string().optional(),
  tool: z.string().optional(),
  input: z.json().optional(),
  usage: z.json().optional(),
  stop: z.json().optional(),
});
type Event = z.infer<typeof Event>;

/** The run's reading of the answer to its first request: the events until the second turn begins. */
function heard(events: readonly Event[]) {
  const next = events.findIndex(({ type, turn }) => type === 'turn.started' && turn === 2);
  const turn = events.slice(0, next < 0 ? undefined : next);
  return {
    text: turn.flatMap(({ type, text = '' }) => (type === 'text.delta' ? [text] : [])).join(''),
    calls: turn.flatMap(({ type, tool, input }) => (type === 'tool.call' ? [{ name: tool, input }] : [])),
    usage: turn.find(({ type }) => type === 'usage')?.usage,
  };
}

withForeign('recorded/providers.json.gz', (file) => {
  const recorded = readRecorded(file);
  let local: Local;
  let server: ReplayServer;
  let folder: string;
  beforeAll(async () => {
    local = await startLocal();
    server = await startReplay(recorded);
    folder = await local.checkout({ 'a.txt': 'red\n' });
  });
  afterAll(async () => {
    await server.close();
    await local.close();
  });

  /** The built program on a recorded answer, with a plain one to whatever it asks next. */
  const replay = async (number: number, { wire }: Recorded) => {
    const address = server.address(number);
    const config = path.join(local.home, `${number}.json`);
    const own = { type: 'openai-compatible', baseUrl: `${address}/v1`, apiKey: '{env:OWN_KEY}' };
    await writeFile(config, JSON.stringify({ providers: { own } }));
    const { code, stdout, stderr } = await local.anode(
      folder,
      [
        ...['run', '--config', config, '--model', models[wire], '--prompt', 'Go on.'],
        ...['--output', 'stream-json', '--sandbox', 'off'],
      ],
      {
        environment: {
          ...{ ANTHROPIC_BASE_URL: address, OPENAI_BASE_URL: `${address}/v1` },
          ...{ OWN_KEY: localKey, OPENAI_API_KEY: localKey },
        },
      },
    );
    const lines = stdout.split('\n').filter((line) => line !== '');
    const events = lines.map((line) => Event.parse(JSON.parse(line)));
    return { code, stderr, stdout, events };
  };
  const numbered = recorded.map((one, number) => ({ ...one, number, title: `${number} ${one.id}` }));

  test.concurrent.for(numbered.filter(({ status }) => status === 200))('hears $title', async (one) => {
    const { text, calls, usage, ends } = saidBy(one);
    const { code, stderr, events } = await replay(one.number, one);
    const last = events.at(-1);
    const { type, stop } = { type: last?.type, stop: last?.stop };
    // A refusal by the model ends the run; every other end leads to an answer.
    const refused = ends === 'refusal';
    const wholeAnswer = ends === 'stop' && text.trim() !== '' && calls.length === 0;
    expect({
      id: one.id,
      code,
      stderr,
      type,
      stop,
      asked: server.asked(one.number) > 1,
      ...heard(events),
    }).toEqual({
      ...{ id: one.id, code: refused ? 1 : 0, stderr: '', type: 'run.finished' },
      stop: refused ? expect.objectContaining({ kind: 'provider_refused' }) : null,
      ...{ asked: !wholeAnswer && !refused, text, calls, usage },
    });
  });

  test.concurrent.for(numbered.filter(({ status }) => status !== 200))('tells $title', async (one) => {
    const { stdout, stderr } = await replay(one.number, one);
    const shown = `${stdout}${stderr}`;
    const { error } = z
      .object({
        error: z.object({ message: z.string(), metadata: z.object({ raw: z.string() }).optional() }),
      })
      .parse(JSON.parse(one.body));
    for (const words of [error.message, error.metadata?.raw ?? ''])
      expect(shown).toContain(words.slice(0, 200).replaceAll('"', '\\"'));
    // In words, not as the body it came in.
    expect(shown).not.toMatch(/request_id|\{\\?"(?:error|type)\\?":\\?"error/);
  });
});
