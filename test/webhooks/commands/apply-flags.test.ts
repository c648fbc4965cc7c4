import { expect, test } from 'vitest';
import { applyFlags } from '../../../src/webhooks/commands/apply-flags.ts';

const config = {
  model: 'anthropic/a',
  models: { allow: ['openai/b'] },
  permissions: { preset: 'strict' },
  limits: { maxCostUsd: 5, maxTurns: 30, timeoutSeconds: 60 },
};

test('flags override the configuration within its limits, and change nothing else', () => {
  expect(
    applyFlags({ budget: 5, turns: 30, model: 'openai/b', effort: 'low', profile: 'study' }, config),
  ).toEqual({
    kind: 'applied',
    effort: 2,
    model: 'openai/b',
    config: { ...config, profile: 'study' },
  });
  expect(applyFlags({ effort: 'max' }, {})).toMatchObject({ kind: 'applied', effort: 6 });
  expect(applyFlags({ budget: 2 }, config)).toMatchObject({
    config: { limits: { maxCostUsd: 2, maxTurns: 30 } },
  });
  expect(applyFlags({}, {})).toEqual({
    kind: 'applied',
    effort: null,
    model: null,
    config: { limits: {} },
  });
  expect(applyFlags({ model: 'anthropic/a' }, config)).toMatchObject({ kind: 'applied' });
});

test.each([
  [{ budget: 5.01 }, config, 'A run may cost $5 at most here (`limits.maxCostUsd`).'],
  [{ turns: 31 }, config, 'A run may take 30 turns at most here (`limits.maxTurns`).'],
  [{ turns: 101 }, {}, 'A run may take 100 turns at most here (`limits.maxTurns`).'],
  [
    { model: 'openai/c' },
    config,
    'That model is not allowed here. Allowed models (`models.allow`): `openai/b`.',
  ],
  [{ model: 'openai/c' }, {}, 'The configuration does not allow choosing a model here (`models.allow`).'],
  [
    { profile: 'review' },
    { profiles: { mine: {}, reviews: { extends: 'review' } } },
    'Profile `review` is not available here. Available profiles: `craft`, `quick`, `study`, `oracle`, `find`, `aggman`, `mine`.',
  ],
])('%j is refused', (flags, given, reason) => {
  expect(applyFlags(flags, given)).toEqual({ kind: 'refused', reason });
});

test('a configured profile can be chosen', () => {
  const given = { profiles: { mine: { extends: 'quick' } } };
  expect(applyFlags({ profile: 'mine' }, given)).toMatchObject({ config: { profile: 'mine' } });
});

test('each flag changes only its own key, also at its limit', () => {
  const applied = (flags: object, given: object = {}) => {
    const found = applyFlags(flags, given);
    return found.kind === 'applied' ? [found.config, found.effort, found.model] : found.reason;
  };
  expect([
    applied({ turns: 100 }),
    applied({ budget: 1_000 }),
    applied({ effort: 'max' }),
    applied({ profile: 'quick' }),
    applied({ model: 'a/b' }, { model: 'a/b' }),
    applied({ model: 'a/c' }, { models: { allow: ['a/b', 'b/c'] } }),
    applied({ profile: 'mine' }, { profiles: { mine: { extends: 'quick' }, ask: {} } }),
    applied({ profile: 'mine' }, { profiles: { mine: { extends: 'ask' } } }),
  ]).toEqual([
    [{ limits: { maxTurns: 100 } }, null, null],
    [{ limits: { maxCostUsd: 1_000 } }, null, null],
    [{ limits: {} }, 6, null],
    [{ profile: 'quick', limits: {} }, null, null],
    [{ model: 'a/b', limits: {} }, null, 'a/b'],
    'That model is not allowed here. Allowed models (`models.allow`): `a/b`, `b/c`.',
    [{ profiles: { mine: { extends: 'quick' }, ask: {} }, profile: 'mine', limits: {} }, null, null],
    'Profile `mine` is not available here. Available profiles: `craft`, `quick`, `study`, `oracle`, `find`, `aggman`.',
  ]);
});
