import { expect, test } from 'vitest';
import { readToolList } from '../../../src/extensions/plugin/open-plugin.ts';

const secret = 's3cret-value';
const hide = (text: string) => text.replaceAll(secret, '[redacted]');

/** The secret begins within the bound of what is shown, and ends beyond it. */
const upTo = (bound: number, filling = 'x') => `${filling.repeat(bound - 4)}${secret}`;

test("a plug-in's tool list contains none of its variables, not even in part where it is cut", () => {
  const { tools, problems } = readToolList(
    {
      tools: [
        { name: 'short', description: `Asks with ${secret}.\u200b` },
        { name: 'long', description: upTo(4_000) },
        { name: upTo(80) },
        { name: upTo(80, '§').replace(secret, '§§§§'), description: 'Has no letter.' },
      ],
    },
    { name: 'db', hide },
  );
  const short = (text: string) => text.replaceAll(/[x§]{20,}/g, '…');
  expect([
    tools.map(({ name, description }) => `${name}: ${short(description)}`),
    problems.map(short),
  ]).toEqual([
    ['plugin__db__short: Asks with [redacted].', 'plugin__db__long: …[red'],
    [
      expect.stringMatching(/^has a tool "…\[red" that is declared wrongly at description: /),
      'has a tool "…" that has a name without a letter or digit: "…"; it is left out',
    ],
  ]);
});
