import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { verifyCommand } from '../src/command-line/verify-command.ts';
import { Envelope, Statement } from '../src/contract/attestation.ts';
import { handleEvent } from '../src/pipeline/worker.ts';
import {
  attempt,
  entryContext,
  folder,
  github,
  login,
  newestComment,
  startWorkerEdges,
} from './support/worker-fixture.ts';

const check = { name: 'bash', input: { command: 'grep -q blue colour.txt' } };
startWorkerEdges(({ messages }) => {
  const edit = { name: 'edit_file', input: { path: 'colour.txt', old_str: 'red', new_str: 'blue' } };
  const calls = [[check], [edit], [check]][(messages.length - 1) / 2];
  return calls === undefined ? { text: 'It is blue.' } : { calls };
});

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const pem = {
  own: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  public: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  other: generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(),
};

/** A pull request that a run with a signing key changed, and a clone with the attestations. */
async function attested(name: string) {
  const repository = await github.createRepository(name, { files: { 'colour.txt': 'red\n' } });
  repository.setPermission('ada', 'write');
  await repository.commit('work', { files: { 'a.txt': 'one\n' }, message: 'One', author: 'ada' });
  const { number } = await repository.openPullRequest({ title: 'One', head: 'work', author: 'ada' });
  repository.comment(number, { author: 'ada', body: '@anode paint it' });
  const context = entryContext();
  const environment = { ...context.environment, ANODE_SIGNING_KEY: pem.own };
  await handleEvent(newestComment(name), attempt(1), { ...context, environment });
  const clone = await mkdtemp(path.join(folder, 'clone-'));
  const git = async (...args: string[]) => (await promisify(execFile)('git', args, { cwd: clone })).stdout;
  const from = repository.cloneUrl.replace('//', `//x:${github.createToken({ actor: 'ada' })}@`);
  await git('clone', '--quiet', '--branch', 'work', from, '.');
  await git('fetch', '--quiet', 'origin', 'refs/notes/anode:refs/notes/anode');
  return { repository, number, clone, git };
}

/** Runs `anode verify` with a public key. */
async function verify(clone: string, subject: string, key = pem.public) {
  const file = path.join(clone, '.git', 'key.pem');
  await writeFile(file, key);
  let printed = '';
  const code = await verifyCommand([subject, '--cwd', clone, '--key', file], {
    environment: {},
    write: (text: string) => {
      printed += text;
    },
  } as never);
  return { code, lines: printed.trimEnd().split('\n') };
}

test('a commit of a run is attested by the tree, parent, model and proof that it has', async () => {
  const { clone, git, repository, number } = await attested('acme/painted');
  const [note, message] = [
    await git('notes', '--ref', 'anode', 'show', 'HEAD'),
    await git('log', '-1', '--format=%B'),
  ];
  const { payload } = Envelope.parse(JSON.parse(note));
  const { subject, predicate } = Statement.parse(JSON.parse(Buffer.from(payload, 'base64').toString()));
  expect({ subject, predicate }).toEqual({
    subject: [
      { name: repository.cloneUrl, digest: { gitTree: (await git('rev-parse', 'HEAD^{tree}')).trim() } },
    ],
    predicate: {
      run: {
        id: expect.stringMatching(/^run_/),
        session: expect.any(String),
        verb: 'task',
        version: expect.any(String),
      },
      requester: 'ada',
      parent: { gitCommit: (await git('rev-parse', 'HEAD^')).trim() },
      base: { ref: 'main', gitCommit: await repository.head('main') },
      model: expect.stringMatching(/^anthropic\//),
      plan_sha256: expect.any(String),
      in_force: expect.any(Object),
      ledger: { entries: expect.any(Number), sha256: expect.any(String) },
      approvals: [],
      proofs: [{ command: check.input.command, before: 1, after: 0 }],
    },
  });
  expect(message).toMatch(/\nAnode-Run: run_\w+\nAnode-Attestation: sha256:[0-9a-f]{64}\n/);
  const report = repository.comments(number).find(({ author }) => author === login)?.body;
  expect(report).not.toContain('attestation');
  const { code, lines } = await verify(clone, 'HEAD');
  expect([code, lines.at(-1)]).toEqual([
    0,
    `Proof: \`${check.input.command}\` failed before (1) and passes after`,
  ]);
});

test('a changed commit, another key, and a commit without attestation do not pass', async () => {
  const { clone, git } = await attested('acme/forged');
  const other = await verify(clone, 'HEAD', pem.other);
  const none = await verify(clone, 'HEAD^');
  const note = await git('notes', '--ref', 'anode', 'show', 'HEAD');
  await writeFile(path.join(clone, 'colour.txt'), 'green\n');
  await git(
    '-c',
    'user.name=eve',
    '-c',
    'user.email=eve@example.com',
    'commit',
    '--quiet',
    '--all',
    '--amend',
    '--no-edit',
  );
  await writeFile(path.join(clone, '.git', 'note'), note);
  await git(
    '-c',
    'user.name=eve',
    '-c',
    'user.email=eve@example.com',
    'notes',
    '--ref',
    'anode',
    'add',
    '-F',
    '.git/note',
    'HEAD',
  );
  const forged = await verify(clone, 'HEAD');
  expect([other, none.code, none.lines[0], forged.code, forged.lines.at(-1)]).toEqual([
    { code: 1, lines: ['None of the given keys signed the attestation.'] },
    1,
    'It has no attestation.',
    1,
    expect.stringMatching(
      /^Its files are not the attested ones: tree [0-9a-f]{12}, attested [0-9a-f]{12}\.$/,
    ),
  ]);
  expect(await readFile(path.join(clone, 'colour.txt'), 'utf8')).toBe('green\n');
});

test('a key that is no Ed25519 key is refused before the model is asked', async () => {
  const repository = await github.createRepository('acme/badkey', { files: { 'colour.txt': 'red\n' } });
  repository.setPermission('ada', 'write');
  await repository.openIssue({ title: 'Paint', author: 'ada' });
  repository.comment(1, { author: 'ada', body: '@anode paint it' });
  const context = entryContext();
  const environment = { ...context.environment, ANODE_SIGNING_KEY: 'no key' };
  await handleEvent(newestComment('acme/badkey'), attempt(3), { ...context, environment });
  const said = repository.comments(1).find(({ author }) => author === login)?.body;
  expect(said).toContain('ANODE_SIGNING_KEY is set, but to no Ed25519 private key.');
});
