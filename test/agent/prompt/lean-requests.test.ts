import { expect, test } from 'vitest';
import { anthropicRequest } from '../../../src/agent/models/anthropic-messages.ts';
import { findProfile, makeProfiles, type Profile } from '../../../src/agent/profiles/profiles.ts';
import { toolDefinitionsFor } from '../../../src/agent/profiles/tool-definitions.ts';
import { withToolProfile } from '../../../src/agent/profiles/tool-filters.ts';
import { systemPrompt } from '../../../src/agent/prompt/system-prompt.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';
import { endpointFor } from '../models/endpoint-fixture.ts';

/** Bytes of a run's first request but for what the repository and the task put into it. */
async function bytesOf(profile: Profile): Promise<number> {
  const request = anthropicRequest(
    {
      system: systemPrompt(profile, 'careful', { approvals: false, sandboxed: true }),
      tools: await toolDefinitionsFor(profile, [], async () => builtinTools),
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'x' }] }],
      effort: profile.effort,
      signal: new AbortController().signal,
    },
    endpointFor('anthropic/claude-sonnet-4-6'),
  );
  return Buffer.byteLength(JSON.stringify(request));
}

/** The leanest of other agents sends 4,400 bytes for three tools; craft has sixteen and the way to all others. */
const bounds: Readonly<Record<string, number>> = {
  craft: 6_800,
  quick: 4_800,
  study: 6_800,
  review: 4_900,
  oracle: 3_900,
  find: 3_700,
  aggman: 2_100,
  ask: 4_200,
  plan: 4_300,
  describe: 4_100,
  triage: 4_100,
};

test.each(makeProfiles().all)('the first request of $name is small', async (profile) => {
  expect(await bytesOf(profile)).toBeLessThanOrEqual(bounds[profile.name] ?? 0);
});

test('suitable tool profiles make a request smaller', async () => {
  const craft = findProfile('craft');
  const bytes = (name: Parameters<typeof withToolProfile>[1]) => bytesOf(withToolProfile(craft, name));
  expect(await bytes('standard')).toBeLessThanOrEqual(6_100);
  expect(await bytes('ds4')).toBeLessThanOrEqual(3_600);
  expect(await bytes('none')).toBeLessThanOrEqual(1_700);
});
