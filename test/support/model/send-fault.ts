import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTick } from 'node:timers/promises';
import { eventText } from './event-text.ts';
import type { ScriptedFault, WireAnswer } from './script.ts';

/** Sends an answer in the broken way the fault names; see `ScriptedFault`. */
export async function sendFault(
  response: ServerResponse,
  fault: ScriptedFault['fault'],
  answer: WireAnswer,
  stream: boolean,
): Promise<void> {
  if (fault === 'reset') {
    response.destroy();
    return;
  }
  const text = stream ? eventText(answer) : JSON.stringify(answer.plain);
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
  switch (fault) {
    case 'reset-mid-event':
      await write(response, middleOfEvent(text));
      response.destroy();
      return;
    case 'half-json':
      response.end(middleOfEvent(text));
      return;
    case 'cut':
      response.end(firstHalf(text));
      return;
    case 'garbage':
      response.end('event: message_start\ndata: <html>502 Bad Gateway</html>\n\ndata: \u0000\ufffd{{{\n\n');
      return;
    case 'stall':
      await write(response, firstHalf(text));
      return;
    case 'drip':
      await drip(response, Buffer.from(text));
      return;
    case 'error-event':
      response.end(
        `${firstHalf(text)}event: error\ndata: ${JSON.stringify({
          type: 'error',
          code: 'server_error',
          message: 'Overloaded',
          error: { type: 'overloaded_error', code: 'server_error', message: 'Overloaded' },
        })}\n\n`,
      );
      return;
  }
}

/** The first half of the events, whole ones. */
function firstHalf(text: string): string {
  const events = text.split(/(?<=\n\n)/);
  return events.slice(0, Math.ceil(events.length / 2)).join('');
}

function middleOfEvent(text: string): string {
  const half = firstHalf(text);
  return half.slice(0, half.lastIndexOf('"'));
}

/** Seven bytes at a time, so that characters, lines and events are all torn apart. */
async function drip(response: ServerResponse, bytes: Buffer): Promise<void> {
  response.socket?.setNoDelay(true);
  for (let at = 0; at < bytes.length && !response.destroyed; at += 7) {
    await write(response, bytes.subarray(at, at + 7));
    await nextTick();
  }
  response.end();
}

async function write(response: ServerResponse, bytes: string | Buffer): Promise<void> {
  if (!response.write(bytes)) await once(response, 'drain');
}
