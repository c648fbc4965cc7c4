import { execFile } from 'node:child_process';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Statement } from '../contract/attestation.ts';
import {
  type AttestationVerdict,
  type CommitFacts,
  readAttestation,
  verifyCommit,
} from '../evidence/verify-commit.ts';
import { findCheckout } from './find-checkout.ts';
import type { CommandContext } from './local-run.ts';
import { logLine } from './log-line.ts';
import { parseArguments, usageError } from './parse-arguments.ts';

const options = {
  cwd: { type: 'string' },
  key: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/**
 * Runs `anode verify FILE|COMMIT`: checks an attestation, or that a commit has one that fits its
 * files. Needs no network: attestations are notes of the repository. Returns the exit code: 1 if
 * something does not fit.
 */
export async function verifyCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('verify', args, options);
  const [subject, ...others] = positionals;
  if (subject === undefined || others.length > 0) throw usageError('verify', 'it takes one file or commit.');
  const keys = await publicKeys(values.key as string | undefined, context);
  const file = await readFile(subject, 'utf8').catch(() => null);
  const verdict =
    file === null
      ? await verifyInCheckout(subject, keys, values.cwd as string | undefined)
      : readAttestation(file, keys);
  if (values.json === true) context.write(`${JSON.stringify(verdict, null, 2)}\n`);
  else context.write(`${[...describe(verdict.statement), ...verdict.problems].map(logLine).join('\n')}\n`);
  return verdict.problems.length === 0 ? 0 : 1;
}

/**
 * Reads the keys to believe: the file of `--key`, else the public half of `ANODE_SIGNING_KEY`.
 */
async function publicKeys(file: string | undefined, { environment }: CommandContext): Promise<KeyObject[]> {
  if (file === undefined) {
    const { signingKey } = await import('../config/signing-key.ts');
    const own = signingKey(environment);
    if (own === null) throw usageError('verify', 'it needs the public key of who signed: --key FILE.');
    return [createPublicKey(own)];
  }
  const pems = (await readFile(file, 'utf8').catch(() => '')).match(pemBlock) ?? [];
  const keys = pems.map(publicKey).filter((key) => key !== null);
  if (keys.length === 0 || keys.length < pems.length)
    throw usageError('verify', `${file} holds no Ed25519 public key as PEM.`);
  return keys;
}

const pemBlock = /-----BEGIN PUBLIC KEY-----[\s\S]*?-----END PUBLIC KEY-----/g;

function publicKey(pem: string): KeyObject | null {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

async function verifyInCheckout(
  subject: string,
  keys: readonly KeyObject[],
  cwd: string | undefined,
): Promise<AttestationVerdict> {
  const { root, hasRepository } = await findCheckout('verify', cwd);
  if (!hasRepository)
    throw usageError('verify', `${subject} is no file, and ${root} is in no git repository.`);
  const commit = await readCommit(subject, root);
  if (commit === null) throw usageError('verify', `${subject} is no file, and no commit of ${root}.`);
  const note = await git(['notes', '--ref', 'anode', 'show', commit.sha], root);
  const verdict = verifyCommit(commit, note, keys);
  const remedy = 'Fetch the attestations first: git fetch origin refs/notes/anode:refs/notes/anode';
  return note === null ? { ...verdict, problems: [...verdict.problems, remedy] } : verdict;
}

/** Returns null where git knows no such commit. */
async function readCommit(name: string, root: string): Promise<CommitFacts | null> {
  const format = '--format=%H%n%T%n%P%n%B';
  const shown = await git(
    ['show', '--no-patch', '--no-show-signature', format, '--end-of-options', `${name}^{commit}`],
    root,
  );
  if (shown === null) return null;
  const [sha = '', tree = '', parents = '', ...message] = shown.split('\n');
  return { sha, tree, parents: parents.split(' ').filter((one) => one !== ''), message: message.join('\n') };
}

async function git(args: readonly string[], cwd: string): Promise<string | null> {
  const options = { cwd, maxBuffer: 16 * 1024 * 1024 };
  return promisify(execFile)('git', [...args], options).then(
    ({ stdout }) => stdout,
    () => null,
  );
}

/** Returns what a statement says, one fact a line. */
function describe(statement: Statement | null): string[] {
  if (statement === null) return [];
  const { run, requester, parent, model, ledger, approvals, proofs } = statement.predicate;
  return [
    `Run ${run.id} (${run.verb}) of Anode CI ${run.version}, ${requester === '' ? 'automated' : `asked by ${requester}`}`,
    `Tree ${statement.subject[0].digest.gitTree} on top of ${parent.gitCommit}`,
    `Model: ${model ?? 'none'}`,
    `Ledger: ${ledger === null ? 'not stored where this was signed' : `${ledger.entries} entries, ends with ${ledger.sha256}`}`,
    ...approvals.map(
      ({ digest, by, approved }) => `Call ${digest} ${approved ? 'approved' : 'denied'} by ${by}`,
    ),
    ...proofs.map(
      ({ command, before }) => `Proof: \`${command}\` failed before (${before}) and passes after`,
    ),
  ];
}
