import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';

const Recorded = z.object({
  id: z.string(),
  wire: z.enum(['anthropic', 'chat', 'responses']),
  provider: z.string(),
  status: z.int(),
  ctype: z.string(),
  body: z.string(),
});
export type Recorded = z.infer<typeof Recorded>;

/** Reads the recorded answers of a file. Throws where one has another shape. */
export function readRecorded(file: string): Recorded[] {
  return z.array(Recorded).parse(JSON.parse(gunzipSync(readFileSync(file)).toString()));
}

/** The content of an answer's bytes, read without any code of the product or of an SDK. */
export interface Said {
  text: string;
  calls: { name: string; input: unknown }[];
  usage: { input: number; output: number; cache_read: number; cache_write: number };
  /** The end: `stop` also after calls; `broken` if the last event is an error or is missing. */
  ends: 'stop' | 'length' | 'refusal' | 'broken';
}

const Count = z.number().nullish();
const Text = z.string().nullish();

/** As much of an event of the Messages API as says something. */
const MessageCounts = z.looseObject({
  input_tokens: Count,
  output_tokens: Count,
  cache_read_input_tokens: Count,
  cache_creation_input_tokens: Count,
});
const MessageEvent = z.looseObject({
  type: z.string(),
  index: z.number().default(-1),
  message: z.looseObject({ usage: MessageCounts }).optional(),
  usage: MessageCounts.optional(),
  content_block: z
    .looseObject({
      type: z.string(),
      text: z.string().default(''),
      name: z.string().default(''),
      input: z.json().optional(),
    })
    .optional(),
  delta: z.looseObject({ type: Text, text: Text, partial_json: Text, stop_reason: Text }).optional(),
});

/** The same of a chunk of Chat Completions. */
const ChunkCounts = z.looseObject({
  prompt_tokens: Count,
  completion_tokens: Count,
  total_tokens: Count,
  prompt_tokens_details: z.looseObject({ cached_tokens: Count, cache_write_tokens: Count }).nullish(),
  prompt_cache_hit_tokens: Count,
});
const Piece = z.looseObject({
  index: z.number().default(0),
  id: Text,
  function: z.looseObject({ name: Text, arguments: Text }).optional(),
});
const Delta = z.looseObject({ content: Text, tool_calls: z.array(Piece).nullish() });
const Chunk = z.looseObject({
  choices: z.array(z.looseObject({ delta: Delta.optional(), finish_reason: Text })).default([]),
  usage: ChunkCounts.nullish(),
  x_groq: z.looseObject({ usage: ChunkCounts.optional() }).optional(),
  error: z.json().optional(),
});

/** The same of an event of the Responses API. */
const ResponseEvent = z.looseObject({
  type: z.string(),
  delta: z.json().optional(),
  item: z
    .looseObject({ type: z.string(), name: z.string().default(''), arguments: z.json().optional() })
    .optional(),
  response: z
    .looseObject({
      usage: z
        .looseObject({
          input_tokens: Count,
          output_tokens: Count,
          input_tokens_details: z.looseObject({ cached_tokens: Count, cache_write_tokens: Count }).nullish(),
        })
        .nullish(),
    })
    .optional(),
});

/** Takes an answer apart. */
export function saidBy({ wire, body }: Recorded): Said {
  const events = body
    .replaceAll('\r\n', '\n')
    .split('\n\n')
    .flatMap((block) => {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('\n');
      return data === '' || data === '[DONE]' ? [] : [JSON.parse(data) as unknown];
    });
  if (wire === 'anthropic') return saidInMessages(events);
  return wire === 'chat' ? saidInChunks(events) : saidInResponse(events);
}

