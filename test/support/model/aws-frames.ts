import { crc32 } from 'node:zlib';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { WireAnswer } from './script.ts';

/** An answer as Bedrock streams it: one frame of AWS's event stream encoding for each event. */
export function awsFrames(answer: WireAnswer): Buffer[] {
  return answer.events.map(({ data }) => {
    const bytes = Buffer.from(JSON.stringify(data)).toString('base64');
    return frame(
      { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
      { bytes },
    );
  });
}

/** A frame that ends a stream with a failure, such as `serviceUnavailableException`. */
export function awsException(type: string, message: string): Buffer {
  const headers = {
    ':exception-type': type,
    ':content-type': 'application/json',
    ':message-type': 'exception',
  };
  return frame(headers, { message });
}

/** Lengths, headers of strings, payload, and a checksum after the lengths and after all: "Amazon Event Stream". */
function frame(headers: Readonly<Record<string, string>>, payload: JsonObject): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(Buffer.byteLength(value));
      return Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7]),
        length,
        Buffer.from(value),
      ]);
    }),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(16 + head.length + body.length, 0);
  lengths.writeUInt32BE(head.length, 4);
  const start = Buffer.concat([lengths, checksum(lengths), head, body]);
  return Buffer.concat([start, checksum(start)]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}
