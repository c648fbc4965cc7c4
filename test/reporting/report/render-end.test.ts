import { expect, test } from 'vitest';
import { renderEnd } from '../../../src/reporting/report/render-end.ts';

test('states cause and remedy for a run without a report', () => {
  expect([
    renderEnd({ kind: 'failed', message: ' the disk is full ' }, null),
    renderEnd({ kind: 'failed', message: 'The disk is full.' }, 'https://l'),
    renderEnd({ kind: 'failed', message: 'No key was found. Set one.', known: true }, 'https://l'),
    renderEnd({ kind: 'cancelled', message: 'Ada stopped it.' }, 'https://l'),
    renderEnd({ kind: 'superseded', message: 'Another run took over.' }, 'https://l'),
  ]).toEqual([
    expect.stringMatching(
      /^\*\*Failed\.\*\* [Tt]he disk is full\.\n\nTo go on: look into the log of the run for the cause, then ask again\.$/,
    ),
    '**Failed.** The disk is full.\n\nTo go on: look into the [log of the run](https://l) for the cause, then ask again.',
    '**Failed.** No key was found. Set one.',
    '**Cancelled.** Ada stopped it.\n\nTo start over, ask again.',
    '**Superseded.** Another run took over.',
  ]);
});
