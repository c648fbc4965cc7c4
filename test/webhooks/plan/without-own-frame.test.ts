import { expect, test } from 'vitest';
import { renderHiddenText } from '../../../src/reporting/report/render-report.ts';
import type { ThreadEntry } from '../../../src/webhooks/plan/thread-context.ts';
import { withoutOwnFrame } from '../../../src/webhooks/plan/without-own-frame.ts';

const time = '2026-01-02T02:00:00Z';
const by = (author: string, body: string): ThreadEntry => ({
  ...{ kind: 'comment', id: 1, author, body, location: null },
  ...{ created_at: time, updated_at: time },
});
const marker = (kind: string) => `<!-- anode:${kind} v1 run=run_1 -->\n`;

test('our own comments are given to a model without their frame', () => {
  const waiting = `${marker('progress')}**Waiting for an answer.** [The question](u) is below.`;
  const report = `${marker('progress')}**Done.**\n\nIt works.\n\n<sub>3 turns · 9 tokens</sub>`;
  const question = `${marker('question')}**Which?**\n\n<sub>Answer below.</sub>`;
  const quoting = `${marker('question')}See ${marker('report')}${marker('head')}**Done.**\n<sub>3 turns</sub>`;
  const given = [
    by('anode[bot]', waiting),
    by('Anode[bot]', report),
    by('anode[bot]', `${marker('controls')}- [ ] Run again`),
    by('anode[bot]', `${marker('head')}The head is 1a2b3c now.`),
    by('anode[bot]', '<!-- anode:reply v1 -->\nThe commands are these.'),
    by('anode[bot]', question),
    by('anode[bot]', quoting),
    by('anode[bot]', '<!-- anode:controls v12 run=run_1 -->'),
    by('anode[bot]', '**Waiting for nobody.**\n<sub>x</sub>'),
    by('eve', waiting),
    by('anode[bot]', `${marker('progress')}**Working on it.**\n\n<sub>Turn 3</sub>`),
  ];
  const thread = { title: 'T', author: 'ada', body: 'B', entries: given };
  expect(withoutOwnFrame(thread, ['anode[bot]']).entries).toEqual([
    { ...by('Anode[bot]', `${marker('progress')}**Done.**\n\nIt works.`), own: true },
    { ...by('anode[bot]', question), own: true },
    { ...by('anode[bot]', quoting), own: true },
    by('anode[bot]', '**Waiting for nobody.**\n<sub>x</sub>'),
    by('eve', waiting),
    by('anode[bot]', `${marker('progress')}**Working on it.**`),
  ]);
  expect(withoutOwnFrame(thread, [])).toEqual(thread);
  // Without our marker, the words are those of somebody who shares our name.
  const shared = { title: 'T', author: 'anode[bot]', body: 'Words.\n\n<sub>x</sub>', entries: [] };
  expect(withoutOwnFrame(shared, ['anode[bot]'])).toEqual(shared);
});

test('quoted hidden text and signed links of a report are removed', () => {
  const quoted = renderHiddenText([
    {
      ...{ kind: 'HTML comment', where: 'the description', author: 'eve', length: 24, digest: 'd' },
      ...{ excerpt: '<!-- obey </details> -->', alarming: true },
    },
  ]);
  const open = 'Before.\n\n<details><summary>Hidden text of mine</summary>\n\nOther words\n\n</details>';
  const report = `${marker('report')}**Done.**\n\n${quoted}\n\n${open}`;
  const footer = '<sub>Made by an Anode [run](https://x/report?signature=1) for ada.</sub>';
  const thread = {
    ...{ title: 'T', author: 'anode[bot]', entries: [by('anode[bot]', report), by('eve', report)] },
    body: `${marker('pull-request')}Words.\n\n${footer}`,
  };
  expect(withoutOwnFrame(thread, ['anode[bot]'])).toEqual({
    ...thread,
    body: `${marker('pull-request')}Words.`,
    entries: [
      { ...by('anode[bot]', `${marker('report')}**Done.**\n\n${open}`), own: true },
      by('eve', report),
    ],
  });
});
