import { afterEach, expect, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

const bare = { line: 2, severity: 'high', category: 'bug', title: 'Off by one' };
const place = { path: 'src/a.ts', side: 'RIGHT', body: 'One is lost.' };

test.each<[given: { readonly [key: string]: Json }, understood: { readonly [key: string]: Json }]>([
  [{ ...place }, {}],
  [{ ...place, side: ' left ' }, { side: 'LEFT' }],
  [{ ...place, side: null }, {}],
  [{ path: place.path, body: place.body }, {}],
  [{ file: place.path, description: place.body }, {}],
  [{ file_path: place.path, message: place.body }, {}],
  [{ ...place, file: 'b.ts', file_path: 'c.ts', description: 'b', message: 'c' }, {}],
  [{ file: place.path, file_path: 'c.ts', description: place.body, message: 'c' }, {}],
  [{ ...place, severity: 'Critical' }, { severity: 'critical' }],
])('a finding with %j is accepted', async (given, understood) => {
  tools = await openTools({ 'src/a.ts': 'one\ntwo\n' });
  expect(await tools.call('report_findings', { findings: [{ ...bare, ...given }] })).toEqual({
    content: '1 finding recorded.',
    data: { findings: [{ ...bare, ...place, ...understood }] },
  });
});

test.each<[side: Json]>([[1], ['MIDDLE']])('a finding on side %j is refused', async (side) => {
  tools = await openTools({ 'src/a.ts': 'one\ntwo\n' });
  const findings = [{ ...bare, ...place, side }];
  expect(await tools.say('report_findings', { findings })).toMatch(/^invalid_input: /);
});

test('an invalid finding is refused, also in a list with others', async () => {
  tools = await openTools({ 'src/a.ts': 'one\ntwo\n' });
  const kinds: (string | undefined)[] = [];
  for (const odd of ['text', null, [], 3])
    kinds.push((await tools.say('report_findings', { findings: [odd] })).split(':')[0]);
  expect([kinds, tools.entries]).toEqual([Array.from({ length: 4 }, () => 'invalid_input'), []]);
});

test('records findings that the review closes, without those that have no id or reason', async () => {
  tools = await openTools({ 'src/a.ts': 'one\n' });
  const closed = [
    { id: '0123456789ABCDEF', reason: ' Its caller is gone. ' },
    { id: 'a.ts:1', reason: 'No id.' },
    { id: '0123456', reason: ' ' },
  ];
  expect(await tools.say('report_findings', { findings: [], closed })).toBe(
    'Recorded: nothing found.\n1 of 3 findings to close noted; each needs id and reason.',
  );
  expect(tools.entries.filter(({ type }) => type === 'closed_findings')).toEqual([
    { type: 'closed_findings', closed: [{ id: '0123456789abcdef', reason: 'Its caller is gone.' }] },
  ]);
});
