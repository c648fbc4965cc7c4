import { expect, it } from 'vitest';
import { entries, freshLedgers, run } from '../loop-fixture.ts';

freshLedgers();

it('what a hook says after a call is told without secrets, to the model and in the record', async () => {
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
