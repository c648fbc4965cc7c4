import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { findProfile, type Profile } from '../../../src/agent/profiles/profiles.ts';
import { toolDefinitionsFor } from '../../../src/agent/profiles/tool-definitions.ts';
import { withToolProfile } from '../../../src/agent/profiles/tool-filters.ts';
import { makeToolSet } from '../../../src/agent/profiles/tool-set.ts';
import { externalToolsReminder } from '../../../src/agent/reminders/external-tools-reminder.ts';
import type { FinishedTurn } from '../../../src/agent/reminders/turn-reminders.ts';
import type { Level } from '../../../src/contract/levels.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';
import { defineTool, type Tool } from '../../../src/tools/tool.ts';

const toolNamed = (name: string, description = 'Does it.', level: Level = 'confirm_execute'): Tool =>
  defineTool({
    name,
    description,
    exposure: 'deferred',
    input: z.object({}),
    level,
    readOnly: false,
    targets: () => ({ what: name }),
    execute: async () => ({ content: name }),
  });

/** Tools that arrive during a run. */
function coming(first: readonly Tool[] = []) {
  const loaded = Promise.withResolvers<void>();
  let tools = first;
  const problems: string[] = [];
  return {
    current: () => tools,
    problems: () => [...problems],
    fail: (...found: readonly string[]) => void problems.push(...found),
    loaded: loaded.promise,
    close: async () => undefined,
    /** Brings others; `done` says that all have loaded. */
    bring(next: readonly Tool[], done = true) {
      tools = next;
      if (done) loaded.resolve();
    },
  };
}

const turn: FinishedTurn = { turn: 1, turnsLeft: 5, calls: [], results: [] };
const builtin = async () => builtinTools;
const craft = { builtin, profile: findProfile('craft'), disabled: ['tb__off'] };

