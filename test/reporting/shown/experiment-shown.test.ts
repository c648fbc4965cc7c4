import { expect, test } from 'vitest';
import type { Experiment, ExperimentHistory, ExperimentRun } from '../../../src/contract/experiment.ts';
import { shownTree } from '../../../src/contract/shown.ts';
import { foldOutcome } from '../../../src/reporting/fold-outcome.ts';
import { renderShownChart } from '../../../src/reporting/html/render-shown-chart.ts';
import { shownExperiments } from '../../../src/reporting/shown/experiment-shown.ts';
import { markdownShown } from '../../../src/reporting/shown/markdown-shown.ts';
import { drawShown } from '../../../src/tools/show/draw-shown.ts';
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

test('an experiment is shown once, however often it was logged: its best value, its runs and a chart', async () => {
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
  await expect(markdownShown(shown, 20_000, allow)).toMatchFileSnapshot('golden/experiment.md');
  const [table, chart] = shown;
  if (table === undefined || !('render_spec' in table) || chart === undefined || !('chart' in chart))
    throw new Error('a table and a chart are shown');
  const tree = shownTree(table.render_spec);
  if ('problem' in tree) throw new Error(tree.problem);
  expect(drawShown(tree).split('\n')).toEqual(
    expect.arrayContaining([expect.stringContaining('24.5'), expect.stringMatching(/3\s+crash/)]),
  );
  expect(renderShownChart(chart.chart).html.match(/<circle /g)).toHaveLength(4);
});

test('of many runs the table has the baseline, the best and the newest', () => {
  const many = Array.from({ length: 200 }, (_, index) =>
    run(
      index + 1,
      index === 0 ? 'baseline' : index === 50 ? 'keep' : 'discard',
      index === 50 ? 1 : 100 + index,
    ),
  );
  const [table] = shownExperiments([{ experiment, runs: many }]);
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

test('nothing is drawn of one value, and nothing shown of an experiment without a run', () => {
  expect(
    shownExperiments([{ experiment, runs: [run(1, 'baseline', 3)] }]).map((item) => Object.keys(item)),
  ).toEqual([['render_spec']]);
  expect(shownExperiments([{ experiment, runs: [] }])).toEqual([]);
});
