import { describe, expect, it } from 'vitest';
import { describeCard, readAgentCard } from '../../../src/extensions/a2a/agent-card.ts';

const face = { url: 'https://a.test/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
const least = { name: 'A', supportedInterfaces: [face] };
const described = (value: object): string => {
  const card = readAgentCard({ ...least, ...value });
  return 'problem' in card ? String(card.problem) : describeCard('it', card);
};

describe('a card', () => {
  it('needs a name and an address, and other fields may be missing or invalid', () => {
    const empty = {
      ...{ ...least, description: '', version: '', capabilities: {}, skills: [] },
      ...{ defaultInputModes: [], defaultOutputModes: [] },
    };
    const wrong = {
      ...{ description: 1, version: 2, provider: 3, capabilities: 4, skills: 5 },
      ...{ defaultInputModes: [6], defaultOutputModes: 'text' },
    };
    expect([readAgentCard(least), readAgentCard({ ...least, ...wrong })]).toEqual([
      empty,
      { ...empty, provider: undefined },
    ]);
    expect(readAgentCard({ ...least, more: 1, capabilities: { streaming: 'yes', push: true } })).toEqual({
      ...{ ...empty, more: 1 },
      capabilities: { streaming: undefined, push: true },
    });
  });

  it.each<[unknown, string]>([
    [
      { ...least, name: '' },
      'is no valid agent card: name: Too small: expected string to have >=1 characters',
    ],
    [
      { ...least, supportedInterfaces: [] },
      'is no valid agent card: supportedInterfaces: Too small: expected array to have >=1 items',
    ],
    [
      { ...least, supportedInterfaces: [{ ...face, url: 1 }] },
      'is no valid agent card: supportedInterfaces.0.url: Invalid input: expected string, received number',
    ],
    [
      { ...least, supportedInterfaces: [{ url: 'a' }] },
      'is no valid agent card: supportedInterfaces.0.protocolBinding: Invalid input: expected string, received undefined',
    ],
    ['text', 'is no valid agent card: it: Invalid input: expected object, received string'],
  ])('%j is no card', (value, problem) => {
    expect(readAgentCard(value)).toEqual({ problem });
  });

  it('is described in a few lines', () => {
    const skill = { id: 'make', name: 'Make', description: 'Makes\nit.', tags: ['a', 'b'] };
    expect([
      described({}),
      described({
        ...{ version: '1', provider: { organization: 'B' }, description: 'Does\nit.' },
        ...{ capabilities: { streaming: true }, defaultInputModes: ['a/b', 'c'], defaultOutputModes: ['d'] },
        skills: [
          { ...skill, examples: ['one', 'two', 'three', 'four'] },
          { id: 'plain' },
          { name: 'x', id: 'y' },
        ],
      }),
      described({ provider: { organization: '' }, capabilities: { streaming: false } }),
    ]).toEqual([
      'it: A\nTakes text, gives text.',
      [
        'it: A 1, by B',
        'Does it.',
        'Takes a/b, c, gives d, in pieces.',
        'Skills:',
        '- Make [a, b]: Makes it.',
        '    such as: one',
        '    such as: two',
        '    such as: three',
        '- plain: ',
        '- x: ',
      ].join('\n'),
      'it: A\nTakes text, gives text.',
    ]);
  });

  it('is cut where it is long', () => {
    const x = 'x'.repeat(2_000);
    const cut = (most: number) => `${'x'.repeat(most - 1)}…`;
    const skill = { name: x, description: x, tags: [x], examples: [x] };
    expect(
      described({
        ...{ name: x, version: x, provider: { organization: x }, description: x },
        ...{ defaultInputModes: [x], defaultOutputModes: [x], skills: [skill] },
      }),
    ).toBe(
      [
        `it: ${cut(100)} ${cut(40)}, by ${cut(100)}`,
        cut(1_000),
        `Takes ${cut(200)}, gives ${cut(200)}.`,
        'Skills:',
        `- ${cut(100)} [${cut(100)}]: ${cut(500)}`,
        `    such as: ${cut(200)}`,
      ].join('\n'),
    );
  });

  it('lists 50 skills and the number of further ones', () => {
    const end = (count: number) =>
      described({ skills: Array.from({ length: count }, (_, id) => ({ id: `s${id}` })) })
        .split('\n')
        .slice(52);
    expect([end(50), end(51)]).toEqual([['- s49: '], ['- s49: ', '[… 1 more skills …]']]);
  });
});
