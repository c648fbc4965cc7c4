import { expect, test } from 'vitest';
import {
  extraTools,
  languageTools,
  remoteAgentTools,
  webTools,
} from '../../../src/agent/profiles/builtin-profiles.ts';
import { builtinProfiles, findProfile, makeProfiles } from '../../../src/agent/profiles/profiles.ts';
import { changes, isAdvertised, selectTools } from '../../../src/agent/profiles/select-tools.ts';
import { isAsBuilt } from '../../../src/agent/profiles/tool-definitions.ts';
import { withoutThread, withToolProfile } from '../../../src/agent/profiles/tool-filters.ts';
import { toolProfileOf } from '../../../src/config/defaults.ts';
import { parseConfig } from '../../../src/config/parse-config.ts';
import { ConfigError } from '../../../src/contract/errors.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';

const profilesOf = (yaml: string) => makeProfiles(parseConfig(yaml, 'anode.yml').profiles);
const names = (profile: ReturnType<typeof findProfile>) =>
  selectTools(builtinTools, profile, []).map(({ name }) => name);

/** The message of an error that a function throws. */
function problemOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no problem';
}

test('the built-in profiles have the documented turns, effort and rights', () => {
  const facts = makeProfiles().all.map(({ name, maxTurns, effort, readOnly, callable }) => [
    name,
    ...[maxTurns, effort, readOnly ? 'reads' : 'writes', callable ? 'callable' : 'own result'],
  ]);
  expect(facts).toEqual([
    ['craft', 20, 3, 'writes', 'callable'],
    ['quick', 10, 2, 'writes', 'callable'],
    ['study', 40, 4, 'writes', 'callable'],
    ['review', 12, 3, 'reads', 'callable'],
    ['oracle', 8, 4, 'reads', 'callable'],
    ['find', 8, 2, 'reads', 'callable'],
    ['aggman', 6, 2, 'reads', 'callable'],
    ['ask', 15, 3, 'reads', 'own result'],
    ['plan', 20, 4, 'reads', 'own result'],
    ['describe', 8, 2, 'reads', 'own result'],
    ['triage', 6, 2, 'reads', 'own result'],
  ]);
  expect(['smart', 'rush', 'deep', 'search'].map((name) => findProfile(name).name)).toEqual([
    'craft',
    'quick',
    'study',
    'find',
  ]);
});

test('every tool in a built-in profile exists, and read-only profiles have no changing tool', () => {
  const sometimes = [...webTools, ...remoteAgentTools, ...extraTools, ...languageTools];
  const known = new Set([...builtinTools.map(({ name }) => name), ...sometimes]);
  for (const profile of builtinProfiles.values()) {
    expect([profile.name, profile.allow.filter((name) => !name.includes('*') && !known.has(name))]).toEqual([
      profile.name,
      [],
    ]);
    if (!profile.readOnly) continue;
    const changing = builtinTools.filter((tool) => profile.allow.includes(tool.name) && changes(tool));
    expect([profile.name, changing.map(({ name }) => name)]).toEqual([profile.name, []]);
  }
});

test('a configured profile is a built-in one with its own values on top', () => {
  const { find, all } = profilesOf(`
profiles:
  careful-fix:
    extends: rush
    description: Small fixes
    instructions: Always run the tests.
    deny: [bash]
    model: openai/b
    effort: max
    maxRounds: 5
    maxCallsPerRun: 30
    maxCallsPerTool: { 'edit_*': 2 }
    callable: false
    allowedCallers: [study]
    maxDelegations: 1
    maxConcurrentDelegations: 1
  find: { maxRounds: 3 }
`);
  expect(find('careful-fix')).toEqual({
    ...findProfile('quick'),
    name: 'careful-fix',
    description: 'Small fixes',
    instructions: 'Always run the tests.',
    deny: ['bash'],
    model: 'openai/b',
    effort: 6,
    maxTurns: 5,
    mostTurns: 5,
    maxCallsPerRun: 30,
    maxCallsPerTool: { 'edit_*': 2 },
    callable: false,
    allowedCallers: ['study'],
    maxDelegations: 1,
    maxConcurrentDelegations: 1,
  });
  expect(find('search').maxTurns).toBe(3);
  expect(all.map(({ name }) => name).slice(-2)).toEqual(['triage', 'careful-fix']);
});

test('a profile made from a read-only one is read-only too', () => {
  const { find } = profilesOf(`
profiles:
  mine: { extends: review, readOnly: false, allow: ['*'] }
  review: { extends: craft, allow: ['*'] }
  also: { readOnly: true, allow: ['*'], deny: ['code_*'] }
`);
  for (const name of ['mine', 'review', 'also']) {
    const tools = selectTools(builtinTools, find(name), []);
    expect(tools.filter(changes)).toEqual([]);
    expect(tools.map((tool) => tool.name)).toContain('read');
  }
  expect(names(find('also')).filter((name) => name.startsWith('code_'))).toEqual([]);
});

