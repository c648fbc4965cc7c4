import type { DisplayItem } from '../../contract/display-item.ts';
import type { ExperimentHistory, ExperimentRun } from '../../contract/experiment.ts';
import { bestRun, experimentsOf, gainOver } from '../../contract/experiment-results.ts';
import { cutText, oneLine } from './markdown.ts';

/** Runs of one experiment that a table has: the first, the best and the newest. */
const mostRows = 40;
const mostPoints = 500;
/** Up to this number, each point is labelled with its result. */
const fewPoints = 10;

/** Returns the experiments of a run, each once: numbers, a table of its runs, and a chart. */
export function displayExperiments(entries: readonly ExperimentHistory[]): DisplayItem[] {
  return experimentsOf(entries).flatMap((history) =>
    history.runs.length === 0 ? [] : [tableOf(history), ...chartOf(history)],
  );
}

function tableOf(history: ExperimentHistory): DisplayItem {
  const { experiment, runs } = history;
  const best = bestRun(history);
  const rows = rowsOf(runs, best?.number);
  const baseline = runs.find(({ status }) => status === 'baseline')?.value ?? null;
  const older = runs.length - rows.length;
  const { pending } = experiment;
  const open = [
    ...(older > 0 ? [`${older} more runs are in the run’s record.`] : []),
    ...(pending === null
      ? []
      : [
          `Run ${pending.number} was made${pending.value === null ? '' : ` (${formatNumber(pending.value)})`} and not logged: what it tried was not put back.`,
        ]),
  ];
  const metric = unitOf(experiment.metric, experiment.unit);
  const elements = {
    all: {
      type: 'Box',
      props: {},
      children: [
        'name',
        ...(best === undefined ? [] : ['best']),
        'runs',
        ...(open.length > 0 ? ['left'] : []),
      ],
    },
    name: { type: 'Heading', props: { text: label(`Experiment ${experiment.name}`), level: 'h2' } },
    ...(best === undefined
      ? {}
      : {
          best: {
            type: 'Metric',
            props: {
              label: label(metric),
              value: formatNumber(best.value),
              detail: label(bestText(best, baseline, experiment.direction)),
            },
          },
        }),
    runs: {
      type: 'Table',
      props: runTable(rows, { metric, baseline, best: best?.number, direction: experiment.direction }),
    },
    ...(open.length > 0 ? { left: { type: 'Text', props: { text: open.join(' ') } } } : {}),
  };
  return { render_spec: { root: 'all', elements } };
}

interface RunTable {
  readonly metric: string;
  readonly baseline: number | null;
  readonly best: number | undefined;
  readonly direction: 'lower' | 'higher';
}

function runTable(rows: readonly ExperimentRun[], { metric, baseline, best, direction }: RunTable) {
  const value = (run: ExperimentRun) =>
    run.value === null ? '' : `${formatNumber(run.value)}${run.stated === true ? ' (stated)' : ''}`;
  const gain = (run: ExperimentRun) => {
    if (run.value === null || baseline === null || run.status === 'baseline') return '';
    const percent = gainOver(baseline, run.value, direction);
    return percent === null ? '' : `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`;
  };
  const measuresMore = rows.some((run) => alsoOf(run) !== '');
  return {
    columns: [
      { header: 'Run', key: 'run', align: 'right' },
      { header: 'Status', key: 'status' },
      { header: label(metric), key: 'value', align: 'right' },
      { header: 'Gain', key: 'gain', align: 'right' },
      ...(measuresMore ? [{ header: 'Also', key: 'also' }] : []),
      { header: 'What', key: 'what' },
    ],
    rows: rows.map((run) => ({
      run: `${run.number}${run.number === best ? ' ★' : ''}`,
      status: run.status,
      value: value(run),
      gain: gain(run),
      also: alsoOf(run),
      what: cutText(oneLine(run.description), 120, '…'),
    })),
  };
}

/** The secondary metrics of a run. */
const alsoOf = ({ metrics }: ExperimentRun): string => {
  const all = Object.entries(metrics).map(([name, value]) => `${name} ${formatNumber(value)}`);
  return cutText(oneLine(all.join(', ')), 100, '…');
};

function bestText(
  { number, value, stated }: Pick<ExperimentRun, 'number' | 'stated'> & { readonly value: number },
  baseline: number | null,
  direction: 'lower' | 'higher',
): string {
  const gain = baseline === null ? null : gainOver(baseline, value, direction);
  const much =
    gain === null || gain === 0
      ? ''
      : `, ${Math.abs(gain).toFixed(1)} % ${gain > 0 ? 'better' : 'worse'} than the baseline`;
  return `best, run ${number}${stated === true ? ', stated and not measured' : ''}${much}; ${direction} is better`;
}

/** Nothing to see where fewer than two runs measured anything. */
function chartOf({ experiment, runs }: ExperimentHistory): DisplayItem[] {
  const measured = runs.flatMap(({ number, status, value }) =>
    value === null ? [] : [{ number, status, value }],
  );
  const few = measured.length <= fewPoints;
  const points = measured.slice(-mostPoints).map(({ number, status, value }) => ({
    label: few ? `${number} ${status.replace('_', ' ')}` : String(number),
    value,
  }));
  const title = label(`${experiment.name}: ${unitOf(experiment.metric, experiment.unit)} by run`);
  return points.length < 2 ? [] : [{ chart: { type: 'line', title, points, width: 60 } }];
}

function rowsOf(runs: readonly ExperimentRun[], best: number | undefined): readonly ExperimentRun[] {
  if (runs.length <= mostRows) return runs;
  const newest = runs.slice(2 - mostRows);
  const wanted = runs.filter(({ number, status }) => status === 'baseline' || number === best);
  return [...wanted.slice(0, 2).filter((run) => !newest.includes(run)), ...newest];
}

const unitOf = (metric: string, unit: string | undefined): string =>
  unit === undefined || unit === '' ? metric : `${metric} (${unit})`;

const label = (text: string): string => cutText(oneLine(text), 200, '…');

const formatNumber = (value: number): string => String(Number(value.toPrecision(6)));
