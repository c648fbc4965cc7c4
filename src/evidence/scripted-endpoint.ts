import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { JsonObject } from '../contract/json.ts';
import { monotonicMs } from '../contract/monotonic-ms.ts';

/** One answer of the script: calls of tools, or the final text. */
export type ScriptedAnswer =
  | { readonly calls: readonly { readonly name: string; readonly input: JsonObject }[] }
  | { readonly text: string };

/** A model endpoint on loopback that gives the answers of a script. */
export interface ScriptedEndpoint {
  /** Base address for `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  /** Monotonic times (ms) at which the requests arrived. */
  readonly arrivals: readonly number[];
  close(): Promise<void>;
}

/**
 * Starts an endpoint with Anthropic's Messages API (streaming) on a free port of loopback. Each
 * request gets the next answer; requests after the last get its last answer again. It costs nothing
 * and needs no key, so that a run can be tried or timed without a provider.
 */
export async function startScriptedEndpoint(script: readonly ScriptedAnswer[]): Promise<ScriptedEndpoint> {
  const arrivals: number[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      arrivals.push(monotonicMs());
      const turn = Math.min(arrivals.length, script.length);
      sendAnswer(response, turn, script[turn - 1] ?? { text: '' });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function sendAnswer(response: ServerResponse, turn: number, answer: ScriptedAnswer): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of eventsOf(turn, answer))
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

type WireEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** The events of one message (Anthropic's documentation, "Streaming messages"). */
function eventsOf(turn: number, answer: ScriptedAnswer): WireEvent[] {
  const usage = {
    input_tokens: 1,
    output_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const message = { id: `msg_${turn}`, type: 'message', role: 'assistant', model: 'scripted', content: [] };
  const blocks =
    'text' in answer
      ? [textBlock(answer.text)]
      : answer.calls.map((call, index) => callBlock(`toolu_${turn}_${index}`, call));
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } },
    ...blocks.flatMap(({ block, delta }, index) => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: 'text' in answer ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage,
    },
    { type: 'message_stop' },
  ];
}

const textBlock = (text: string) => ({
  block: { type: 'text', text: '' },
  delta: { type: 'text_delta', text },
});

const callBlock = (id: string, { name, input }: { readonly name: string; readonly input: JsonObject }) => ({
  block: { type: 'tool_use', id, name, input: {} },
  delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
});
