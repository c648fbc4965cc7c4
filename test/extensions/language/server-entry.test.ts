import { expect, test } from 'vitest';
import { declaresPackage } from '../../../src/extensions/language/find-servers.ts';
import { noServer, serverGone } from '../../../src/extensions/language/language-servers.ts';
import { type LanguageServerEntry, languageIdOf } from '../../../src/extensions/language/server-entry.ts';

const languages = { '.ts': 'typescript', 'go.mod': 'go.mod', Gemfile: 'ruby', '.env': 'env' };

test.for([
  ['a.ts', 'typescript'],
  ['src/deep.d/A.TS', 'typescript'],
  ['src/go.mod', 'go.mod'],
  ['Gemfile', 'ruby'],
  ['gemfile', null],
  ['go.mod/a', null],
  ['.ts', 'typescript'],
  ['.TS', null],
  ['a.env', 'env'],
  ['toString', null],
  ['a.b', null],
  ['ts', null],
] as const)('%s is in %s', ([path, language]) => {
  expect(languageIdOf(path, { languages })).toBe(language);
});

const entry = (name: string, more: Partial<LanguageServerEntry> = {}): LanguageServerEntry => ({
  ...{ name, command: [name], languages: { '.toy': 'toy' }, markers: [], runsCheckout: false },
  ...more,
});
const locations = (checkout: boolean) => ({ programFolders: [], checkout });
const hint = 'Use code_search and grep.';

test('a missing server is reported with the reason', () => {
  const reported = (file: string, entries: readonly LanguageServerEntry[], checkout: boolean) => {
    const { kind, message } = noServer(file, { entries, locations: locations(checkout) });
    return `${kind}: ${message}`;
  };
  const held = ', or may not run here because code of the checkout could make it run programs';
  const [safe, unsafe] = [entry('one'), entry('two', { runsCheckout: true })];
  expect([
    reported('a.txt', [safe], true),
    reported('a.toy', [safe], false),
    reported('a.toy', [safe, unsafe], true),
    reported('a.toy', [safe, unsafe], false),
    reported('a.toy', [unsafe], false),
  ]).toEqual([
    `invalid_input: No language server reads a.txt. ${hint}`,
    `unavailable: There is no language server for a.toy: one is not installed. ${hint}`,
    `unavailable: There is no language server for a.toy: one, two are not installed. ${hint}`,
    `unavailable: There is no language server for a.toy: one, two are not installed${held}. ${hint}`,
    `unavailable: There is no language server for a.toy: two is not installed${held}. ${hint}`,
  ]);
});

test('a server that ended too often is reported with the reason, without a second full stop', () => {
  const { kind, message } = serverGone('toy', 'ended with exit code 1...');
  expect([kind, message]).toEqual([
    'unavailable',
    'The language server toy has stopped: it ended with exit code 1. It is not started again in this run; use code_search and grep.',
  ]);
});

test.for([
  ['{"dependencies":{"toy":"7"}}', true],
  ['{"devDependencies":{"toy":"^7.1.0"}}', true],
  ['{"optionalDependencies":{"toy":">=8"}}', true],
  ['{"peerDependencies":{"toy":"7"}}', false],
  ['{"dependencies":{"toy":"6.9.9"}}', false],
  ['{"dependencies":{"toy":"latest"}}', true],
  ['{"dependencies":{"toy":7}}', false],
  ['{"dependencies":{"toys":"7"}}', false],
  ['{"dependencies":[]}', false],
  ['[]', false],
  ['', false],
] as const)('a manifest of %s requires version 7 of it: %s', ([manifest, asks]) => {
  expect(declaresPackage(manifest, entry('toy', { npm: 'toy', since: 7 }))).toBe(asks);
});

test('any version is accepted without a required one, and none if no package has the server', () => {
  const manifest = '{"dependencies":{"toy":"0.1"}}';
  expect([
    declaresPackage(manifest, entry('toy', { npm: 'toy' })),
    declaresPackage(manifest, entry('toy')),
  ]).toEqual([true, false]);
});
