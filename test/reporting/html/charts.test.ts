import { expect, test } from 'vitest';
import { renderCharts } from '../../../src/reporting/html/render-chart.ts';
import { renderDisplayChart } from '../../../src/reporting/html/render-display.ts';

const chart = (
  type: 'bar' | 'line' | 'table',
  points: readonly [string, number][],
  title: string | null = null,
) =>
  renderDisplayChart({ type, title, points: points.map(([label, value]) => ({ label, value })) } as never)
    .html;
const table = (...given: [string, string][]) =>
  `<div class="wide" tabindex="0" role="region" aria-label="The numbers"><table class="grid numbers"><tbody>${given.map(([label, value]) => `<tr><th scope="row">${label}</th><td>${value}</td></tr>`).join('')}</tbody></table></div>`;
const plot = (words: string, zero: string, drawn: string, first: string, last: string) =>
  `<div class="plot"><svg role="img" viewBox="0 0 640 200" preserveAspectRatio="none"><title>${words}</title><line class="rule" x1="0" x2="640" y1="${zero}" y2="${zero}"/>${drawn}</svg></div>\n<p class="axis" aria-hidden="true"><span>${first}</span><span>${last}</span></p>`;
const figure = (type: string, inside: string, title = '') =>
  `<figure class="chart shown ${type}">${title}${inside}</figure>`;
const folded = (inside: string) => `<details><summary>The numbers as a table</summary>${inside}</details>`;

test('draws a chart from zero, with its numbers below', () => {
  const three: [string, number][] = [
    ['a', 1],
    ['b', -2],
    ['c', 4],
  ];
  const numbers = folded(table(['a', '1'], ['b', '-2'], ['c', '4']));
  const words = '3 values; the largest is c: 4.';
  const bar = (label: string, x: string, y: string, height: string) =>
    `<g><title>${label}</title><rect class="input" x="${x}" y="${y}" width="48.00" height="${height}"/></g>`;
  const dot = (label: string, x: string, y: string) =>
    `<g><title>${label}</title><circle class="dot" cx="${x}" cy="${y}" r="4"/></g>`;
  const bars =
    bar('a: 1', '82.67', '100.00', '31.33') +
    bar('b: -2', '296.00', '131.33', '62.67') +
    bar('c: 4', '509.33', '6.00', '125.33');
  const line = `<polyline class="stroke" points="6.00,100.00 320.00,194.00 634.00,6.00"/>${dot('a: 1', '6.00', '100.00')}${dot('b: -2', '320.00', '194.00')}${dot('c: 4', '634.00', '6.00')}`;
  const title = '<figcaption>T</figcaption>';
  expect([
    chart('bar', three, 'T'),
    chart('line', three, 'T'),
    chart('table', three),
    chart('line', [['a', 1]]),
    chart('bar', [['a', 0]]),
    chart('bar', []),
    chart('table', [
      ['a', 1_234_567.89],
      ['b', 1e15],
      ['c', -1e15],
      ['d', 9e14],
    ]),
  ]).toEqual([
    figure('bar', plot(words, '131.33', bars, 'a', 'c') + numbers, title),
    figure('line', plot(words, '131.33', line, 'a', 'c') + numbers, title),
    figure('table', table(['a', '1'], ['b', '-2'], ['c', '4'])),
    figure(
      'line',
      plot(
        '1 values; the largest is a: 1.',
        '194.00',
        `<polyline class="stroke" points="320.00,6.00"/>${dot('a: 1', '320.00', '6.00')}`,
        'a',
        '',
      ) + folded(table(['a', '1'])),
    ),
    figure(
      'bar',
      plot('1 values; the largest is a: 0.', '6.00', bar('a: 0', '296.00', '6.00', '1.00'), 'a', '') +
        folded(table(['a', '0'])),
    ),
    figure('bar', table()),
    figure('table', table(['a', '1,234,570'], ['b', '1E15'], ['c', '-1E15'], ['d', '900,000,000,000,000'])),
  ]);
  const wide = chart(
    'bar',
    Array.from({ length: 20 }, (_, index) => [`${index}`, 1]),
  );
  expect(wide).toContain('<rect class="input" x="3.20" y="6.00" width="25.60" height="188.00"/>');
});

const turn = (number: number, input: number, costUsd: number | null = 0) => ({
  ...{ number, at: '', text: null, costUsd, childTokens: 0, items: [] },
  usage: { input, output: 0, cache_read: 0, cache_write: 0 },
});
const charts = (turns: readonly object[], cost_usd: number | null = 1) =>
  renderCharts({ story: { turns }, outcome: { cost_usd } } as never)?.html ?? null;

