import { expect, it } from 'vitest';
import { entries, freshLedgers, run } from '../loop-fixture.ts';

freshLedgers();

it("a hook's message after a call reaches the model and the ledger without secrets", async () => {
  const result = await run([{ calls: [{ name: 'read' }] }, { text: 'done' }], {
    ports: {
      after: async () => [{ text: 'The hook printed hunter2-key.', objects: false }],
      redact: (text) => text.replaceAll('hunter2-key', '[redacted]'),
    },
  });
  const [, , results] = result.messages;
  expect([results?.parts, entries('tool.result').map(({ content }) => content)]).toEqual([
    [
      expect.objectContaining({
        content: [
          { type: 'text', text: 'read done' },
          { type: 'text', text: 'The hook printed [redacted].' },
        ],
      }),
    ],
    ['read done\nThe hook printed [redacted].'],
  ]);
});
