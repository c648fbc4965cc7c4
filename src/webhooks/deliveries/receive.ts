import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { IncomingEvent } from '../../contract/event.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Body } from './read-body.ts';

export const webhookPath = '/api/github/webhooks';

export interface ReceivePorts {
  readonly readBody: (request: IncomingMessage) => Promise<Body>;
  /** Returns true if the body is signed with our secret. */
  readonly verify: (body: string, signature: string) => Promise<boolean>;
  /** Returns why a verified delivery is not from GitHub; null if nothing is wrong. */
  readonly faultOf: (event: IncomingEvent) => string | null;
  /** Stores the verified delivery; it is not lost after this resolves. */
  readonly accept: (event: IncomingEvent) => Promise<void>;
  readonly log: Logger;
}

/**
 * Answers one delivery with 202, also for unknown events. 401: the signature is missing (body
 * unread) or wrong. 400: the body is empty or is not the delivery that its headers name. 413: the
 * body is too large. GitHub docs: "Validating webhook deliveries", "Best practices for using
 * webhooks".
 */
export async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  ports: ReceivePorts,
): Promise<void> {
  const delivery = header(request, 'x-github-delivery');
  const event = header(request, 'x-github-event');
  const answer = (status: number, message: string): void => {
    ports.log[status < 400 ? 'debug' : 'warn']({ delivery, event, status }, message);
    const more = request.readableEnded ? {} : { connection: 'close' };
    response
      .writeHead(status, { 'content-type': 'application/json', ...more })
      .end(JSON.stringify({ message }));
  };
  const signature = header(request, 'x-hub-signature-256');
  if (signature === null) return answer(401, 'The delivery is not signed (X-Hub-Signature-256).');
  const read = await ports.readBody(request);
  if (read.kind === 'too large') return answer(413, 'The body is larger than GitHub sends.');
  if (read.kind === 'gone') {
    ports.log.warn({ delivery, event }, 'The sender disconnected before the body was complete.');
    return;
  }
  const body = read.text;
  // An empty body is not a delivery, even if it is signed.
  if (body === '') return answer(400, 'The body is empty.');
  if (!(await ports.verify(body, signature))) {
    return answer(
      401,
      'The signature is wrong: the webhook secret here and at GitHub differ, or it is not from GitHub.',
    );
  }
  const payload = parseObject(body);
  if (payload === null)
    return answer(400, 'The body is not a JSON object. Set the content type to application/json.');
  if (event === null || delivery === null)
    return answer(400, 'X-GitHub-Event or X-GitHub-Delivery is missing.');
  const incoming: IncomingEvent = { name: event, delivery_id: delivery, payload };
  const fault = ports.faultOf(incoming);
  if (fault !== null) return answer(400, fault);
  await ports.accept(incoming);
  answer(202, 'Accepted.');
}

function header(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject | null) : null;
  } catch {
    return null;
  }
}
