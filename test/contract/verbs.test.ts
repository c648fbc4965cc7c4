import { expect, test } from 'vitest';
import { findProfile } from '../../src/agent/profiles/profiles.ts';
import { profileNames } from '../../src/contract/profile-names.ts';
import { findVerb, type Verb, verbNames, verbOf } from '../../src/contract/verbs.ts';
import { renderHelp } from '../../src/webhooks/replies/render-help.ts';
import { readSource } from '../project/source-tree.ts';

const words = verbNames.flatMap((name) => [name, ...verbOf(name).aliases]);

test('no word belongs to two verbs, and none is a property that every object has', () => {
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  expect(['constructor', '__proto__', 'toString', ''].map(findVerb)).toEqual([null, null, null, null]);
});

test('every verb that writes or decides is distinguished from the others', () => {
  const names = (does: Verb['does']) => verbNames.filter((name) => verbOf(name).does === does);
  expect(names('writes')).toEqual(['task', 'fix', 'implement']);
  expect(names('decides')).toEqual(['answer', 'approve', 'deny', 'continue', 'retry']);
  expect(
    verbNames.filter((name) => verbOf(name).text === 'hash').map((name) => verbOf(name).afterMention),
  ).toEqual(['typed', 'typed']);
});

test('every profile that a comment may name exists', () => {
  for (const [name, others] of Object.entries(profileNames))
    expect([name, ...others].map((one) => findProfile(one).name)).toEqual([name, ...others.map(() => name)]);
});

test('docs/commands.md describes every verb of the table', () => {
  const rows = readSource('docs/commands.md')
    .split('\n')
    .filter((line) => line.startsWith('| `/anode '));
  expect(rows).toEqual(verbNames.map(row));
});

/** A verb as a row of the document. */
function row(name: (typeof verbNames)[number]): string {
  const { aliases, on, usage, help, does } = verbOf(name);
  const command = [
    `\`/anode ${name}${usage === '' ? '' : ` ${usage}`}\``,
    ...aliases.map((alias) => `\`${alias}\``),
  ];
  const where = on.length === 2 ? 'both' : on[0] === 'issue' ? 'issues' : 'pull requests';
  const run = {
    reads: 'only reads',
    writes: 'may write',
    decides: 'goes on or begins anew',
    replies: 'none',
  }[does];
  return `| ${command.join(', ')} | ${where} | ${help} | ${run} |`;
}

test('the help of a thread lists the verbs that work there, and fits on a screen', () => {
  const help = (kind: 'issue' | 'pull_request') =>
    renderHelp({ note: null, thread: { kind, number: 1 } }, { mention: 'bot', label: 'bot:do' });
  for (const kind of ['issue', 'pull_request'] as const)
    expect([...help(kind).matchAll(/^- `\/bot (\w+)/gm)].map(([, name]) => name)).toEqual(
      verbNames.filter((name) => verbOf(name).on.includes(kind)),
    );
  expect(help('issue')).toContain('- `/bot implement [words]`, or the label `bot:do`: open a pull request');
  expect(help('pull_request').length).toBeLessThan(2_500);
});
