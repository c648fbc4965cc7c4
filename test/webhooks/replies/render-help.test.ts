import { expect, test } from 'vitest';
import { verbNames, verbOf } from '../../../src/contract/verbs.ts';
import { renderHelp } from '../../../src/webhooks/replies/render-help.ts';

const help = (kind: 'issue' | 'pull_request', label: string, note: string | null = null) =>
  renderHelp({ note, thread: { kind, number: 5 } }, { mention: 'bot', label });

test.each(['issue', 'pull_request'] as const)('help lists the commands for %s', (kind) => {
  const lines = help(kind, 'go').split('\n');
  const verbs = verbNames.filter((name) => verbOf(name).on.includes(kind));
  expect([lines.slice(0, 3), lines.slice(3, -2).map((line) => /^- `\/bot (\w+)/.exec(line)?.[1])]).toEqual([
    ['Commands that I understand here:', '', '- `@bot <words>`: do what the words say'],
    verbs,
  ]);
});

test('the label is shown with its verb, if there is one', () => {
  const { usage, help: words } = verbOf('implement');
  const command = `- \`/bot implement${usage === '' ? '' : ` ${usage}`}\``;
  expect([help('issue', 'go').split('\n'), help('issue', '').split('\n')]).toEqual([
    expect.arrayContaining([`${command}, or the label \`go\`: ${words}`]),
    expect.arrayContaining([`${command}: ${words}`]),
  ]);
  expect(help('issue', 'go').split('or the label').length).toBe(2);
});

test('a command that cannot run is answered with the reason', () => {
  expect(help('issue', 'go', 'There is no such verb.')).toBe(
    'There is no such verb.\n\n`/bot help` lists what I understand. Ask in a new comment: an edit starts nothing.',
  );
});
