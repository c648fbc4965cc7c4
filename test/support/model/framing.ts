import { awsException, awsFrames } from './aws-frames.ts';
import { eventPieces } from './event-text.ts';
import type { WireAnswer } from './script.ts';

/** How the events of an answer stand in its body. */
export interface Framing {
  readonly contentType: string;
  /** One piece for each event. */
  readonly pieces: (answer: WireAnswer) => readonly Buffer[];
  /** What tells of an overload inside a stream. */
  readonly overload: Buffer;
  /** A body that is nothing of the kind. */
  readonly garbage: Buffer;
}

/** Server-sent events, as every wire but one has them. */
export const serverSentEvents: Framing = {
  contentType: 'text/event-stream',
  pieces: (answer) => eventPieces(answer).map((piece) => Buffer.from(piece)),
  overload: Buffer.from(
    `event: error\ndata: ${JSON.stringify({
      type: 'error',
      code: 'server_error',
      message: 'Overloaded',
      error: { type: 'overloaded_error', code: 'server_error', message: 'Overloaded' },
    })}\n\n`,
  ),
  garbage: Buffer.from(
    'event: message_start\ndata: <html>502 Bad Gateway</html>\n\ndata: \u0000\ufffd{{{\n\n',
  ),
};

/** AWS's own encoding, as Bedrock has it. */
export const awsEventStream: Framing = {
  contentType: 'application/vnd.amazon.eventstream',
  pieces: awsFrames,
  overload: awsException('serviceUnavailableException', 'Overloaded'),
  garbage: Buffer.from('<html>502 Bad Gateway, and much more of it than a frame has lengths</html>'),
};