test('draws tokens and cost per turn, several turns per bar if there are many', () => {
  expect(charts([])).toBeNull();
  const many = (count: number) => {
    const shown = charts(Array.from({ length: count }, (_, index) => turn(index + 1, 10, 0.5))) ?? '';
    return [
      shown.match(/<rect class="input"/g)?.length,
      /<desc id="tokens-words">(.*?)<\/desc>/.exec(shown)?.[1],
      /<desc id="cost-words">(.*?)<\/desc>/.exec(shown)?.[1],
      shown.match(/<g><title>(.*?)<\/title>/)?.[1],
    ];
  };
  expect([many(90), many(91)]).toEqual([
    [90, '10 tokens at most, in turn 1; $1.00 in all.', '$0.50 at most in one turn.', 'Turn 1: 10 input'],
    [
      46,
      '20 tokens at most, in turns 1 to 2; $1.00 in all.',
      '$1.00 at most in one bar.',
      'Turns 1 to 2: 20 input',
    ],
  ]);
  const axis = (count: number) =>
    /<(?:ol|p) class="axis.*?<\/(?:ol|p)>/.exec(
      charts(Array.from({ length: count }, (_, index) => turn(index + 1, 1))) ?? '',
    )?.[0];
  expect([axis(2), axis(12)?.includes('<li>12</li>'), axis(13)]).toEqual([
    '<ol class="axis each" aria-hidden="true"><li>Turn 1</li><li>2</li></ol>',
    true,
    '<p class="axis" aria-hidden="true"><span>Turn 1</span><span>Turn 13</span></p>',
  ]);
  const rest = (count: number) =>
    /<p class="cut">(.*?)<\/p>/.exec(
      charts(Array.from({ length: count }, (_, index) => turn(index + 1, 1))) ?? '',
    )?.[1] ?? null;
  expect([rest(600), rest(601)]).toEqual([null, '1 more turns left out here.']);
});

test('gives each kind of token a name, a part of the bar and a column', () => {
  const one = {
    ...turn(1, 400, null),
    usage: { input: 400, output: 300, cache_read: 100, cache_write: 200 },
    childTokens: 1_000,
  };
  const shown = charts([one, turn(2, 0, 0.2)], null) ?? '';
  expect(shown.match(/<rect .*?\/>/g)).toEqual([
    '<rect class="cached" x="218.00" y="190.10" width="64.00" height="9.90"/>',
    '<rect class="written" x="218.00" y="170.30" width="64.00" height="19.80"/>',
    '<rect class="input" x="218.00" y="130.70" width="64.00" height="39.60"/>',
    '<rect class="output" x="218.00" y="101.00" width="64.00" height="29.70"/>',
    '<rect class="children" x="218.00" y="2.00" width="64.00" height="99.00"/>',
    '<rect class="price" x="218.00" y="100.00" width="64.00" height="0.00"/>',
    '<rect class="price" x="718.00" y="2.00" width="64.00" height="98.00"/>',
  ]);
  expect([shown.match(/<li><span class="key.*?<\/li>/g), shown.match(/<tr>.*?<\/tr>/g)]).toEqual([
    [
      '<li><span class="key cached" aria-hidden="true"></span>read from the cache</li>',
      '<li><span class="key written" aria-hidden="true"></span>written to the cache</li>',
      '<li><span class="key input" aria-hidden="true"></span>input</li>',
      '<li><span class="key output" aria-hidden="true"></span>output</li>',
      '<li><span class="key children" aria-hidden="true"></span>child runs</li>',
    ],
    [
      '<tr><th scope="col">turn</th><th scope="col">read from the cache</th><th scope="col">written to the cache</th><th scope="col">input</th><th scope="col">output</th><th scope="col">child runs</th><th scope="col">cost</th></tr>',
      '<tr><th scope="row">1</th><td>100</td><td>200</td><td>400</td><td>300</td><td>1,000</td><td>price not known</td></tr>',
      '<tr><th scope="row">2</th><td>0</td><td>0</td><td>0</td><td>0</td><td>0</td><td>$0.20</td></tr>',
    ],
  ]);
  expect(shown.match(/<g><title>.*?<\/title>/g)).toEqual([
    '<g><title>Turn 1: 100 read from the cache, 200 written to the cache, 400 input, 300 output, 1,000 child runs</title>',
    '<g><title>Turn 2: </title>',
    '<g><title>Turn 1: price not known</title>',
    '<g><title>Turn 2: $0.20</title>',
  ]);
  expect([
    shown.match(/<ol class="scale".*?<\/ol>/g),
    shown.match(/viewBox="[^"]*"/g),
    shown.match(/<line .*?\/>/g),
  ]).toEqual([
    [
      '<ol class="scale" aria-hidden="true"><li>2K</li><li>1K</li><li>0</li></ol>',
      '<ol class="scale" aria-hidden="true"><li>$0.20</li><li>$0</li></ol>',
    ],
    ['viewBox="0 0 1000 200"', 'viewBox="0 0 1000 100"'],
    ['0', '100', '200', '0', '100'].map((y) => `<line class="rule" x1="0" x2="1000" y1="${y}" y2="${y}"/>`),
  ]);
});
