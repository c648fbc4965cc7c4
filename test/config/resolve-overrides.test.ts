import { expect, test } from 'vitest';
import { resolveOverrides } from '../../src/config/resolve-overrides.ts';
import type { Config } from '../../src/config/schema.ts';

const preset = (word: string): Config => ({ permissions: { preset: word } });

test.each<[input: string | null, file: string | null, left: Config, note: string | null]>([
  [null, null, {}, null],
  [null, 'strict', {}, null],
  [null, 'yolo', {}, null],
  ['careful', null, preset('careful'), null],
  ['careful', 'careful', preset('careful'), null],
  ['unrestricted', 'yolo', preset('unrestricted'), null],
  [
    'careful',
    'strict',
    {},
    'strict applies, as the configuration says; it is stricter than the input preset: careful.',
  ],
  [
    'yolo',
    'strict',
    {},
    'strict applies, as the configuration says; it is stricter than the input preset: unrestricted.',
  ],
  [
    'unrestricted',
    'careful',
    {},
    'careful applies, as the configuration says; it is stricter than the input preset: unrestricted.',
  ],
  [
    'strict',
    'careful',
    preset('strict'),
    "strict applies, as the input preset says; it is stricter than the configuration's careful.",
  ],
  [
    'careful',
    'yolo',
    preset('careful'),
    "careful applies, as the input preset says; it is stricter than the configuration's unrestricted.",
  ],
])('of the presets %s (input) and %s (file) the stricter applies', (input, file, overrides, note) => {
  const settled = resolveOverrides(input === null ? {} : preset(input), file === null ? {} : preset(file));
  expect(settled).toEqual({ overrides, notes: note === null ? [] : [`permissions.preset: ${note}`] });
});

test.each<[input: Config['sandbox'], file: Config['sandbox'], left: Config, note: string | null]>([
  [
    'off',
    'required',
    {},
    'required applies, as the configuration says; it is stricter than the input sandbox: off.',
  ],
  [
    'off',
    'preferred',
    {},
    'preferred applies, as the configuration says; it is stricter than the input sandbox: off.',
  ],
  [
    'preferred',
    'required',
    {},
    'required applies, as the configuration says; it is stricter than the input sandbox: preferred.',
  ],
  ['preferred', 'preferred', { sandbox: 'preferred' }, null],
  [
    'required',
    'off',
    { sandbox: 'required' },
    "required applies, as the input sandbox says; it is stricter than the configuration's off.",
  ],
  ['required', undefined, { sandbox: 'required' }, null],
  [undefined, 'off', {}, null],
])('of the sandbox modes %s (input) and %s (file) the stricter applies', (input, file, overrides, note) => {
  const of = (sandbox: Config['sandbox']): Config => (sandbox === undefined ? {} : { sandbox });
  expect(resolveOverrides(of(input), of(file))).toEqual({
    overrides,
    notes: note === null ? [] : [`sandbox: ${note}`],
  });
});

test('every other input takes precedence over the files', () => {
  const inputs: Config = {
    ...{ model: 'a/b', profile: 'review', limits: { maxTurns: 9 }, sandbox: 'off' },
    permissions: { preset: 'careful', onAsk: 'comment' },
  };
  const files: Config = {
    ...{ model: 'c/d', profile: 'craft', limits: { maxTurns: 3 }, sandbox: 'required' },
    permissions: { preset: 'strict', onAsk: 'deny' },
  };
  expect(resolveOverrides(inputs, files).overrides).toEqual({
    ...{ model: 'a/b', profile: 'review', limits: { maxTurns: 9 } },
    permissions: { onAsk: 'comment' },
  });
});
