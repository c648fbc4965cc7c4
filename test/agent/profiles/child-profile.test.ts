import { expect, test } from 'vitest';
import { childProfile, mayStart } from '../../../src/agent/profiles/child-profile.ts';
import { findProfile, makeProfiles, type Profile } from '../../../src/agent/profiles/profiles.ts';
import { selectTools } from '../../../src/agent/profiles/select-tools.ts';
import { withToolProfile } from '../../../src/agent/profiles/tool-filters.ts';
import { ToolError } from '../../../src/contract/errors.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';
import type { ChildRequest } from '../../../src/tools/services/children.ts';
import type { Tool } from '../../../src/tools/tool.ts';

const profiles = makeProfiles({
  hidden: { callable: false },
  alone: { allowAsSubagent: false },
  picky: { allowedCallers: ['st*'] },
  short: { maxRounds: 5, maxCallsPerRun: 9, model: 'openai/b' },
});
const request = (more: Partial<ChildRequest> = {}): ChildRequest => ({
  title: 't',
  profile: 'craft',
  prompt: 'p',
  maxTurns: null,
  timeoutMs: null,
  ...more,
});
const tools = { registry: builtinTools, disabled: ['glob'] };

function childOf(parent: Profile, more: Partial<ChildRequest> = {}): Profile {
  return childProfile(request(more), parent, profiles, tools);
}
const names = (profile: Profile) =>
  selectTools(builtinTools, profile, tools.disabled).map(({ name }) => name);

/** The message of an error that a function throws for the model. */
function problemOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ToolError) return `${error.kind}: ${error.message}`;
    throw error;
  }
  return 'no problem';
}

test('a child cannot delegate, ask or speak for the run, even if a profile allows it by name', () => {
  const forbidden = ['task', 'oracle', 'code_review', 'ask_user', 'request_permissions', 'workspace.finish'];
  const had = names(findProfile('study'));
  expect(forbidden.filter((name) => !had.includes(name))).toEqual([]);
  const child = names(
    childOf(findProfile('study'), { profile: 'study', toolsAllowed: ['read', 'bash', ...forbidden] }),
  );
  expect(child).toEqual(['read', 'bash']);
  expect(
    names(childOf(findProfile('study'), { profile: 'study' })).filter((name) =>
      /agent|task_c|send_i/.test(name),
    ),
  ).toEqual([]);
});

test('tools can be allowed by any of their names and by globs', () => {
  expect(
    names(childOf(findProfile('craft'), { toolsAllowed: ['Read', 'read_many_files', 'edit_*'] })),
  ).toEqual(['read', 'multi_read', 'edit_file']);
  expect(problemOf(() => childOf(findProfile('craft'), { toolsAllowed: ['task', 'nothing'] }))).toMatch(
    /^invalid_input: The child would have no tools: .*\. craft has: read, multi_read, /,
  );
});

test("a child is read-only if its parent or the call is, and has only its parent's changing tools", () => {
  const review = childOf(findProfile('review'));
  expect([review.readOnly, names(review).includes('bash')]).toEqual([true, false]);
  const reading = childOf(findProfile('craft'), { readOnly: true });
  expect([reading.readOnly, names(reading).includes('edit_file')]).toEqual([true, false]);
  const few: Profile = { ...findProfile('craft'), allow: ['read', 'edit_file', 'task'], deny: ['grep'] };
  const child = names(childOf(few));
  expect(
    ['read', 'edit_file', 'code_search', 'grep', 'bash', 'create_file'].filter((name) =>
      child.includes(name),
    ),
  ).toEqual(['read', 'edit_file', 'code_search']);
});

test('a child cannot delegate or call external tools if its parent cannot', () => {
  const [read] = builtinTools;
  if (read === undefined) throw new TypeError('there are no tools');
  const provided: Tool = { ...read, name: 'mcp__wiki__search', aliases: {} };
  const registry = [...builtinTools, provided];
  const had = (parent: Profile) => {
    const child = childProfile(request(), parent, profiles, { registry, disabled: [] });
    return selectTools(registry, child, [])
      .map(({ name }) => name)
      .filter((name) => name === 'handoff' || name === provided.name);
  };
  expect(had(findProfile('craft'))).toEqual(['handoff', 'mcp__wiki__search']);
  expect(had({ ...findProfile('craft'), allow: ['read', 'task'] })).toEqual([]);
  expect(had({ ...findProfile('review'), allow: ['read', 'task', 'mcp__wiki__*'] })).toEqual([
    'mcp__wiki__search',
  ]);
});

test('a child stays within the tool profile of the run', () => {
  expect(names(childOf(withToolProfile(findProfile('craft'), 'ds4')))).toEqual([
    'read',
    'grep',
    'bash',
    'edit_file',
    'create_file',
  ]);
});

test('turns and calls are as requested, limited by profile and configuration, or by 40 turns if extensible', () => {
  const limits = (more: Partial<ChildRequest>) => {
    const { maxTurns, maxCallsPerRun, model, effort } = childOf(findProfile('craft'), more);
    return { maxTurns, maxCallsPerRun, model, effort };
  };
  expect([
    limits({}),
    limits({ maxTurns: 60, maxToolCalls: 180, effort: 6, model: 'a/b' }),
    limits({ maxTurns: 60, mayExtend: true, callsPerTurn: 3 }),
    limits({ profile: 'study', callsPerTurn: 3 }),
    limits({ profile: 'short', maxTurns: 30, maxToolCalls: 90 }),
    limits({ profile: 'quick', maxTurns: 2, maxToolCalls: 6 }),
  ]).toEqual([
    { maxTurns: 20, maxCallsPerRun: null, model: null, effort: 3 },
    { maxTurns: 20, maxCallsPerRun: 180, model: 'a/b', effort: 6 },
    { maxTurns: 40, maxCallsPerRun: 120, model: null, effort: 3 },
    { maxTurns: 40, maxCallsPerRun: 120, model: null, effort: 4 },
    { maxTurns: 5, maxCallsPerRun: 9, model: 'openai/b', effort: 3 },
    { maxTurns: 2, maxCallsPerRun: 6, model: null, effort: 2 },
  ]);
});

test('only callable profiles for children that accept the caller can be started', () => {
  const craft = findProfile('craft');
  const others = profiles.all.filter((one) => mayStart(craft, one)).map(({ name }) => name);
  expect(others).toEqual(['craft', 'quick', 'study', 'review', 'oracle', 'find', 'aggman', 'short']);
  expect(childOf(findProfile('study'), { profile: 'picky' }).name).toBe('picky');
  expect(problemOf(() => childOf(craft, { profile: 'picky' }))).toBe(
    `refused: A run of craft may not start a child of picky. It may start: ${others.join(', ')}.`,
  );
  expect(problemOf(() => childOf(craft, { profile: 'hidden' }))).toMatch(/^refused: /);
  expect(problemOf(() => childOf(craft, { profile: 'alone' }))).toMatch(/^refused: /);
  expect(problemOf(() => childOf(craft, { profile: 'stady' }))).toBe(
    'invalid_input: There is no profile "stady". Did you mean study?',
  );
});
