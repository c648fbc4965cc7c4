import { expect, test } from 'vitest';
import type { Controls } from '../../../src/contract/thread-records.ts';
import {
  dismissControls,
  endControls,
  readControls,
  restoreBody,
  startControls,
  writeControls,
} from '../../../src/reporting/controls/controls-comment.ts';
import { renderControls } from '../../../src/reporting/progress/render-boxes.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { samplePlan } from '../samples.ts';

const own = 'anode-ci[bot]';
const marker = '<!-- anode:controls v1 run=run_1 -->';
const footer = '\n\n<sub>Tick the box; that takes write permission here.</sub>';
const [stop, retry, apply] = [
  '- [ ] Stop this run; its work so far is reported',
  '- [ ] Run the last request again',
  '- [ ] Apply all open suggestions of this run in one commit',
];
const place = { owner: 'acme', repo: 'shop' };
const apiError = (status: number) => Object.assign(new Error('Refused'), { status });
const record = (more: Partial<Controls> = {}): Controls => ({
  ...{ version: 1, run_id: 'run_1', comment_id: 7, text: `${marker}\n${stop}${footer}` },
  boxes: [{ line: 1, does: 'stop' }],
  ...more,
});

interface World {
  readonly kept?: Controls | null;
  /** The text of the comment on GitHub, or what looking at it throws. */
  readonly body?: string | Error;
  readonly listed?: readonly object[];
  readonly remove?: Error | null;
}
async function world({ kept = null, body = '', listed = [], remove = null }: World = {}) {
  const asked: [string, object][] = [];
  const logged: unknown[] = [];
  const store = createMemoryStateStore();
  if (kept !== null) await store.set('controls/run_1', JSON.stringify(kept));
  let text = body;
  const octokit = {
    rest: {
      issues: {
        listComments: 'comments',
        createComment: async (query: { body: string }) => {
          const before = await readControls(store, 'run_1');
          asked.push(['create', { ...query, keptBefore: before?.comment_id }]);
          text = query.body;
          return { data: { id: 9, html_url: 'u', body: query.body, created_at: 't' } };
        },
        getComment: async (query: object) => {
          asked.push(['look', { ...query }]);
          if (text instanceof Error) throw text;
          return { data: { body: text } };
        },
        updateComment: async (query: object) => void asked.push(['update', { ...query }]),
        deleteComment: async (query: object) => {
          asked.push(['delete', { ...query }]);
          if (remove !== null) throw remove;
        },
      },
    },
    paginate: {
      async *iterator() {
        yield { data: listed };
      },
    },
  };
  const log = { info: () => {}, warn: (...line: unknown[]) => void logged.push(line) };
  const ports = { octokit, store, ownLogin: own, log } as never;
  return { asked, logged, store, ports, kept: () => readControls(store, 'run_1') };
}

test('renders boxes below the last result', () => {
  expect([
    renderControls('M', ['stop']),
    renderControls('M', ['retry', 'apply'], 'One.\nTwo.'),
    renderControls('M', [], 'Said.'),
    renderControls('M', []),
  ]).toEqual([
    { text: `M\n${stop}${footer}`, boxes: [{ line: 1, does: 'stop' }] },
    {
      text: `M\nOne.\nTwo.\n\n${retry}\n${apply}${footer}`,
      boxes: [
        { line: 4, does: 'retry' },
        { line: 5, does: 'apply' },
      ],
    },
    { text: 'M\nSaid.', boxes: [] },
    { text: 'M', boxes: [] },
  ]);
});

test('stores controls before they are posted, then with their comment', async () => {
  const { asked, ports, kept } = await world();
  await endControls(samplePlan(), ['retry'], ports);
  const text = `${marker}\n${retry}${footer}`;
  expect(asked).toEqual([
    ['create', { ...place, issue_number: 7, body: text, request: { retries: 0 }, keptBefore: null }],
    ['look', { ...place, comment_id: 9 }],
  ]);
  expect(await kept()).toEqual({
    ...{ version: 1, run_id: 'run_1', comment_id: 9, text, boxes: [{ line: 1, does: 'retry' }] },
  });
});

