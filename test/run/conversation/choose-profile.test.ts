import { expect, test } from 'vitest';
import { hasTool } from '../../../src/agent/profiles/tool-filters.ts';
import type { Chat } from '../../../src/contract/thread.ts';
import { chooseProfile, modelFor } from '../../../src/run/conversation/choose-profile.ts';

test('a model chosen for a run takes precedence over that of its profile, even if the configuration names the same', () => {
  const config = { model: 'a/all', profiles: { review: { model: 'a/strong' } } };
  const modelOf = (name: string, model: string | null) =>
    modelFor(chooseProfile({ profile: name, config, environment: {} }).profile, { model });
  expect([
    modelOf('review', 'a/all'),
    modelOf('review', 'a/other'),
    modelOf('review', null),
    modelOf('craft', 'a/other'),
    modelOf('craft', null),
  ]).toEqual(['a/all', 'a/other', 'a/strong', 'a/other', null]);
});

test('an unknown profile is refused, also where the work has a profile of its own', () => {
  const choose = (profile: string, configured: string) =>
    chooseProfile({ profile, config: { profile: configured }, environment: {} }).profile.name;
  expect(choose('review', 'craft')).toBe('review');
  for (const [profile, configured] of [
    ['reveiw', 'craft'],
    ['review', 'reveiw'],
  ] as const)
    expect(() => choose(profile, configured)).toThrow('There is no profile "reveiw". Did you mean review?');
});

test('only a run with a thread, and its children, have the tools that read a thread', () => {
  const chat: Chat = [{ index: 0, text: 'T', role: 'user', author: 'ada', kind: 'description', at: '' }];
  const reads = (plan: Partial<Parameters<typeof chooseProfile>[0]>) => {
    const { profile } = chooseProfile({ profile: 'review', config: {}, environment: {}, ...plan });
    return hasTool(profile)('chat.search');
  };
  expect([reads({ plan: { chat } }), reads({ plan: {} }), reads({})]).toEqual([true, false, false]);
});
