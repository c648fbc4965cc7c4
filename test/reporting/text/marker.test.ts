import { expect, test } from 'vitest';
import {
  beginsWithMarker,
  readMarker,
  readMarkers,
  writeMarker,
} from '../../../src/reporting/text/marker.ts';

test('reads a marker as it was written, with any values', () => {
  const fields = { run: 'run --> <b> 1', n: '0' };
  const body = `${writeMarker('handoff', fields)}\n\ntext`;
  expect([readMarker(body, 'handoff'), readMarker(body, 'progress'), body.indexOf('-->')]).toEqual([
    fields,
    null,
    body.indexOf('\n') - 3,
  ]);
});

test('ignores markers of another version and broken ones', () => {
  expect([
    readMarker('<!-- anode:progress v2 run=a -->', 'progress'),
    readMarker('<!-- anode:progress v1 run=%E0 -->', 'progress'),
    readMarker('anode:progress v1 run=a', 'progress'),
    readMarker(null, 'progress'),
  ]).toEqual([null, null, null, null]);
});

test('reads every marker of a kind', () => {
  const body = ['a', 'b'].map((fp) => writeMarker('finding', { fp })).join('text');
  expect(readMarkers(body, 'finding')).toEqual([{ fp: 'a' }, { fp: 'b' }]);
});

test('ignores markers in code', () => {
  const marker = writeMarker('finding', { fp: 'a' });
  const body = `\`\`\`\n${marker}\n\`\`\`\n~~~\n${marker}\n~~~\n\`${marker}\`\n${writeMarker('finding', { fp: 'b' })}`;
  expect(readMarkers(body, 'finding')).toEqual([{ fp: 'b' }]);
});

test('accepts a marker only at the very start of a body', () => {
  const marker = writeMarker('report', { run: 'a' });
  expect([
    beginsWithMarker(`${marker}\ntext`, 'report'),
    beginsWithMarker(`> ${marker}`, 'report'),
    beginsWithMarker(marker, 'progress'),
    beginsWithMarker(null, 'report'),
  ]).toEqual([true, false, false, false]);
});

test('ignores a marker in a fence of either kind', () => {
  const mark = writeMarker('finding', { fp: 'a' });
  const count = (body: string) => readMarkers(body, 'finding').length;
  expect([
    count(`~~~\n${mark}\n~~~`),
    count(`\`\`\`\n${mark}\n\`\`\``),
    count(`\`${mark}\``),
    count(`~ ${mark} ~`),
    count(`\`a\` ${mark}`),
    count(mark),
    count(`${mark}\n~~~\n${mark}`),
  ]).toEqual([0, 0, 0, 1, 1, 1, 1]);
  expect(readMarkers('<!-- anode:finding v1 fp=a=b x_y= -->', 'finding')).toEqual([{ fp: 'a=b', x_y: '' }]);
  expect(readMarkers('<!-- anode:finding v1 Fp=a -->', 'finding')).toEqual([]);
});
