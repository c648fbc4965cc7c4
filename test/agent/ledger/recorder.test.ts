import { expect, test } from 'vitest';
import { openRecorder, safeListener } from '../../../src/agent/ledger/recorder.ts';
import type { RunEvent } from '../../../src/contract/run-event.ts';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';

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

test('listener and history get what the ledger holds, and the listener no silent entry', () => {
  const kept: RunEntry[] = [];
  const ledger = {
    record: (entry: RunEntry) =>
      void kept.push(entry.type === 'diagnostic' ? { ...entry, message: '…' } : entry),
    get last() {
      return kept.at(-1) ?? null;
    },
  };
  const listened: RunEvent[] = [];
  const past: RunEntry[] = [];
  const history = { add: (entry: RunEntry) => void past.push(entry) };
  const { record, warn } = openRecorder(ledger, (event) => void listened.push(event), history);
  const message: RunEntry = { type: 'message', message: { role: 'user', parts: [] } };
  record(message);
  warn('The key is secret.');
  const warning: RunEvent = { type: 'diagnostic', level: 'warning', message: '…' };
  expect({ kept, past, listened }).toEqual({
    kept: [message, warning],
    past: [message, warning],
    listened: [warning],
  });
});
