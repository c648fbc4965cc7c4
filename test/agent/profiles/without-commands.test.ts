import { expect, test } from 'vitest';
import { findProfile, makeProfiles } from '../../../src/agent/profiles/profiles.ts';
import { selectTools } from '../../../src/agent/profiles/select-tools.ts';
import { noCommands, withoutCommands } from '../../../src/agent/profiles/tool-filters.ts';
import { makeToolSet } from '../../../src/agent/profiles/tool-set.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';

const startsPrograms = ['bash', 'shell_session', 'init_experiment', 'run_experiment', 'log_experiment'];

test('a run without programs lacks the tools that start them, whatever its profile allows, and no others', () => {
  const all = { ...findProfile('craft'), allow: ['*'] };
  const [before, after] = [all, withoutCommands(all)].map((profile) =>
    selectTools(builtinTools, profile, []).map(({ name }) => name),
  );
  expect(after).toEqual(before?.filter((name) => !startsPrograms.includes(name)));
  expect(before?.filter((name) => startsPrograms.includes(name)).sort()).toEqual([...startsPrograms].sort());
});

test('every built-in tool that runs repository code is among them', () => {
  const known = builtinTools.filter(
    (tool) => tool.startsCommands !== undefined || tool.level === 'confirm_execute',
  );
  expect(known.map(({ name }) => name).filter((name) => !noCommands.deny.includes(name))).toEqual([]);
});

test('calling one by any of its names gives the reason', () => {
  const set = makeToolSet(builtinTools, withoutCommands(makeProfiles().find('craft')), []);
  for (const name of ['bash', 'Bash', 'shell_session', 'run_shell_command'])
    expect([set.find(name), set.absent(name)]).toEqual([undefined, noCommands.why]);
});
