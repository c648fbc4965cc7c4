import { expect, test } from 'vitest';
import type { Config } from '../../../src/config/schema.ts';
import { decideEditChecks } from '../../../src/run/policy/decide-edit-checks.ts';

const free = { config: {}, preset: 'careful', readOnly: false, sandboxed: true, path: '/usr/bin' } as const;
type Run = Parameters<typeof decideEditChecks>[0];

/** verify, format and programs, as letters; `-` for what is not done. */
function decided(run: Partial<Run>, config: Config = {}): string {
  const { verify, format, programs } = decideEditChecks({ ...free, ...run, config });
  return [verify ? 'v' : '-', format ? 'f' : '-', programs ? 'p' : '-'].join('');
}
const rule = (action: 'allow' | 'ask' | 'reject', matches?: { command: string }): Config => ({
  permissions: { rules: [{ tool: 'bash', action, ...(matches === undefined ? {} : { matches }) }] },
});
const formatting: Config = { tools: { formatOnEdit: true } };

const table: readonly (readonly [what: string, expected: string, run: Partial<Run>, config: Config])[] = [
  ['a run in a sandbox', 'v-p', {}, {}],
  ['with formatting', 'vfp', {}, formatting],
  ['the preset unrestricted', 'v-p', { preset: 'unrestricted' }, {}],
  ['the preset strict', 'v--', { preset: 'strict' }, formatting],
  ['a read-only run', 'v--', { readOnly: true }, formatting],
  ['no sandbox', 'v--', { sandboxed: false }, formatting],
  ['no sandbox, and no limits', 'v--', { sandboxed: false, preset: 'unrestricted' }, {}],
  ['checks switched off', '--p', {}, { tools: { verifyEdits: false } }],
  ['bash not offered', 'v--', {}, { tools: { disabled: ['ba*'] } }],
  ['bash not offered by another name', 'v--', {}, { tools: { disabled: ['shell'] } }],
  ['another tool not offered', 'v-p', {}, { tools: { disabled: ['grep'] } }],
  ['a rule against all commands', 'v--', {}, rule('reject')],
  ['a rule that asks about all commands', 'v--', {}, rule('ask', { command: '*' })],
  ['a rule against one command', 'v-p', {}, rule('reject', { command: 'git push*' })],
  ['a rule for all commands', 'v-p', {}, rule('allow', { command: '*' })],
  ['a rule whose pattern is none', 'v--', {}, rule('reject', { command: '/(/' })],
  ['a rule for all commands under strict', 'v--', { preset: 'strict' }, rule('allow', { command: '*' })],
];

test.each(table)('%s', (_what, expected, run, config) => {
  expect(decided(run, config)).toBe(expected);
});

test('programs are searched for only in absolute folders of PATH', () => {
  expect([
    decideEditChecks({ ...free, path: '/a:bin::./x:/b' }).programFolders,
    decideEditChecks({ ...free, path: undefined }).programFolders,
  ]).toEqual([['/a', '/b'], []]);
});