describe('reminders of extension tools', () => {
  test('list permitted tools in the first message, and later each new, removed or changed one', async () => {
    const external = coming();
    const note = externalToolsReminder(external, craft);
    external.bring([
      toolNamed('tb__test', 'Runs\n  the tests. And more words\u200b.'),
      toolNamed('tb__off'),
      toolNamed('tb__long', 'x'.repeat(400)),
    ]);
    const first = await note.first(60_000);
    const still = await note.later(turn);
    external.bring([toolNamed('tb__test'), toolNamed('mcp__shop__find', 'Finds.')]);
    expect([first, still, await note.later(turn), await note.later(turn)]).toEqual([
      [
        'Tools of this project, found by tool_search and called by use_tool:',
        'tb__test: Runs the tests.',
        `tb__long: ${'x'.repeat(119)}…`,
      ].join('\n'),
      null,
      [
        'More tools are there now, called by use_tool:',
        'mcp__shop__find: Finds.',
        'Other than before, in what they do or take (tool_search shows it):',
        'tb__test: Does it.',
        'No more there: tb__long.',
      ].join('\n'),
      null,
    ]);
  });

  test('list tools that failed to load once, within 1 KB', async () => {
    const external = coming();
    const note = externalToolsReminder(external, craft);
    external.fail('The MCP server gone could not be\nloaded: it\u200b said no.');
    external.bring([]);
    const first = await note.first(60_000);
    const still = await note.later(turn);
    external.fail(...Array.from({ length: 5 }, (_, index) => `${index} ${'x'.repeat(400)}`));
    const line = (index: number) => `${index} ${'x'.repeat(297)}…`;
    expect([first, still, await note.later(turn), await note.later(turn)]).toEqual([
      'Not there:\nThe MCP server gone could not be loaded: it said no.',
      null,
      ['Not there:', line(0), line(1), line(2), '[… 2 more such faults, in the report …]'].join('\n'),
      null,
    ]);
  });

  test('list only failures if every request has the definitions of the others', async () => {
    const external = coming();
    const plain = { ...craft, profile: { ...findProfile('craft'), deny: ['tool_search'] } };
    const note = externalToolsReminder(external, plain);
    external.fail('The MCP server gone said no.');
    external.bring([toolNamed('tb__test')]);
    const first = await note.first(60_000);
    const still = await note.later(turn);
    external.fail('The MCP server late said no.');
    expect([first, still, await note.later(turn), await note.later(turn)]).toEqual([
      'Not there:\nThe MCP server gone said no.',
      null,
      'Not there:\nThe MCP server late said no.',
      null,
    ]);
  });

  test('do not wait for slow ones', async () => {
    const external = coming();
    const note = externalToolsReminder(external, craft);
    const first = await note.first(1);
    external.bring([toolNamed('tb__late')]);
    expect([first, await note.later(turn)]).toEqual([
      null,
      'More tools are there now, called by use_tool:\ntb__late: Does it.',
    ]);
  });

  test('do not call tools new that a resumed session may already know', async () => {
    const external = coming();
    const note = externalToolsReminder(external, craft);
    external.bring([toolNamed('tb__one')]);
    const goesOn = await note.later(turn);
    external.bring([toolNamed('tb__one'), toolNamed('tb__two')]);
    expect([goesOn, await note.later(turn)]).toEqual([
      'Tools of this project as they are since the run goes on, called by use_tool:\ntb__one: Does it.',
      'More tools are there now, called by use_tool:\ntb__two: Does it.',
    ]);
  });

  test('stay within 2 KB: names only, then a count', async () => {
    const external = coming();
    const tools = (count: number) =>
      Array.from({ length: count }, (_, index) => toolNamed(`tb__number_${index}`));
    external.bring(tools(100));
    const names = await externalToolsReminder(external, craft).first(1);
    external.bring(tools(250));
    const cut = await externalToolsReminder(external, craft).first(1);
    expect([
      names?.split('\n').length,
      names?.endsWith('tb__number_99'),
      cut?.split('\n').at(-1),
      Buffer.byteLength(cut ?? ''),
    ]).toEqual([
      2,
      true,
      expect.stringMatching(/^\[… \d+ more, which tool_search finds …\]$/),
      expect.toSatisfy((bytes: number) => bytes <= 2_048),
    ]);
  });

  test('list only permitted tools in a read-only run, and none if every request defines them', async () => {
    const external = coming();
    external.bring([toolNamed('tb__write'), toolNamed('tb__look', 'Looks.', 'auto_read')]);
    const review = { ...craft, profile: findProfile('review') };
    const plain = { ...craft, profile: { ...findProfile('craft'), deny: ['tool_search'] } };
    expect([
      await externalToolsReminder(external, review).first(1),
      await externalToolsReminder(external, plain).first(1),
    ]).toEqual([
      'Tools of this project, found by tool_search and called by use_tool:\ntb__look: Looks.',
      null,
    ]);
  });
});

test('include late tools, wait only for a call that may need one, and drop removed ones', async () => {
  const external = coming();
  const set = makeToolSet(builtinTools, findProfile('craft'), [], { external });
  const known = set.ready(['read', 'bash']).then(() => 'at once');
  let waiting = 4;
  const waits = ['tb__test', 'use_tool', 'tool_search', 'batch'].map(async (name) => {
    await set.ready(['read', name]);
    waiting -= 1;
  });
  const before = [await known, waiting, set.find('tb__test')];
  external.bring([toolNamed('tb__test')]);
  await Promise.all(waits);
  const after = [set.find('TB__test')?.tool.name, set.tools.at(-1)?.name];
  external.bring([]);
  expect([before, after, set.find('tb__test')]).toEqual([
    ['at once', 4, undefined],
    ['tb__test', 'tb__test'],
    undefined,
  ]);
});

test('list all if a run has no tool search, and its first request waits for them', async () => {
  const external = coming();
  const full = withToolProfile(findProfile('craft'), 'full');
  const advertised = async (profile: Profile) =>
    (await toolDefinitionsFor(profile, ['tb__off'], builtin, { external }))
      .map(({ name }) => name)
      .filter((name) => name.includes('__'));
  const [usual, whole] = [advertised(findProfile('craft')), advertised(full)];
  external.bring([toolNamed('tb__test'), toolNamed('tb__off'), toolNamed('mcp__shop__find')]);
  expect([await usual, await whole]).toEqual([[], ['tb__test', 'mcp__shop__find']]);
});
