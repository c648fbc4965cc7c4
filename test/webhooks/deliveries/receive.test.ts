import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createBodyReader } from '../../../src/webhooks/deliveries/read-body.ts';
import { receive, webhookPath } from '../../../src/webhooks/deliveries/receive.ts';

const headers = {
  'x-github-delivery': 'guid',
  'x-github-event': 'issues',
  'x-hub-signature-256': 'sha256=right',
};

/** Gives the answer to one delivery, and what was checked, taken over and logged. */
async function deliver(
  chunks: readonly (string | Buffer | Error)[],
  sent: Readonly<Record<string, unknown>> = headers,
) {
  function* pieces() {
    for (const chunk of chunks) {
      if (chunk instanceof Error) throw chunk;
      yield Buffer.from(chunk);
    }
  }
  const request = Object.assign(Readable.from(pieces()), { headers: sent });
  const seen: Record<string, unknown> = { verified: [], accepted: [], logged: [] };
  const add = (key: string, value: unknown) => (seen[key] as unknown[]).push(value);
  const response = {
    writeHead(status: number, type: unknown) {
      Object.assign(seen, { status, type });
      return response;
    },
    end: (text: string) => void Object.assign(seen, { body: JSON.parse(text) }),
  };
  const logged = (level: string) => (fields: object, words: string) => add('logged', [level, fields, words]);
  await receive(request as unknown as IncomingMessage, response as unknown as ServerResponse, {
    readBody: createBodyReader(),
    verify: async (body, signature) => {
      add('verified', [body.length > 100 ? body.length : body, signature]);
      return signature === 'sha256=right';
    },
    faultOf: ({ name, payload }) => (payload.not === name ? 'It is another event.' : null),
    accept: async (event) => void add('accepted', event),
    log: { debug: logged('debug'), warn: logged('warn') } as never,
  });
  return seen;
}

const answered = (status: number, message: string, more: object = {}) => ({
  ...{ status, body: { message }, type: { 'content-type': 'application/json' }, accepted: [] },
  verified: [['{"a":"ä"}', 'sha256=right']],
  logged: [[status < 400 ? 'debug' : 'warn', { delivery: 'guid', event: 'issues', status }, message]],
  ...more,
});
const body = ['{"a":', '"ä"}'];

test('accepts a signed delivery, however its body is split', async () => {
  expect(webhookPath).toBe('/api/github/webhooks');
  const [first, second] = [Buffer.from('{"a":"ä"}').subarray(0, 7), Buffer.from('{"a":"ä"}').subarray(7)];
  const taken = answered(202, 'Accepted.', {
    accepted: [{ name: 'issues', delivery_id: 'guid', payload: { a: 'ä' } }],
  });
  expect(await deliver(body)).toEqual(taken);
  expect(await deliver([first, second])).toEqual(taken);
});

test('without a valid signature the body is not parsed', async () => {
  for (const signature of [undefined, ''])
    expect(await deliver(['no json'], { ...headers, 'x-hub-signature-256': signature })).toEqual(
      answered(401, 'The delivery is not signed (X-Hub-Signature-256).', {
        verified: [],
        type: { 'content-type': 'application/json', connection: 'close' },
      }),
    );
  expect(await deliver(['no json'], { ...headers, 'x-hub-signature-256': 'sha256=wrong' })).toEqual(
    answered(
      401,
      'The signature is wrong: the webhook secret here and at GitHub differ, or it is not from GitHub.',
      { verified: [['no json', 'sha256=wrong']] },
    ),
  );
});

test('a disconnected sender gets no answer, which the log reports', async () => {
  const words = 'The sender disconnected before the body was complete.';
  expect(await deliver(['{"a":', new Error('aborted')])).toEqual({
    ...{ verified: [], accepted: [] },
    logged: [['warn', { delivery: 'guid', event: 'issues' }, words]],
  });
});

test('signed bodies or headers that are no delivery are refused with a message', async () => {
  const message = 'The body is not a JSON object. Set the content type to application/json.';
  for (const text of ['payload=%7B%7D', '[]', 'null', '1', '"a"'])
    expect(await deliver([text])).toEqual(answered(400, message, { verified: [[text, 'sha256=right']] }));
  expect(await deliver([''])).toEqual(answered(400, 'The body is empty.', { verified: [] }));
  const missing = 'X-GitHub-Event or X-GitHub-Delivery is missing.';
  const fields = { delivery: 'guid', event: 'issues', status: 400 };
  expect(await deliver(body, { ...headers, 'x-github-event': undefined })).toEqual(
    answered(400, missing, { logged: [['warn', { ...fields, event: null }, missing]] }),
  );
  expect(await deliver(body, { ...headers, 'x-github-delivery': ['a', 'b'] })).toEqual(
    answered(400, missing, { logged: [['warn', { ...fields, delivery: null }, missing]] }),
  );
});

test('a body that does not belong to its event header is refused', async () => {
  const text = '{"not":"issues"}';
  expect(await deliver([text])).toEqual(
    answered(400, 'It is another event.', { verified: [[text, 'sha256=right']] }),
  );
});

test('a body of 25 MiB is read, but none that is a byte longer', async () => {
  const half = Buffer.alloc(25 * 512 * 1024, ' ');
  expect(await deliver([half, half.subarray(2), '{}'])).toMatchObject({
    status: 202,
    verified: [[26_214_400, 'sha256=right']],
  });
  expect(await deliver([half, half.subarray(1), '{}'])).toEqual(
    answered(413, 'The body is larger than GitHub sends.', { verified: [] }),
  );
});
