import { expect, test } from 'vitest';
import { type Json, parseJson } from '../../../src/contract/json.ts';
import { LineConnection } from '../../../src/extensions/plugin/line-connection.ts';

const secret = 's3cret-value';
const read: number[] = [];
const hide = (text: string) => {
  read.push(text.length);
  return text.replaceAll(secret, '[redacted]');
};

/** The secret begins within the bound of what is shown, and ends beyond it. */
const upTo = (bound: number) => `${'x'.repeat(bound - 4)}${secret}${'x'.repeat(100_000)}`;

test("a plug-in's text contains no part of a secret where it is cut, and only the necessary part is searched", async () => {
  const broke: string[] = [];
  const sent: Json[] = [];
  const nothing = () => undefined;
  const connection = new LineConnection(
    (text) => sent.push(parseJson(text) as Json),
    { notified: nothing, flooded: nothing, broke: (problem) => broke.push(problem) },
    hide,
  );
  const say = (message: Json) => connection.push(Buffer.from(`${JSON.stringify(message)}\n`));
  const ask = (timeoutMs: number) =>
    connection
      .request('call', {}, { timeoutMs, signal: new AbortController().signal })
      .catch((error: Error) => error.message.replace(/x{20,}/, 'x…'));
  connection.push(Buffer.from(`${upTo(80)}\n`));
  const refused = ask(60_000);
  say({ id: '1', error: { code: 1, message: upTo(4_000) } });
  const late = ask(1);
  say({ method: '$/progress', params: { id: 2, message: upTo(200) } });
  expect([
    await refused,
    await late,
    broke.map((problem) => problem.replace(/x{20,}/, 'x…')),
    Math.max(...read) <= 4_000 + 16_384,
  ]).toEqual([
    'x…[r',
    'did not answer within 0.001 s (the last it said of its progress: x…[r)',
    [
      'prints text that is no message: "x…[r"; standard output is for messages only, standard error for other text',
    ],
    true,
  ]);
});
