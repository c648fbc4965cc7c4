import { expect, test } from 'vitest';
import type { RunEvent } from '../../../src/contract/run-event.ts';
import { safeListener } from '../../../src/run/records/recorder.ts';

test('a failing listener ends nothing: it gets every event, and its first failure is reported', () => {
  const heard: RunEvent[] = [];
  const told: string[] = [];
  const listen = safeListener(
    (event) => {
      heard.push(event);
      if (heard.length > 1) throw new RangeError(`no room for ${heard.length}`);
    },
    (message) => void told.push(message),
  );
  const events = ['one', 'two', 'three'].map(
    (message): RunEvent => ({ type: 'diagnostic', level: 'info', message }),
  );
  for (const event of events) listen(event);
  expect({ heard, told }).toEqual({
    heard: events,
    told: ["The display of the run's progress failed: no room for 2"],
  });
});
