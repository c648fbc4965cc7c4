import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json, JsonObject } from '../../../src/contract/json.ts';
import { checkConversation } from './check-conversation.ts';
import { carriesKey, findWire } from './find-wire.ts';
import { object } from './read-body.ts';
import {
  type FullReply,
  RejectedRequest,
  type Script,
  type ScriptedReply,
  type ScriptedRequest,
} from './script.ts';
import { sendFault } from './send-fault.ts';

export interface ScriptedModelOptions {
  readonly script: Script;
  /** Any free port when left out. */
  readonly port?: number;
  /** The key that a request must carry, in any of the headers for keys; any or none by default. */
  readonly key?: string;
}

export interface ScriptedModel {
  /** `http://127.0.0.1:PORT`: the base URL for Anthropic's client; OpenAI's takes it with `/v1`. */
  readonly url: string;
  /** Every request that could be read, in order. */
  readonly requests: readonly ScriptedRequest[];
  /** Why requests were answered with 400 by the server's own checks: empty in a correct conversation. */
  readonly rejections: readonly string[];
  /** How many connections were opened. */
  connections(): number;
  /** Ends every connection and waits for the port to be free. */
  close(): Promise<void>;
}

/**
 * Starts a model server on loopback that speaks the three real APIs, also in their cloud forms, and
 * answers by the script. It checks each request by the rules of the real endpoints (pairs of calls
 * and results, roles, schemas, signatures) and answers 400 if one is broken. A script that throws
 * makes a 500 with its message.
 */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = [];
  const rejections: string[] = [];
  let connections = 0;
  let received = 0;

  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const wire = findWire(new URL(incoming.url ?? '/', 'http://model'));
    if (incoming.method !== 'POST' || wire === null) return sendError(response, 404, 'no such endpoint');
    const text = await readText(incoming);
    if (options.key !== undefined && !carriesKey(incoming.headers, options.key)) {
      return sendError(response, 401, 'invalid key', 'authentication_error');
    }
    const index = received++;
    let request: ScriptedRequest;
    try {
      const raw = readJson(text);
      const neutral = wire.read(raw);
      request = { ...neutral, api: wire.api, index, headers: incoming.headers, raw };
      requests.push(request);
      checkConversation(neutral);
    } catch (error) {
      if (!(error instanceof RejectedRequest)) throw error;
      rejections.push(error.message);
      return sendError(response, 400, error.message, 'invalid_request_error');
    }
    const reply = await options.script(request);
    if ('status' in reply) {
      return sendJson(
        response,
        reply.status,
        reply.body ?? errorBody('scripted failure', 'api_error'),
        reply.headers,
      );
    }
    const isFault = 'fault' in reply;
    const replyText: ScriptedReply = isFault
      ? (reply.reply ?? { text: 'This will not be heard to its end.' })
      : reply;
    const answer = wire.answer(fillIn(replyText, request, text.length));
    if (isFault) return sendFault(response, reply.fault, answer, request.stream ? wire.framing : null);
    if (!request.stream) return sendJson(response, 200, answer.plain);
    response.writeHead(200, { 'content-type': wire.framing.contentType, 'cache-control': 'no-cache' });
    response.end(Buffer.concat(wire.framing.pieces(answer)));
  };

  const server = createServer((incoming, response) => {
    respond(incoming, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else
        sendError(
          response,
          500,
          `the script failed: ${error instanceof Error ? error.message : String(error)}`,
        );
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    rejections,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function fillIn(reply: ScriptedReply, request: ScriptedRequest, bodyLength: number): FullReply {
  const id = request.index.toString().padStart(6, '0');
  const calls = (reply.calls ?? []).map((call, index) => ({
    id: call.id ?? `call_${id}_${index}`,
    name: call.name,
    json: typeof call.input === 'string' ? call.input : JSON.stringify(call.input),
  }));
  const output = Math.ceil(JSON.stringify([reply.text, calls]).length / 4);
  return {
    id,
    model: request.model,
    text: reply.text ?? '',
    thinking: reply.thinking ?? '',
    calls,
    stop: reply.stop ?? (calls.length > 0 ? 'tool_calls' : 'end'),
    usage: { input: Math.ceil(bodyLength / 4), output, cache_read: 0, cache_write: 0, ...reply.usage },
  };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function readJson(text: string): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw new RejectedRequest('the body is no JSON');
  }
  return object(value, 'body');
}

function errorBody(message: string, type: string): JsonObject {
  return { type: 'error', error: { type, message } };
}

function sendError(response: ServerResponse, status: number, message: string, type = 'api_error'): void {
  sendJson(response, status, errorBody(message, type));
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: Json,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
