import type { RenderSpec } from '../../../src/contract/display-item.ts';

/** A specification with every component, most of them as a model would fill them. */
export const everyComponent: RenderSpec = {
  root: 'card',
  elements: {
    card: {
      type: 'Card',
      props: { title: 'Health | of @octocat' },
      children: [
        'heading',
        'row',
        'table',
        'bars',
        'spark',
        'list',
        'keys',
        'progress',
        'words',
        'callout',
        'steps',
        'divider',
        'newline',
        'spacer',
        'status',
      ],
    },
    heading: { type: 'Heading', props: { text: 'State', level: 'h2' } },
    row: { type: 'Box', props: { flexDirection: 'row', padding: 1 }, children: ['badge', 'wide', 'metric'] },
    badge: { type: 'Badge', props: { label: 'ACTIVE', variant: 'success' } },
    wide: { type: 'Badge', props: { label: '日本' } },
    metric: { type: 'Metric', props: { label: 'p95', value: 12, trend: 'down', detail: '-3 ms' } },
    table: {
      type: 'Table',
      props: {
        columns: ['name', { header: 'Value', key: 'value', align: 'right' }],
        rows: [
          { name: 'api', value: 12 },
          { name: 'worker | x', value: true },
          { name: '<img src=https://evil.example/x>' },
        ],
      },
    },
    bars: {
      type: 'BarChart',
      props: {
        title: 'Languages',
        data: [
          { label: 'TypeScript', value: 65 },
          { label: 'C"]\nclick x', value: 15 },
        ],
        showPercentage: true,
      },
    },
    spark: { type: 'Sparkline', props: { data: [1, 5, 2, 8], label: 'CPU' } },
    list: { type: 'List', props: { items: ['one', 'two\nlines'], ordered: true } },
    keys: { type: 'KeyValue', props: { label: 'Tags', value: ['a', 'b'] } },
    progress: { type: 'ProgressBar', props: { progress: 0.65, label: 'Up' } },
    words: { type: 'Text', props: { text: 'It *stands*.', bold: true } },
    callout: { type: 'Callout', props: { content: 'Take care\nof it', type: 'warning', title: 'Mind' } },
    steps: {
      type: 'Timeline',
      props: {
        items: [
          { title: 'Begun', date: 'May', description: 'by hand' },
          { title: 'Now', status: 'current' },
        ],
      },
    },
    divider: { type: 'Divider', props: { title: 'End' } },
    newline: { type: 'Newline' },
    spacer: { type: 'Spacer' },
    status: { type: 'StatusLine', props: { text: 'API', status: 'success' }, children: [] },
  },
};
