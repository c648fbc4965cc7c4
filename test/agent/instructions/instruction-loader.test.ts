import { expect, test } from 'vitest';
import {
  type InstructionLoader,
  type InstructionSource,
  openInstructionLoader,
} from '../../../src/agent/instructions/instruction-loader.ts';
import { instructionReminder } from '../../../src/agent/instructions/instruction-reminder.ts';
import { newTouchedFiles } from '../../../src/agent/reminders/touched-files.ts';
import type { ActivatedInstructions } from '../../../src/contract/run-history.ts';
import { type TextTree, treeOf } from './trees.ts';

function open(
  tree: TextTree,
  rest: Partial<InstructionSource> = {},
): { book: InstructionLoader; recorded: ActivatedInstructions[] } {
  const recorded: ActivatedInstructions[] = [];
  const book = openInstructionLoader({
    ...{ tree, startPaths: async () => [], reviews: false, before: [] },
    record: (activated) => recorded.push(activated),
    ...rest,
  });
  return { book, recorded };
}

const refs = (all: readonly { readonly ref: string }[]) => all.map(({ ref }) => ref);

const scoped = (applyTo: string, text: string, more = '') =>
  `---\napplyTo: ${applyTo}\n${more}---\n${text}\n`;

test("at the start the first file of the top folder, the other agents' text and general instructions apply", async () => {
  const tree = treeOf({
    'AGENT.md': '\ufeffBe brief.\n',
    'CLAUDE.md': 'Be long.',
    'api/AGENTS.md': 'Version every route.',
    '.github/copilot-instructions.md': 'Use tabs.',
    '.github/instructions/all.instructions.md': scoped("'**'", 'Write tests.'),
    '.github/instructions/ts.instructions.md': scoped("'**/*.ts'", 'No any.'),
  });
  const { book, recorded } = open(tree);
  const start = await book.start();
  expect(start).toEqual([
    { ref: 'AGENT.md', applies: 'this repository', text: 'Be brief.' },
    { ref: '.github/copilot-instructions.md', applies: 'this repository', text: 'Use tabs.' },
    { ref: '.github/instructions/all.instructions.md', applies: 'this repository', text: 'Write tests.' },
  ]);
  expect({ again: await book.start(), recorded, kept: book.activated }).toEqual({
    again: start,
    recorded: start,
    kept: start,
  });
});

test('the same text under two names is included once', async () => {
  const { book } = open(
    treeOf({ 'AGENTS.md': 'Be brief.', '.github/copilot-instructions.md': 'Be brief.\n' }),
  );
  expect(refs(await book.start())).toEqual(['AGENTS.md']);
});

test('a file adds the instructions of its parent folders, outer ones first, and matching globs', async () => {
  const tree = treeOf({
    'AGENTS.md': 'Top.',
    'api/AGENTS.md': 'Api.',
    'api/v2/CLAUDE.md': 'Second.',
    'web/AGENTS.md': 'Web.',
    '.github/instructions/a.instructions.md': scoped("'api/**/*.{ts,tsx}, *.sql'", 'Routes.'),
    '.github/instructions/deep/b.instructions.md': scoped('\n  - web/**', 'Pages.'),
    '.github/instructions/c.instructions.md': 'Never, as it does not say for what.',
    '.github/instructions/notes.md': scoped("'**'", 'No instructions.'),
  });
  const { book, recorded } = open(tree);
  expect(await book.forPaths(['api/v2/user.ts'])).toEqual([
    { ref: 'api/AGENTS.md', applies: 'api/', text: 'Api.' },
    { ref: 'api/v2/CLAUDE.md', applies: 'api/v2/', text: 'Second.' },
    { ref: '.github/instructions/a.instructions.md', applies: 'api/**/*.{ts,tsx}, *.sql', text: 'Routes.' },
  ]);
  expect(refs(await book.forPaths(['schema.sql', 'web/a.css']))).toEqual([
    'web/AGENTS.md',
    '.github/instructions/a.instructions.md',
    '.github/instructions/deep/b.instructions.md',
  ]);
  expect(await book.forPaths(['readme.txt', '../other/AGENTS.md', '/etc/x', 'api/../web/x'])).toEqual([]);
  expect(refs(recorded)).toEqual(refs(book.activated));
  expect(refs(recorded).length).toBe(5);
});

test('active instructions keep their text, also in a resumed session, and folders are read once', async () => {
  const tree = treeOf({ 'api/AGENTS.md': 'Old.' });
  const first = open(tree);
  await first.book.forPaths(['api/a.ts']);
  tree.texts['api/AGENTS.md'] = 'New.';
  await first.book.forPaths(['api/b.ts']);
  expect(first.book.activated.map(({ text }) => text)).toEqual(['Old.']);
  expect(tree.asked).toEqual(['api/AGENTS.md', 'api/AGENT.md', 'api/CLAUDE.md']);
  const later = open(tree, { before: first.book.activated });
  expect(await later.book.forPaths(['api/a.ts'])).toEqual([
    { ref: 'api/AGENTS.md', applies: 'api/', text: 'Old.' },
  ]);
  expect(later.recorded).toEqual([]);
});