test('restores an edited comment, and drops a deleted one', async () => {
  const listed = [{ id: 8, html_url: 'u', body: `${marker}\nold`, created_at: 't', user: { login: own } }];
  const found = await world({ listed, body: 'old' });
  await endControls(samplePlan(), ['retry'], found.ports);
  const text = `${marker}\n${retry}${footer}`;
  expect([found.asked, (await found.kept())?.comment_id]).toEqual([
    [
      ['look', { ...place, comment_id: 8 }],
      ['update', { ...place, comment_id: 8, body: text }],
    ],
    8,
  ]);
  const same = await world({ kept: record(), body: text });
  await endControls(samplePlan(), ['retry'], same.ports);
  expect([same.asked.map(([kind]) => kind), (await same.kept())?.text]).toEqual([['look'], text]);
  const gone = await world({ kept: record(), body: apiError(404) });
  await endControls(samplePlan(), ['retry'], gone.ports);
  expect([await gone.kept(), gone.logged]).toEqual([null, []]);
  const refused = await world({ kept: record(), body: apiError(403) });
  await endControls(samplePlan(), ['retry'], refused.ports);
  expect(refused.logged).toEqual([
    [{ run: 'run_1', status: 403 }, 'The controls of the run could not be written.'],
  ]);
  const broken = await world({ kept: record(), body: new Error('ours') });
  await expect(endControls(samplePlan(), ['retry'], broken.ports)).rejects.toThrow('ours');
  const nowhere = await world();
  await endControls(samplePlan({ thread: null }), ['retry'], nowhere.ports);
  expect([nowhere.asked, await nowhere.kept()]).toEqual([[], null]);
});

test('removes controls without boxes', async () => {
  const end = async (given: World, plan = samplePlan()) => {
    const { asked, ports, kept } = await world(given);
    await endControls(plan, [], ports);
    return [asked, (await kept()) === null];
  };
  const listed = [
    { id: 8, html_url: 'u', body: marker.replace(' -->', ' -->\nx'), created_at: 't', user: { login: own } },
  ];
  const unplaced = record({ comment_id: null });
  expect([
    await end({}),
    await end({ kept: record() }),
    await end({ kept: unplaced, listed }),
    await end({ kept: unplaced }),
    await end({ kept: record() }, samplePlan({ thread: null })),
    await end({ kept: record(), remove: apiError(404) }),
  ]).toEqual([
    [[], true],
    [[['delete', { ...place, comment_id: 7 }]], true],
    [[['delete', { ...place, comment_id: 8 }]], true],
    [[], true],
    [[], false],
    [[['delete', { ...place, comment_id: 7 }]], true],
  ]);
  const { ports } = await world({ remove: apiError(500) });
  await expect(
    dismissControls({ ...record(), comment_id: 7 }, { owner: 'acme', name: 'shop' }, ports),
  ).rejects.toThrow('Refused');
});

test('writes the result of a control into its comment', async () => {
  const { asked, ports, kept } = await world();
  await writeControls(
    { ...record(), comment_id: 7 },
    { text: 'Done.', boxes: ['apply'] },
    { owner: 'acme', name: 'shop' },
    ports,
  );
  const text = `${marker}\nDone.\n\n${apply}${footer}`;
  expect([asked.at(-1), await kept()]).toEqual([
    ['update', { ...place, comment_id: 7, body: text }],
    record({ text, boxes: [{ line: 3, does: 'apply' }] }),
  ]);
  const same = await world({ body: text });
  const octokit = (same.ports as { octokit: never }).octokit;
  await restoreBody(octokit, { owner: 'acme', name: 'shop' }, { comment_id: 7, text });
  expect(same.asked.map(([kind]) => kind)).toEqual(['look']);
});

test('ignores an unreadable record', async () => {
  const { store } = await world();
  expect(await readControls(store, 'run_1')).toBeNull();
  await store.set('controls/run_1', '{"version":2}');
  expect(await readControls(store, 'run_1')).toBeNull();
});

test('adds the box early if configured, else late, and ends with useful boxes', async () => {
  const run = async (wanted: boolean | undefined, kept: Controls | null = null, stoppable?: boolean) => {
    const { asked, ports } = await world({ kept, body: '' });
    const delays: number[] = [];
    let cancelled = 0;
    const clock = {
      now: () => 0,
      later: (delay: number) => {
        delays.push(delay);
        return () => {
          cancelled += 1;
        };
      },
    };
    const more = { ...(ports as object), clock, ...(stoppable === undefined ? {} : { stoppable }) };
    const controls = startControls(samplePlan(), wanted, more as never);
    await controls.end(['retry', 'apply']);
    const bodies = asked.flatMap(([kind, query]) =>
      kind === 'create' || kind === 'update' ? [Reflect.get(query, 'body')] : [],
    );
    return [delays, cancelled, bodies];
  };
  const both = `${marker}\n${retry}\n${apply}${footer}`;
  const one = `${marker}\n${apply}${footer}`;
  expect([
    await run(true),
    await run(undefined),
    await run(undefined, record()),
    await run(false),
    await run(true, null, false),
  ]).toEqual([
    [[2_000], 1, [both]],
    [[120_000], 1, [one]],
    [[120_000], 1, [both]],
    [[], 0, []],
    [[], 0, [both]],
  ]);
});
