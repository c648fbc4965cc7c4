/** The meaning of a connection's first bytes. */
export type FirstBytes =
  /** More have to come. */
  | { readonly kind: 'more' }
  /** A TLS handshake, and the server that it names; null where it names none. */
  | { readonly kind: 'tls'; readonly name: string | null }
  /** Something else. */
  | { readonly kind: 'other' };

/** More than any client sends before an answer. */
const mostBytes = 64 * 1024;
/** Bytes of type, version and length of a record. */
const recordHeader = 5;
const handshake = 22;
const clientHello = 1;
const serverName = 0;
const other: FirstBytes = { kind: 'other' };

/**
 * Reads the server name out of a TLS ClientHello, which may come in several records (RFC 8446,
 * 4.1.2 and 5.1; RFC 6066, 3). Clients send it unencrypted unless DNS gives them a key.
 */
export function readServerName(bytes: Buffer): FirstBytes {
  if (bytes.length > mostBytes) return other;
  let message = Buffer.alloc(0);
  for (let at = 0; ; ) {
    const read = inMessage(message);
    if (read.kind !== 'more') return read;
    const record = readRecord(bytes.subarray(at));
    if ('kind' in record) return record;
    message = Buffer.concat([message, record]);
    at += recordHeader + record.length;
  }
}

/** Returns the content of the first record; otherwise what the bytes are without one. */
function readRecord(bytes: Buffer): Buffer | FirstBytes {
  if (bytes.length > 0 && bytes[0] !== handshake) return other;
  if (bytes.length < recordHeader) return { kind: 'more' };
  const end = recordHeader + bytes.readUInt16BE(3);
  if (bytes[1] !== 3 || end === recordHeader) return other;
  return bytes.length < end ? { kind: 'more' } : bytes.subarray(recordHeader, end);
}

function inMessage(message: Buffer): FirstBytes {
  if (message.length > 0 && message[0] !== clientHello) return other;
  const end = message.length < 4 ? Number.POSITIVE_INFINITY : 4 + message.readUIntBE(1, 3);
  return message.length < end ? { kind: 'more' } : inHello(message.subarray(4, end));
}

/** Skips version, random bytes, session, ciphers and compression to the extensions. */
function inHello(hello: Buffer): FirstBytes {
  try {
    let at = 34;
    at += 1 + hello.readUInt8(at);
    at += 2 + hello.readUInt16BE(at);
    at += 1 + hello.readUInt8(at);
    if (at === hello.length) return { kind: 'tls', name: null };
    const end = at + 2 + hello.readUInt16BE(at);
    at += 2;
    while (at < end) {
      const [type, length] = [hello.readUInt16BE(at), hello.readUInt16BE(at + 2)];
      at += 4;
      if (type === serverName) {
        // A list with one name: length, kind 0, length of the name.
        const size = hello.readUInt16BE(at + 3);
        if (hello.readUInt8(at + 2) !== 0 || size + 5 !== length) return other;
        return { kind: 'tls', name: hello.toString('latin1', at + 5, at + 5 + size) };
      }
      at += length;
    }
    return { kind: 'tls', name: null };
  } catch (error) {
    // A length that leads out of the message.
    if (error instanceof RangeError) return other;
    throw error;
  }
}

/**
 * The reason a tunnel to `host` must not carry a connection; null if it may. Port 443 needs TLS for
 * that very host, as one address serves many sites.
 */
export function whyNotCarried(
  first: Exclude<FirstBytes, { kind: 'more' }>,
  host: string,
  port: number,
  isAddress: boolean,
): string | null {
  if (first.kind === 'other') return port === 443 ? 'what is sent to it is no TLS' : null;
  const same = first.name?.toLowerCase() === host.toLowerCase().replace(/\.$/u, '');
  if (same || (first.name === null && (isAddress || port !== 443))) return null;
  return first.name === null
    ? 'what is sent to it names no server'
    : `what is sent to it is for ${first.name.slice(0, 200)}`;
}