test("denied tools stay denied whatever is allowed, and a glob never matches a child's return tool", () => {
  const craft = findProfile('craft');
  const only = (allow: string[], deny: string[] = []) => names({ ...craft, allow, deny });
  expect(only(['read', 'gl*', 'gr*', 'workspace.*'], ['grep', '*.commit'])).toEqual([
    'read',
    'glob',
    ...['list_files', 'search_files', 'read_file', 'write_file', 'apply_patch', 'finish'].map(
      (name) => `workspace.${name}`,
    ),
  ]);
  expect(only(['*'])).not.toContain('task.return');
});

test.each([
  [
    'profiles: { a: { extends: crft } }',
    'profiles.a.extends: there is no built-in profile "crft"; the nearest is craft.',
  ],
  [
    'profiles: { a: { extends: nothing } }',
    'profiles.a.extends: there is no built-in profile "nothing"; known: craft, ',
  ],
  ['profiles: { a: { maxRound: 3 } }', 'unknown key profiles.a.maxRound. Did you mean profiles.a.maxRounds?'],
  ['profiles: { smart: {} }', 'the name of a profile, and not another name of a built-in one'],
  ['profiles: { A/b: {} }', 'a name of lower-case letters, digits, _ and -'],
  ['profiles: { a: { maxRounds: 0 } }', 'profiles.a.maxRounds: '],
  ['tools: { profile: ful }', 'tools.profile: '],
])('the configuration %j is refused', (yaml, words) => {
  expect(problemOf(() => profilesOf(yaml))).toContain(words);
});

test.each([
  ['studdy', 'There is no profile "studdy". Did you mean study?'],
  ['zzzzzz', 'There is no profile "zzzzzz". Known profiles: craft, quick, study, '],
])('a run with the profile %s is refused', (name, words) => {
  expect(problemOf(() => findProfile(name))).toContain(words);
});

test('a tool profile narrows a profile and never widens it', () => {
  const reported = (name: Parameters<typeof withToolProfile>[1], profile = 'craft') => {
    const narrowed = withToolProfile(findProfile(profile), name);
    const tools = selectTools(builtinTools, narrowed, []);
    const advertised = tools.filter((tool) => isAdvertised(tool, tools));
    return { tools: tools.map((tool) => tool.name), advertised: advertised.map((tool) => tool.name) };
  };
  const craft = reported('coding');
  expect(withToolProfile(findProfile('craft'), 'coding')).toEqual(findProfile('craft'));
  const full = reported('full');
  expect(full.tools).toEqual(craft.tools.filter((name) => !['tool_search', 'use_tool'].includes(name)));
  expect(full.advertised).toEqual(full.tools.filter((name) => name !== 'PATCH'));
  expect(craft.tools.filter((name) => !reported('standard').tools.includes(name))).toEqual([
    'task',
    'code_review',
    'oracle',
  ]);
  expect(reported('ds4').advertised).toEqual(['read', 'glob', 'grep', 'bash', 'edit_file', 'create_file']);
  expect(reported('ds4', 'review').tools).toEqual(['read', 'glob', 'grep', 'report_findings']);
  expect([reported('none').tools, reported('none', 'review').tools]).toEqual([[], ['report_findings']]);
});

test('the environment decides on the tool profile before the configuration', () => {
  expect([
    toolProfileOf({}, {}),
    toolProfileOf({ tools: { profile: 'full' } }, { ANODE_TOOL_PROFILE: '' }),
    toolProfileOf({ tools: { profile: 'full' } }, { ANODE_TOOL_PROFILE: 'ds4' }),
  ]).toEqual(['coding', 'full', 'ds4']);
  expect(problemOf(() => toolProfileOf({}, { ANODE_TOOL_PROFILE: 'dsx' }))).toBe(
    'ANODE_TOOL_PROFILE is "dsx", which is not a tool profile. Did you mean ds4?',
  );
});

test('only unchanged built-in profiles use the tool definitions made by the build', () => {
  const { find, all } = profilesOf(
    'profiles: { craft: { readOnly: true }, study: { maxRounds: 9 }, quick: { deny: [bash] } }',
  );
  const asBuilt = (profile: ReturnType<typeof findProfile>) => isAsBuilt(profile);
  expect(all.filter(asBuilt).map(({ name }) => name)).toEqual([
    ...['study', 'review', 'oracle', 'find'],
    ...['ask', 'plan', 'describe', 'triage'],
  ]);
  expect(asBuilt(withToolProfile(find('review'), 'full'))).toBe(false);
  expect(asBuilt(withoutThread(find('review')))).toBe(true);
  expect(asBuilt({ ...find('review'), effort: 6 })).toBe(true);
});

test('upper case does not let an extension tool pass an exclusion', () => {
  const of = (name: string) => ({ ...builtinTools[0], name }) as (typeof builtinTools)[number];
  const provided = ['mcp__files__read', 'mcp__Files__Delete', 'mcp__files__DELETE'].map(of);
  const { find } = profilesOf('profiles: { study: { deny: [mcp__*__delete] } }');
  const selected = (profile: string, disabled: readonly string[]) =>
    selectTools(provided, find(profile), disabled).map(({ name }) => name);
  expect([selected('study', []), selected('craft', ['mcp__files__delete'])]).toEqual([
    ['mcp__files__read'],
    ['mcp__files__read'],
  ]);
});