test('the files of the pull request count as touched from the start', async () => {
  const { book } = open(treeOf({ 'AGENTS.md': 'Top.', 'api/AGENTS.md': 'Api.', 'web/AGENTS.md': 'Web.' }), {
    startPaths: async () => ['api/a.ts'],
  });
  expect(refs(await book.start())).toEqual(['AGENTS.md', 'api/AGENTS.md']);
});

test('a file can be excluded from reviews or from everything else', async () => {
  const tree = treeOf({
    '.github/instructions/a.instructions.md': scoped("'**'", 'A', 'excludeAgent: "code-review"\n'),
    '.github/instructions/b.instructions.md': scoped("'**'", 'B', 'excludeAgent: coding-agent\n'),
  });
  const texts = async (reviews: boolean) =>
    (await open(tree, { reviews }).book.start()).map(({ text }) => text);
  expect([await texts(true), await texts(false)]).toEqual([['B'], ['A']]);
});

test('a long file is cut with a notice, and excess files are left out', async () => {
  const tree = treeOf({
    'AGENTS.md': 'x'.repeat(40_000),
    ...Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`f${at}/AGENTS.md`, 'x'])),
  });
  const { book } = open(tree);
  expect((await book.start())[0]?.text.slice(31_990)).toBe('xxxxxxxxxx\n[… cut at 32,000 characters …]');
  await book.forPaths(Array.from({ length: 120 }, (_, at) => `f${at}/a`));
  expect(book.activated.length).toBe(100);
});

const turn = { turn: 1, turnsLeft: 9, calls: [], results: [] };

test('new instructions are reported once, again after a summary, but not if just read', async () => {
  const { book } = open(
    treeOf({
      'AGENTS.md': 'Top.',
      'api/AGENTS.md': 'Api.',
      'web/AGENTS.md': 'Web.',
      'db/AGENTS.md': 'Data.',
    }),
    { startPaths: async () => ['web/a.css'] },
  );
  const play = newTouchedFiles();
  const note = instructionReminder(
    book,
    play,
    () => book.start(),
    (path) => path.replace('/tree/', ''),
  );
  const after = (...paths: string[]) => {
    play.add({ what: '', paths: paths.map((path) => ({ path, access: 'read' })) });
    return note(turn);
  };
  expect(await note(turn)).toBeNull();
  expect(await after('web/b.css', 'db/AGENTS.md')).toBeNull();
  expect(await after('/tree/api/a.ts')).toBe(
    'Instructions of this repository for api/ (api/AGENTS.md):\nApi.',
  );
  expect(await after('api/b.ts', 'db/x.sql')).toBeNull();
  const record = play.recording(() => undefined);
  record({
    type: 'compaction',
    before_tokens: 9,
    after_tokens: 5,
    note: 'Old results that words replaced: 1.',
  });
  expect(await after('api/b.ts')).toBeNull();
  record({ type: 'compaction', before_tokens: 9, after_tokens: 1, note: 'Summarised.', kept: 'A note.' });
  expect(await after('api/b.ts', 'web/a.css')).toContain('(api/AGENTS.md):\nApi.');
});

test('a file that a command changed counts as touched', () => {
  const play = newTouchedFiles();
  const seen: string[] = [];
  const record = play.recording((entry) => seen.push(entry.type));
  const change = { path: 'api/a.ts', kind: 'edited', tool: 'bash', call_id: 'c' } as never;
  record({ type: 'change', change });
  record({ type: 'turn.started', turn: 1 });
  expect([seen, play.take(), play.take()]).toEqual([['change', 'turn.started'], ['api/a.ts'], []]);
});

test('a reminder and a run have limits, and instructions beyond them are only named', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const { book } = open(
    treeOf(Object.fromEntries(names.map((name) => [`${name}/AGENTS.md`, name.repeat(15_000)]))),
  );
  const play = newTouchedFiles();
  const note = instructionReminder(
    book,
    play,
    async () => [],
    (path) => path,
  );
  const reply: number[] = [];
  for (const name of names) {
    play.add({ what: '', paths: [{ path: `${name}/x`, access: 'write' }] });
    reply.push((await note(turn))?.length ?? 0);
  }
  expect(reply.map((length) => length > 15_000)).toEqual([true, true, true, true, true, true, false, false]);
  play.add({ what: '', paths: [{ path: 'i/x', access: 'write' }] });
  expect(await note(turn)).toBeNull();
});
