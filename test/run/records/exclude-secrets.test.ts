import { expect, test } from 'vitest';
import type { ChangeSet, FileChange } from '../../../src/contract/change.ts';
import { excludeSecrets } from '../../../src/run/records/exclude-secrets.ts';

/** Changes that add these files, in git's form. */
function adding(files: Readonly<Record<string, string>>): ChangeSet {
  const changed = Object.entries(files).map(([path, text]): FileChange => {
    const lines = text.split('\n').map((line) => `+${line}\n`);
    const diff = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.join('')}`;
    const content = Buffer.from(`${text}\n`).toString('base64');
    return { path, kind: 'add', mode: '100644', old_mode: null, content, binary: false, diff };
  });
  return { base_sha: 'a'.repeat(40), patch: changed.map(({ diff }) => diff).join(''), files: changed };
}

const leftOut = 'was left out: it contains a credential of this run. The other changes are kept.';

/** The result for one file with this text beside another, in a run with this secret. */
function reported(text: string, secret: string): readonly string[] {
  const { changes, notes } = excludeSecrets(adding({ 'a.txt': text, 'b.txt': 'b' }), [secret]);
  const stored = notes.some((note) => note.includes('was left out')) ? ['b.txt'] : ['a.txt', 'b.txt'];
  expect(changes).toEqual(
    stored.length === 2 ? adding({ 'a.txt': text, 'b.txt': 'b' }) : adding({ 'b.txt': 'b' }),
  );
  return notes;
}

test.each([
  ['one that looks random', 'q7Zp2Lr9Xv4Tn8Kd3Wm6Hc5', 'key = "q7Zp2Lr9Xv4Tn8Kd3Wm6Hc5"'],
  ['one in base64', 'q7Zp2Lr9Xv4Tn8Kd3Wm6Hc5', Buffer.from('q7Zp2Lr9Xv4Tn8Kd3Wm6Hc5').toString('base64')],
  ['a short one', 'hunter-42', 'password: hunter-42;'],
  ['a phrase', 'correct horse battery staple', 'The words are "correct horse battery staple".'],
  ['a long word', 'supersecretpasswordofada', 'x=supersecretpasswordofada'],
  ['one with signs of regular expressions', 'a+b(c)*d$1', "'a+b(c)*d$1'"],
  ['one with a space at its end, as a file gave it', 'hunter-42\n', 'hunter-42'],
  ['an address with a password', 'postgres://ada:pw@db/shop', 'url=postgres://ada:pw@db/shop'],
])('a file with a secret of the run is not published: %s', (_, secret, text) => {
  expect(reported(text, secret)).toEqual(expect.arrayContaining([`a.txt ${leftOut}`]));
});

test.each([
  ['the password of a test database', 'postgres', 'user: postgres'],
  ['a name', 'created_at', 'order by created_at'],
  ['a number', '123456', 'limit 123456'],
  ['a path', '/etc/shop/key.json', 'reads /etc/shop/key.json'],
  ['a part of something longer', 'hunter-42', 'see hunter-421 and xhunter-42'],
])('text that can occur for other reasons excludes nothing: %s', (_, secret, text) => {
  expect(reported(text, secret)).toEqual([]);
});

test("text that resembles someone's credential is reported and stays", () => {
  const token = `ghp_${'Ab3'.repeat(12)}`;
  const changes = adding({
    '.env': 'A=b',
    'deploy/id_rsa': 'x',
    'certs/server.pem': 'x',
    'sub/.npmrc': 'registry=x',
    '.env.example': 'A=b',
    'src/client.ts': `const token = '${token}';`,
    'src/key.ts': 'export const key = 1;',
  });
  const look = 'Check it before it is merged.';
  expect(excludeSecrets(changes, [])).toEqual({
    changes,
    notes: [
      `.env is a file that usually holds credentials. ${look}`,
      `deploy/id_rsa is a file that usually holds credentials. ${look}`,
      `certs/server.pem is a file that usually holds credentials. ${look}`,
      `sub/.npmrc is a file that usually holds credentials. ${look}`,
      `src/client.ts: the added text looks like a credential. ${look}`,
    ],
  });
});

test('a deleted file is not reported, and one that contained a secret before may be deleted', () => {
  const [file] = adding({ '.env': 'A=hunter-42' }).files;
  if (file === undefined) throw new Error('There is no file.');
  const diff = file.diff.replace('+A=', '-A=');
  const changes: ChangeSet = {
    base_sha: 'a'.repeat(40),
    patch: diff,
    files: [{ ...file, kind: 'delete', mode: null, old_mode: '100644', content: null, diff }],
  };
  expect(excludeSecrets(changes, ['hunter-42'])).toEqual({ changes, notes: [] });
});
