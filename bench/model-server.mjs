// A model without cost: answers Anthropic Messages on loopback immediately, with one shell call in
// each of the given turns, then with a text. What is left on the clock is the client. A separate
// process, so it shares no event loop with the measuring one. Prints its port; `POST /reset
// {"turns":N}` starts over, `GET /log` tells what came. With `"thinkMs":M` each answer comes M ms
// after its request. Times are CLOCK_MONOTONIC in ms, as process.hrtime has them in every process
// of the machine.
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const now = () => Number(process.hrtime.bigint()) / 1e6;
let turns = 0;
let thinkMs = 0;
/**
 * Calls requested so far. A request's content does not show this, because a long conversation is
 * shortened.
 */
let asked = 0;
let log = [];
let previous = '';

/** Whether a request asks for a summary of what it holds. */
const wantsSummary = ({ messages }) => JSON.stringify(messages.at(-1)).includes('Write that note');

/**
 * The request as a provider's cache compares it: tools, system and messages, without the moving
 * markers.
 */
function cacheText({ tools, system, messages }) {
  const plain = (value) =>
    JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner)) ?? '';
  return [plain(tools), plain(system), ...messages.map((message) => plain(message))].join('\n');
}

/** How much of the previous request stands unchanged at the start of this one, from 0 to 1. */
function prefixShare(text) {
  if (previous === '') return null;
  if (text.startsWith(previous)) return 1;
  let same = 0;
  while (same < previous.length && previous[same] === text[same]) same += 1;
  return same / previous.length;
}

function answer(body) {
  const turn = asked;
  const bash = body.tools?.find((tool) => tool.name.toLowerCase() === 'bash');
  const summary = wantsSummary(body);
  const call = bash !== undefined && turn < turns && !summary;
  if (call) asked += 1;
  const block = call
    ? { type: 'tool_use', id: `toolu_${turn}`, name: bash.name, input: {} }
    : { type: 'text', text: '' };
  const delta = call
    ? {
        type: 'input_json_delta',
        partial_json: JSON.stringify({ command: `cat src/m${turn % 10}/f${turn}.ts` }),
      }
    : { type: 'text_delta', text: summary ? 'Some files were read.' : 'Done.' };
  const usage = {
    input_tokens: 100,
    output_tokens: 20,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const message = { id: `msg_${turn}`, type: 'message', role: 'assistant', model: body.model, content: [] };
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage,
    },
    { type: 'message_stop' },
  ];
}

const server = http.createServer(async (request, response) => {
  const arrived = now();
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const wire = Buffer.concat(chunks);
  if (request.url === '/reset') {
    ({ turns, thinkMs = 0 } = JSON.parse(wire.toString()));
    log = [];
    asked = 0;
    previous = '';
    response.end();
  } else if (request.url === '/log') {
    response.end(JSON.stringify(log));
  } else if (request.method === 'POST' && request.url?.startsWith('/v1/messages')) {
    const read = now();
    const body = JSON.parse(wire.toString());
    const text = cacheText(body);
    const markers = wire.toString().split('"cache_control"').length - 1;
    const sent = { bytes: wire.length, prefixShare: prefixShare(text), markers };
    const entry = { arrived, read, ...sent, answered: 0 };
    previous = text;
    // What asks for a summary is no turn.
    if (!wantsSummary(body)) log.push(entry);
    if (thinkMs > 0) await pause(thinkMs);
    response.setHeader('content-type', 'text/event-stream');
    response.on('finish', () => {
      entry.answered = now();
    });
    response.end(
      answer(body)
        .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join(''),
    );
  } else {
    response.statusCode = 404;
    response.end();
  }
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
// Ends with whoever started it.
process.stdin.on('end', () => process.exit()).resume();
