import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Framing } from './framing.ts';
import type { ScriptedFault, WireAnswer } from './script.ts';

/** Sends an answer in the broken way the fault names; see `ScriptedFault`. */
export async function sendFault(
  response: ServerResponse,
  fault: ScriptedFault['fault'],
  answer: WireAnswer,
  framing: Framing | null,
): Promise<void> {
  if (fault === 'reset') {
    response.destroy();
    return;
  }
  const pieces = framing?.pieces(answer) ?? [Buffer.from(JSON.stringify(answer.plain))];
  response.writeHead(200, { 'content-type': framing?.contentType ?? 'application/json' });
  switch (fault) {
    case 'reset-mid-event':
      await write(response, middleOfEvent(pieces));
      response.destroy();
      return;
    case 'half-json':
      response.end(middleOfEvent(pieces));
      return;
    case 'cut':
      response.end(Buffer.concat(firstHalf(pieces)));
      return;
    case 'garbage':
      response.end(framing?.garbage ?? '<html>502 Bad Gateway</html>');
      return;
    case 'stall':
      await write(response, Buffer.concat(firstHalf(pieces)));
      return;
    case 'drip':
      await drip(response, Buffer.concat(pieces));
      return;
    case 'error-event':
      response.end(Buffer.concat([...firstHalf(pieces), framing?.overload ?? Buffer.alloc(0)]));
      return;
  }
}

/** The first half of the events, whole ones. */
function firstHalf(pieces: readonly Buffer[]): Buffer[] {
  return pieces.slice(0, Math.ceil(pieces.length / 2));
}

function middleOfEvent(pieces: readonly Buffer[]): Buffer {
  const half = firstHalf(pieces);
  const last = half.at(-1) ?? Buffer.alloc(0);
  return Buffer.concat([...half.slice(0, -1), last.subarray(0, Math.ceil(last.length * 0.7))]);
}

/** Seven bytes at a time, which splits characters, lines and events. */
async function drip(response: ServerResponse, bytes: Buffer): Promise<void> {
  response.socket?.setNoDelay(true);
  for (let at = 0; at < bytes.length && !response.destroyed; at += 7) {
    await write(response, bytes.subarray(at, at + 7));
    await nextTick();
  }
  response.end();
}

async function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (!response.write(bytes)) await once(response, 'drain');
}
