import { expect, test } from 'vitest';
import { renderDoctor } from '../../../src/webhooks/replies/render-doctor.ts';

test('each line has its finding in one cell, and the heading counts missing ones', () => {
  const lines = [
    { name: 'Sandbox', state: 'ok', found: 'bwrap' },
    { name: 'Model', state: 'missing', found: ' a|b\n\nc ' },
    { name: 'Events', state: 'unknown', found: '?' },
  ] as const;
  const rows = ['| ✅ | Sandbox | bwrap |', '| ❌ | Model | a\\|b c |', '| ❔ | Events | ? |'];
  const head = ['', '| | | |', '|---|---|---|'];
  expect([renderDoctor(lines), renderDoctor([lines[0], lines[2]])]).toEqual([
    ['1 of 3 are missing.', ...head, ...rows].join('\n'),
    ['Everything that I can see is in place.', ...head, rows[0], rows[2]].join('\n'),
  ]);
});
