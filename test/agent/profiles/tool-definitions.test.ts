import { expect, test } from 'vitest';
import { findProfile, makeProfiles, type Profile } from '../../../src/agent/profiles/profiles.ts';
import { toolDefinitionsFor } from '../../../src/agent/profiles/tool-definitions.ts';
import { withoutThread, withToolProfile } from '../../../src/agent/profiles/tool-filters.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';
import { toolDefinition } from '../../../src/tools/registry/json-schema.ts';
import { toolKinds } from '../../../src/tools/registry/tool-kinds.ts';
import { toolSearch } from '../../../src/tools/registry/tool-search.ts';

const reported = async (name: string, disabled: readonly string[] = []) => {
  const definitions = await toolDefinitionsFor(findProfile(name), disabled, async () => builtinTools);
  return definitions.find((definition) => definition.name === 'tool_search')?.description;
};

test("the tool search describes only the run's deferred tools", async () => {
  expect(await reported('review')).toBe(
    'Find more tools: images, charts, other repositories, parallel calls, run files, skills, the thread, earlier runs.',
  );
  expect(await reported('quick')).toBe('Find more tools: line inserts, parallel calls.');
  expect(await reported('craft')).toBe(
    'Find more tools: images, charts, shells that stay, line inserts, other repositories, tasks, parallel calls, run files, skills, second opinions, the thread, earlier runs, handoff, experiments.',
  );
  expect(await reported('study')).toContain('second opinions, agents, the thread');
  expect(await reported('quick', ['batch', 'insert_text'])).toBe('Find more tools.');
});

test('a run that cannot read background output cannot start background commands', async () => {
  const fields = async (profile: Profile) => {
    const definitions = await toolDefinitionsFor(profile, [], async () => builtinTools);
    const { properties = {} } = definitions.find(({ name }) => name === 'bash')?.input_schema ?? {};
    return Object.keys(properties as object);
  };
  const craft = findProfile('craft');
  const all = ['command', 'cwd', 'timeout_ms'];
  expect([
    await fields(craft),
    await fields({ ...craft, deny: ['shell_session'] }),
    await fields(findProfile('quick')),
    await fields(withToolProfile(craft, 'ds4')),
    await fields(withToolProfile(craft, 'full')),
  ]).toEqual([[...all, 'run_in_background'], all, all, all, [...all, 'run_in_background']]);
});

test('a run without a thread has no tools to read one', async () => {
  const [before = '', after = ''] = await Promise.all(
    [findProfile('review'), withoutThread(findProfile('review'))].map(async (profile) => {
      const definitions = await toolDefinitionsFor(profile, [], async () => builtinTools);
      return definitions.find(({ name }) => name === 'tool_search')?.description;
    }),
  );
  expect(before.replace(' the thread,', '')).toBe(after);
});

test('a built program describes the same tools in the same text', async () => {
  const all = makeProfiles().all.flatMap((profile) => [profile, withoutThread(profile)]);
  const advertised = builtinTools.filter((tool) => tool.exposure === undefined);
  const built = {
    definitions: Object.fromEntries(advertised.map((tool) => [tool.name, toolDefinition(tool)])),
    kinds: toolKinds(builtinTools),
  };
  const definitions = (given: typeof built | null) =>
    Promise.all(all.map((one) => toolDefinitionsFor(one, [], async () => builtinTools, { built: given })));
  expect(await definitions(built)).toEqual(await definitions(null));
});

test("a profile's filter is compiled once for all tool definitions", async () => {
  let read = 0;
  const craft = findProfile('craft');
  const profile: Profile = {
    ...craft,
    get deny() {
      read += 1;
      return craft.deny;
    },
  };
  const definitions = await toolDefinitionsFor(profile, [], async () => builtinTools, {
    built: { definitions: { tool_search: toolDefinition(toolSearch) }, kinds: toolKinds(builtinTools) },
  });
  expect([definitions.map(({ name }) => name), read]).toEqual([['tool_search'], 2]);
});
