import { expect, test } from 'vitest';
import { findSecrets } from '../../src/checks/secrets.ts';
import { brief } from './brief.ts';
import { diffOf, type Tree } from './diff-fixture.ts';

const found = async (before: Tree, after: Tree) =>
  (await Promise.all((await diffOf(before, after)).files.map(findSecrets))).flat();

const token = `ghp_${'a1B2c3D4e5'.repeat(3)}abcdef`;
const aws = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYZZZZZZZKEY';
const key = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'MIIEpAIBAAKCAQEA'.repeat(4),
  '-----END RSA PRIVATE KEY-----',
];

test('credentials on added lines are found by their formats and by secretlint, and never repeated', async () => {
  const findings = await found(
    { 'old.env': `TOKEN=${token}\n` },
    {
      'old.env': `TOKEN=${token}\nNAME=x\n`,
      'a.env': `NAME=x\nTOKEN=${token}\nAWS_SECRET_ACCESS_KEY=${aws}\n`,
      'key.pem': `${key.join('\n')}\n`,
      'url.ts': "connect('postgres://shop:kd83hfk2sl@db.example.com/shop');\n",
    },
  );
  expect(brief(findings)).toEqual([
    'a.env:2 critical A credential in the change',
    'a.env:3 critical A credential in the change',
    'key.pem:1-3 critical A credential in the change',
    'url.ts:1 critical A credential in the change',
  ]);
  expect(findings[0]).toEqual({
    path: 'a.env',
    side: 'RIGHT',
    line: 2,
    severity: 'critical',
    category: 'security',
    title: 'A credential in the change',
    body: 'This has the form of a credential (GITHUB_TOKEN). Revoke it: whoever can read this branch has it, and deleting the line does not take it out of the history.',
    check: 'secrets',
  });
  const told = JSON.stringify(findings);
  expect([token, aws, 'kd83hfk2sl'].filter((secret) => told.includes(secret))).toEqual([]);
});

test('a credential deep in one long line is found on its line', async () => {
  const long = `${'x '.repeat(40_000)}${token}${' y'.repeat(40_000)}`;
  expect(brief(await found({}, { 'bundle.js': `a\n${long}\n` }))).toEqual([
    'bundle.js:2 critical A credential in the change',
  ]);
});

test('placeholders, names and hashes are no credentials', async () => {
  const text = [
    'TOKEN=$GITHUB_TOKEN',
    'url: postgres://user:password@localhost/db',
    'const ghp_prefix = "ghp_";',
    `integrity: sha512-${'ab12'.repeat(20)}==`,
    'Authorization: Bearer <token>',
  ].join('\n');
  expect(await found({}, { 'a.md': `${text}\n` })).toEqual([]);
});
