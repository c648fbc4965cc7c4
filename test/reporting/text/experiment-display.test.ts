import { expect, test } from 'vitest';
import { displayTree } from '../../../src/contract/display-tree.ts';
import type { Experiment, ExperimentHistory, ExperimentRun } from '../../../src/contract/experiment.ts';
import { foldOutcome } from '../../../src/reporting/fold-outcome.ts';
import { renderDisplayChart } from '../../../src/reporting/html/render-display.ts';
import { displayExperiments } from '../../../src/reporting/text/experiment-display.ts';
import { markdownDisplay } from '../../../src/reporting/text/markdown-display.ts';
import { drawTree } from '../../../src/tools/show/render.ts';
import { ledger, noChanges, started } from '../samples.ts';

const experiment: Experiment = {
  id: 'exa/call_1',
  name: 'exa | tuning @octocat',
  metric: 'p95',
  unit: 'ms',
  direction: 'lower',
  command: 'bench',
  timeout_ms: 1,
  checks_timeout_ms: 1,
  max_runs: null,
  checkpoint: 'a'.repeat(40),
  checkpoint_kept: true,
  pending: { number: 6, value: 3, metrics: {}, duration_ms: 1, outcome: 'measured', why: '' },
};
const run = (
  number: number,
  status: ExperimentRun['status'],
  value: number | null,
  more = {},
): ExperimentRun => ({
  number,
  status,
  value,
  metrics: {},
  description: `what | ${number}`,
  duration_ms: 1,
  ...more,
});
const runs = [
  run(1, 'baseline', 40),
  run(2, 'keep', 25, { commit: 'b'.repeat(40), metrics: { hits: 0.5, 'a|b': 3 } }),
  run(3, 'crash', null),
  run(4, 'keep', 24.5, { stated: true }),
  run(5, 'discard', 90),
];
const allow = ['github.com'];

test('displays an experiment once: best value, runs and chart', async () => {
  const entry = (part: Partial<ExperimentHistory>) => ({
    type: 'experiment' as const,
    experiment,
    runs: [],
    ...part,
  });
  const lines = ledger(
    started,
    entry({}),
    ...runs.map((one) => entry({ runs: [one] })),
    entry({ experiment: { ...experiment, id: 'other', name: 'nothing came of it' } }),
  );
  const { shown = [] } = foldOutcome(lines, noChanges);
  const { shown: again } = foldOutcome(ledger(started, entry({ runs })), noChanges);
  expect(shown).toEqual(again);
  await expect(markdownDisplay(shown, 20_000, allow)).toMatchFileSnapshot('golden/experiment.md');
  const [table, chart] = shown;
  if (table === undefined || !('render_spec' in table) || chart === undefined || !('chart' in chart))
    throw new Error('a table and a chart are shown');
  const tree = displayTree(table.render_spec);
  if ('problem' in tree) throw new Error(tree.problem);
  expect(drawTree(tree).split('\n')).toEqual(
    expect.arrayContaining([expect.stringContaining('24.5'), expect.stringMatching(/3\s+crash/)]),
  );
  expect(renderDisplayChart(chart.chart).html.match(/<circle /g)).toHaveLength(4);
});

test('displays the baseline, the best and the newest of many runs', () => {
  const many = Array.from({ length: 200 }, (_, index) =>
    run(
      index + 1,
      index === 0 ? 'baseline' : index === 50 ? 'keep' : 'discard',
      index === 50 ? 1 : 100 + index,
    ),
  );
  const [table] = displayExperiments([{ experiment, runs: many }]);
  if (table === undefined || !('render_spec' in table)) throw new Error('a table is shown');
  const { elements } = table.render_spec;
  const rows = elements.runs?.props?.rows as { run: string }[];
  expect([rows.length, rows.slice(0, 3).map((row) => row.run), rows.at(-1)?.run]).toEqual([
    40,
    ['1', '51 ★', '163'],
    '200',
  ]);
  expect(elements.left?.props).toEqual({
    text: '160 more runs are in the run’s record. Run 6 was made (3) and not logged: what it tried was not put back.',
  });
});

test('draws no chart of one value, and nothing without a run', () => {
  expect(
    displayExperiments([{ experiment, runs: [run(1, 'baseline', 3)] }]).map((item) => Object.keys(item)),
  ).toEqual([['render_spec']]);
  expect(displayExperiments([{ experiment, runs: [] }])).toEqual([]);
});

/** The elements of the table of an experiment. */
function elementsOf(part: Partial<Experiment>, all: ExperimentRun[]) {
  const [table] = displayExperiments([{ experiment: { ...experiment, pending: null, ...part }, runs: all }]);
  if (table === undefined || !('render_spec' in table)) throw new Error('a table is shown');
  return table.render_spec.elements;
}

