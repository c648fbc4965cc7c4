import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { componentNames } from '../../../src/contract/display-tree.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';
import { everyComponent } from './every-component.ts';

let tools: ToolHarness;
beforeEach(async () => {
  tools = await openTools({});
});
afterEach(() => tools.close());

describe('render', () => {
  test('draws every component and returns the specification unchanged', async () => {
    const used = new Set(Object.values(everyComponent.elements).map(({ type }) => type));
    const { content, data } = await tools.call('render', { ...everyComponent } as never);
    expect([[...used].sort(), data]).toEqual([[...componentNames].sort(), { render_spec: everyComponent }]);
    await expect(content).toMatchFileSnapshot('golden/every-component.txt');
  });

  const text = { type: 'Text', props: { text: 'x' } };
  test.for([
    ['a root that is not there', 'x', {}, 'elements has no root "x"'],
    [
      'a child that is not there',
      'a',
      { a: { type: 'Box', children: ['b'] } },
      'elements has no child "b" of "a"',
    ],
    [
      'a circle',
      'a',
      { a: { type: 'Box', children: ['b'] }, b: { type: 'Card', children: ['a'] } },
      '"a" is among its own children',
    ],
    [
      'a component that nobody knows',
      'a',
      { a: { type: 'Pie' } },
      /^"a" is a Pie, which is none of Box, Card, /,
    ],
    [
      'props that do not fit',
      'a',
      { a: { type: 'ProgressBar', props: { progress: 65 } } },
      '"a" (ProgressBar): props.progress: Too big: expected number to be <=1',
    ],
    [
      'children of what holds none',
      'a',
      { a: { ...text, children: ['b'] }, b: text },
      '"a" is a Text, which holds no children; put them into a Box',
    ],
    ['a name of every object', 'toString', {}, 'elements has no root "toString"'],
  ] as const)('refuses %s with a message', async ([, root, elements, words]) => {
    const reply = await tools.say('render', { root, elements: { ...elements } } as never);
    const [, problem] = /^invalid_input: Nothing is shown: (.*)\.$/s.exec(reply) ?? [reply];
    if (typeof words === 'string') expect(problem).toBe(words);
    else expect(problem).toMatch(words);
  });

  test('refuses more than a person can read', async () => {
    const doubled = Object.fromEntries(
      Array.from({ length: 11 }, (_, index) => [
        `e${index}`,
        { type: 'Box', children: [`e${index + 1}`, `e${index + 1}`] },
      ]),
    );
    const nested = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`e${index}`, { type: 'Box', children: [`e${index + 1}`] }]),
    );
    expect([
      await tools.say('render', { root: 'e0', elements: { ...doubled, e11: text } }),
      await tools.say('render', { root: 'e0', elements: { ...nested, e20: text } }),
    ]).toEqual([
      'invalid_input: Nothing is shown: there are more than 200 elements.',
      'invalid_input: Nothing is shown: "e12" lies more than 12 deep.',
    ]);
  });
});

describe('chart', () => {
  const series = [
    { label: 'Mon', value: 3 },
    { label: 'Tue', value: -12.345 },
    { label: 'Wed', value: 7 },
  ];
  test.for(['bar', 'line', 'sparkline', 'table'] as const)('draws a %s', async (type) => {
    const { content, data } = await tools.call('chart', { type, title: 'Days', series });
    expect(data).toEqual({ chart: { type, title: 'Days', points: series, width: 40 } });
    await expect(content).toMatchFileSnapshot(`golden/${type}.txt`);
  });

  test('accepts data by label and numbers as text, and keeps the peaks of many points', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({
      label: `${index}`,
      value: index === 150 ? 9 : 1,
    }));
    const { content } = await tools.call('chart', { type: 'line', series: many, width: 20 });
    const { data } = await tools.call('chart', { data: { p50: '12', p95: 45 } });
    expect([String(content).split('\n')[0], data]).toEqual([
      '9 ┤          •',
      {
        chart: {
          type: 'bar',
          title: null,
          points: [
            { label: 'p50', value: 12 },
            { label: 'p95', value: 45 },
          ],
          width: 40,
        },
      },
    ]);
  });

  test.for([
    [{}, 'Give either data, {"p50": 12}, or series, [{"label": "p50", "value": 12}].'],
    [
      { data: { a: 1 }, series },
      'Give either data, {"p50": 12}, or series, [{"label": "p50", "value": 12}].',
    ],
    [
      { series: [] },
      'points: Too small: expected array to have >=1 items. At most 500 points, each with a label of 200 characters.',
    ],
  ] as const)('refuses %j with a message', async ([input, words]) => {
    expect(await tools.say('chart', input as never)).toBe(`invalid_input: ${words}`);
  });
});
