import { expect, test } from 'vitest';
import { eventWriter } from '../../src/command-line/write-output.ts';
import type { RunEvent } from '../../src/contract/run-event.ts';

/** What is printed of events on the way. */
function printed(events: readonly RunEvent[]): string {
  let text = '';
  const write = eventWriter('text', (more) => {
    text += more;
  });
  for (const event of events) write(event);
  return text;
}

test('what others say gives no orders to a terminal, nor to the workflow in whose log it stands', () => {
  const order = '::set-output name=conclusion::success';
  const result = { type: 'tool.result', call_id: 'c', tool: 't', ok: false, duration_ms: 1 } as const;
  const common = { error_kind: null, spill: null };
  expect(
    printed([
      { type: 'diagnostic', level: 'warning', message: `The server said:\n${order}\r${order}` },
      { ...result, ...common, content: `\u001b[0m${order}\nmore` },
      { ...result, ...common, content: 'first\r::add-mask::e' },
      {
        ...{ type: 'tool.call', call_id: 'c', tool: 't', input: {}, decision: null },
        what: `x \u001b]0;title\u0007 ##[set-output name=a;]b`,
      },
    ]),
  ).toBe(
    [
      `! The server said: ${order} ${order}`,
      '  : :set-output name=conclusion::success',
      '  first ::add-mask::e',
      '· t x  # #[set-output name=a;]b',
      '',
    ].join('\n'),
  );
});