test.each([
  [
    'higher',
    [run(1, 'baseline', 40), run(2, 'keep', 50)],
    'best, run 2, 25.0 % better than the baseline; higher is better',
  ],
  ['lower', [run(1, 'baseline', 40)], 'best, run 1; lower is better'],
  ['lower', [run(1, 'baseline', 0), run(2, 'keep', -1)], 'best, run 2; lower is better'],
  ['lower', [run(1, 'keep', 2, { stated: true })], 'best, run 1, stated and not measured; lower is better'],
  ['lower', [run(1, 'baseline', 2, { stated: false }), run(2, 'keep', 3)], 'best, run 1; lower is better'],
] as const)('Displays the kind of the best value: %s, %j', (direction, all, detail) => {
  expect(elementsOf({ direction }, [...all]).best?.props?.detail).toBe(detail);
});

test('displays no best value if there is none', () => {
  const pending = {
    number: 2,
    value: null,
    metrics: {},
    duration_ms: 1,
    outcome: 'crash',
    why: '',
  } as const;
  const none = elementsOf({ unit: '' }, [run(1, 'crash', null)]);
  expect(none).toEqual({
    all: { type: 'Box', props: {}, children: ['name', 'runs'] },
    name: { type: 'Heading', props: { text: 'Experiment exa | tuning @octocat', level: 'h2' } },
    runs: {
      type: 'Table',
      props: {
        columns: [
          { header: 'Run', key: 'run', align: 'right' },
          { header: 'Status', key: 'status' },
          { header: 'p95', key: 'value', align: 'right' },
          { header: 'Gain', key: 'gain', align: 'right' },
          { header: 'What', key: 'what' },
        ],
        rows: [{ run: '1', status: 'crash', value: '', gain: '', also: '', what: 'what | 1' }],
      },
    },
  });
  const open = elementsOf({ pending }, [run(1, 'crash', null)]);
  expect([open.all?.children, open.left]).toEqual([
    ['name', 'runs', 'left'],
    { type: 'Text', props: { text: 'Run 2 was made and not logged: what it tried was not put back.' } },
  ]);
});

test('displays the gain over a baseline, and cuts every text', () => {
  const long = 'word '.repeat(100);
  const all = [
    run(1, 'baseline', 1 / 3),
    run(2, 'keep', 1 / 3),
    run(3, 'discard', 1, { description: long, metrics: { [long]: 1234567 } }),
  ];
  const { runs: table, best, name } = elementsOf({ name: long, metric: long, unit: 's' }, all);
  expect([table?.props?.rows, name?.props?.text, best?.props?.label, best?.props?.value]).toEqual([
    [
      { run: '1 ★', status: 'baseline', value: '0.333333', gain: '', also: '', what: 'what | 1' },
      { run: '2', status: 'keep', value: '0.333333', gain: '0.0 %', also: '', what: 'what | 2' },
      {
        ...{ run: '3', status: 'discard', value: '1', gain: '-200.0 %' },
        also: `${'word '.repeat(19)}word…`,
        what: `${'word '.repeat(23)}word…`,
      },
    ],
    `Experiment ${'word '.repeat(37)}wor…`,
    `${'word '.repeat(39)}word…`,
    '0.333333',
  ]);
});

test('displays no gain over a baseline of zero', () => {
  const all = [run(1, 'baseline', 0), run(2, 'keep', -1)];
  const rows = elementsOf({}, all).runs?.props?.rows as { gain: string }[];
  expect(rows.map(({ gain }) => gain)).toEqual(['', '']);
});

test('charts the newest 500 values, and lists results of ten', () => {
  const chart = (count: number) => {
    const all = Array.from({ length: count }, (_, index) => run(index + 1, 'checks_failed', index));
    const [, item] = displayExperiments([{ experiment, runs: all }]);
    if (item === undefined || !('chart' in item)) throw new Error('a chart is shown');
    return item.chart;
  };
  expect(chart(2)).toEqual({
    type: 'line',
    title: 'exa | tuning @octocat: p95 (ms) by run',
    points: [
      { label: '1 checks failed', value: 0 },
      { label: '2 checks failed', value: 1 },
    ],
    width: 60,
  });
  expect([10, 11, 501].map((count) => [chart(count).points.length, chart(count).points[0]?.label])).toEqual([
    [10, '1 checks failed'],
    [11, '1'],
    [500, '2'],
  ]);
});

test('lists 40 runs; of 41 it omits the first that is neither baseline nor best', () => {
  const numbers = (count: number) => {
    const all = Array.from({ length: count }, (_, index) => run(index + 1, 'discard', null));
    return (elementsOf({}, all).runs?.props?.rows as { run: string }[]).map((row) => row.run);
  };
  expect([numbers(40).length, numbers(41).length, numbers(41)[0]]).toEqual([40, 38, '4']);
});
