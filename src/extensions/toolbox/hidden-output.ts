import { longestSecret } from '../../redaction/longest-secret.ts';
import { createRedactStream } from '../../redaction/redact-stream.ts';

/** What is looked through for values, in bytes: that takes far longer than to keep it. */
const mostBytes = 8 * 1024 * 1024;

/** Output on its way to where it is kept. */
export interface HiddenOutput {
  readonly push: (chunk: Buffer) => void;
  /** Passes on what was held back. */
  end(): void;
}

/**
 * Takes values out of output before anybody keeps it: a file of it may be read by commands that must not see them. It is text
 * then, bytes that are none replaced. Beyond 8 MiB nothing is passed on, but for a line that says so.
 */
export function hiddenOutput(hide: (text: string) => string, passOn: (chunk: Buffer) => void): HiddenOutput {
  const decoder = new TextDecoder();
  const stream = createRedactStream(hide, longestSecret);
  let size = 0;
  const pass = (text: string) => {
    if (text !== '') passOn(Buffer.from(text));
  };
  return {
    push(chunk) {
      const room = Math.max(0, mostBytes - size);
      size += chunk.length;
      if (room > 0) pass(stream.push(decoder.decode(chunk.subarray(0, room), { stream: true })));
    },
    end() {
      pass(stream.push(decoder.decode()) + stream.end());
      if (size > mostBytes)
        pass(
          `\n[${size - mostBytes} more bytes are not kept, as this program is given variables of its own]\n`,
        );
    },
  };
}
