import { expect, test } from 'vitest';
import type { ThreadEntry } from '../../../src/webhooks/plan/thread-context.ts';
import { withoutOwnFrame } from '../../../src/webhooks/plan/without-own-frame.ts';

const time = '2026-01-02T02:00:00Z';
const by = (author: string, body: string): ThreadEntry => ({
  ...{ kind: 'comment', id: 1, author, body, place: null },
  ...{ created_at: time, updated_at: time },
});
const marker = (kind: string) => `<!-- anode:${kind} v1 run=run_1 -->\n`;

test('of our own comments a model is shown what they say, not what stands around it', () => {
  const waiting = `${marker('progress')}**Waiting for an answer.** [The question](u) is below.`;
  const report = `${marker('progress')}**Done.**\n\nIt works.\n\n<sub>3 turns · 9 tokens</sub>`;
  const question = `${marker('question')}**Which?**\n\n<sub>Answer below.</sub>`;
  const given = [
    by('anode[bot]', waiting),
    by('Anode[bot]', report),
    by('anode[bot]', `${marker('controls')}- [ ] Run again`),
    by('anode[bot]', question),
    by('anode[bot]', '**Waiting for nobody.**\n<sub>x</sub>'),
    by('eve', waiting),
  ];
  const thread = { title: 'T', author: 'ada', body: 'B', entries: given };
  expect(withoutOwnFrame(thread, ['anode[bot]']).entries).toEqual([
    by('Anode[bot]', `${marker('progress')}**Done.**\n\nIt works.`),
    by('anode[bot]', question),
    by('anode[bot]', '**Waiting for nobody.**\n<sub>x</sub>'),
    by('eve', waiting),
  ]);
  expect(withoutOwnFrame(thread, [])).toEqual(thread);
});