function saidInMessages(all: readonly unknown[]): Said {
  const events = z.array(MessageEvent).parse(all);
  const end = events.findIndex(({ type }) => type === 'message_stop');
  const said: Said = {
    text: '',
    calls: [],
    usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
    ends: end < 0 ? 'broken' : 'stop',
  };
  const calls = new Map<number, { name: string; json: string }>();
  for (const event of events.slice(0, end)) {
    const counts = event.message?.usage ?? event.usage;
    if (counts !== undefined) {
      said.usage.input = counts.input_tokens ?? said.usage.input;
      said.usage.output = counts.output_tokens ?? said.usage.output;
      said.usage.cache_read = counts.cache_read_input_tokens ?? said.usage.cache_read;
      said.usage.cache_write = counts.cache_creation_input_tokens ?? said.usage.cache_write;
    }
    const block = event.content_block;
    if (block?.type === 'text') said.text += block.text;
    if (block?.type === 'tool_use') {
      const given = JSON.stringify(block.input ?? {});
      calls.set(event.index, { name: block.name, json: given === '{}' ? '' : given });
    }
    if (event.delta?.type === 'text_delta') said.text += event.delta.text ?? '';
    const call = calls.get(event.index);
    if (event.delta?.type === 'input_json_delta' && call !== undefined)
      call.json += event.delta.partial_json ?? '';
    if (event.delta?.stop_reason === 'refusal') said.ends = 'refusal';
    if (event.delta?.stop_reason === 'max_tokens') said.ends = 'length';
  }
  said.calls = [...calls.values()].map(({ name, json }) => ({ name, input: JSON.parse(json || '{}') }));
  return said;
}

function saidInChunks(all: readonly unknown[]): Said {
  const events = z.array(Chunk).parse(all);
  const calls: { id: string; name: string; json: string }[] = [];
  let text = '';
  let counts: z.infer<typeof ChunkCounts> = {};
  let reason: string | null | undefined;
  for (const event of events) {
    counts = event.usage ?? event.x_groq?.usage ?? counts;
    const [choice] = event.choices ?? [];
    reason = choice?.finish_reason ?? reason;
    text += choice?.delta?.content ?? '';
    for (const piece of choice?.delta?.tool_calls ?? []) {
      if (typeof piece.id === 'string' && piece.id !== '' && piece.id !== calls[piece.index ?? 0]?.id)
        calls[piece.index ?? 0] = { id: piece.id, name: '', json: '' };
      const call = calls[piece.index ?? 0];
      if (call === undefined) throw new Error('a piece of a call that has not begun');
      call.name += piece.function?.name ?? '';
      call.json += piece.function?.arguments ?? '';
    }
  }
  const cached = counts.prompt_tokens_details?.cached_tokens ?? counts.prompt_cache_hit_tokens ?? 0;
  const written = counts.prompt_tokens_details?.cache_write_tokens ?? 0;
  return {
    text,
    calls: calls.map(({ name, json }) => ({ name, input: JSON.parse(json || '{}') })),
    usage: {
      input: (counts.prompt_tokens ?? 0) - cached - written,
      // Every token that was not sent was written; xAI counts its reasoning apart.
      output: counts.total_tokens
        ? counts.total_tokens - (counts.prompt_tokens ?? 0)
        : (counts.completion_tokens ?? 0),
      cache_read: cached,
      cache_write: written,
    },
    ends:
      reason === 'length'
        ? 'length'
        : reason === undefined && events.some(({ error }) => error !== undefined)
          ? 'broken'
          : 'stop',
  };
}

function saidInResponse(whole: readonly unknown[]): Said {
  const all = z.array(ResponseEvent).parse(whole);
  // Some recordings hold the answers of several requests, one behind the other.
  const end = all.findIndex(({ type }) => type === 'response.completed' || type === 'response.incomplete');
  const events = all.slice(0, end + 1);
  const last = events.at(-1);
  const counts = last?.response?.usage;
  const cached = counts?.input_tokens_details?.cached_tokens ?? 0;
  const written = counts?.input_tokens_details?.cache_write_tokens ?? 0;
  return {
    text: events
      .map(({ type, delta }) =>
        type === 'response.output_text.delta' && typeof delta === 'string' ? delta : '',
      )
      .join(''),
    calls: events.flatMap(({ type, item }) =>
      type === 'response.output_item.done' && item?.type === 'function_call'
        ? [{ name: item.name, input: JSON.parse(String(item.arguments || '{}')) }]
        : [],
    ),
    usage: {
      input: (counts?.input_tokens ?? 0) - cached - written,
      output: counts?.output_tokens ?? 0,
      cache_read: cached,
      cache_write: written,
    },
    ends: last === undefined ? 'broken' : last.type === 'response.incomplete' ? 'length' : 'stop',
  };
}
