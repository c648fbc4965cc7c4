import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { AppContext } from '../../../src/app/deliveries/app-context.ts';
import { createDeliveryProcesses } from '../../../src/app/deliveries/delivery-processes.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { wakingClock } from '../../../src/github/clock.ts';
import { createContentBudget } from '../../../src/github/content-budget.ts';
import { createActiveRuns } from '../../../src/pipeline/context/active-runs.ts';
import { createLog } from '../../../src/redaction/create-log.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';

const state = createMemoryStateStore();
const context: AppContext = {
  environment: readEnvironment({}),
  ...{ state, leased: () => ({ state, holds: async () => true }) },
  tokens: {
    tokenFor: async () => 'token',
    grantsOf: async () => ({ permissions: {}, events: [], suspended: false }),
    visibilityOf: async () => 'public',
    ownLogin: async () => 'anode-ci[bot]',
  },
  ...{ ownLogin: 'anode-ci[bot]', log: createLog('silent', { write: () => undefined }, []) },
  ...{ reportLinks: null, reportSecret: 'secret', afterDelivery: async () => undefined },
  runs: createActiveRuns(),
  budgetOf: () => createContentBudget(wakingClock, []),
};

/** A line of the log, as far as it matters here. */
interface Line {
  readonly msg: string;
  readonly process?: number;
  readonly stopped?: boolean;
  readonly err?: { readonly message: string };
}

/** Starts the front of processes whose deliveries do what the word in their payload says. */
function startFront() {
  const lines: Line[] = [];
  const strayed = Promise.withResolvers<void>();
  const hands = createDeliveryProcesses({
    file: path.join(import.meta.dirname, '../../support/leaving-program.ts'),
    environment: { PATH: process.env.PATH },
    longestSilence: 60_000,
    writeLine(text) {
      const line = JSON.parse(text) as Line;
      lines.push(line);
      if (line.err !== undefined) strayed.resolve();
    },
    operatorConfig: {},
    signal: new AbortController().signal,
  });
  afterAll(() => hands.close());
  return {
    lines,
    strayed: strayed.promise,
    handle: (does: string, repository: number) =>
      hands.handle(
        {
          ...{ name: 'issue_comment', delivery_id: does },
          payload: {
            ...{ does, installation: { id: 5 }, issue: { number: 7 } },
            repository: { id: repository, name: `shop-${repository}`, owner: { login: 'acme' } },
          },
        },
        {
          ...{ attempt: 1, last: false, lastWhileDown: false, signal: new AbortController().signal },
          lease: { query: () => '', values: [] },
        },
        context,
      ),
  };
}
const told = ({ msg, stopped, err }: Line) => err?.message ?? [msg, stopped];

test('late work of a delivery neither reaches the repository of the next one nor ends it', async () => {
  const { lines, handle } = startFront();
  await handle('leave for the next', 1);
  await handle('await the late work', 2);
  await handle('go on', 3);
  const [first, , second, third] = lines.map((line) => line.process);
  expect([lines.map(told), first === second, second === third]).toEqual([
    [
      ['leave for the next', false],
      'store.set was asked for after the end of the delivery.',
      ['await the late work', false],
      ['go on', false],
    ],
    true,
    // A process that an error strayed in gets no more.
    false,
  ]);
  expect(await state.list('')).toEqual(expect.not.arrayContaining([expect.stringContaining('late')]));
});

test('an error between two deliveries ends the process, and another one takes the next delivery', async () => {
  const { lines, handle, strayed } = startFront();
  await handle('leave for a signal', 1);
  const first = lines[0]?.process ?? 0;
  process.kill(first, 'SIGUSR2');
  await strayed;
  await handle('go on', 2);
  expect([lines.map(told), lines[2]?.process === first]).toEqual([
    [
      ['leave for a signal', false],
      'budget.take was asked for after the end of the delivery.',
      ['go on', false],
    ],
    false,
  ]);
});

test('an error of a delivery ends that delivery only', async () => {
  const { lines, handle } = startFront();
  await handle('break', 1);
  await handle('go on', 2);
  expect(lines.map(told)).toEqual(['a defect of its own', ['break', true], ['go on', false]]);
});
