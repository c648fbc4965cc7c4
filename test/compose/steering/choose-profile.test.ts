import { expect, test } from 'vitest';
import { chooseProfile, modelFor } from '../../../src/compose/steering/choose-profile.ts';

test('a model that was chosen for a run wins over that of its profile, also where the configuration names the same', () => {
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
