import { execFile } from 'node:child_process';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  type AttestationVerdict,
  type CommitFacts,
  isBundle,
  readAttestation,
  type TrustedSigners,
  verifyCommit,
} from '../evidence/verify-commit.ts';
import { findCheckout } from './find-checkout.ts';
import type { CommandContext } from './local-run.ts';
import { logLine } from './log-line.ts';
import { parseArguments, usageError } from './parse-arguments.ts';
import { recordOf } from './run-record.ts';

const options = {
  cwd: { type: 'string' },
  key: { type: 'string' },
  identity: { type: 'string' },
  issuer: { type: 'string' },
  repository: { type: 'string' },
  'trusted-root': { type: 'string' },
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
  const file = await readFile(subject, 'utf8').catch(() => null);
  const trust = (text: string) => trustedFor(text, values, context);
  const verdict =
    file === null
      ? await verifyInCheckout(subject, trust, values.cwd as string | undefined)
      : readAttestation(file, await trust(file));
  if (values.json === true) context.write(`${JSON.stringify(verdict, null, 2)}\n`);
  else context.write(`${[...describe(verdict), ...verdict.problems].map(logLine).join('\n')}\n`);
  return verdict.problems.length === 0 ? 0 : 1;
}

type Values = Readonly<Partial<Record<keyof typeof options, unknown>>>;

/** Reads whom to believe: keys for an envelope, identities for a signature without a key. */
async function trustedFor(text: string, values: Values, context: CommandContext): Promise<TrustedSigners> {
  if (!isBundle(text))
    return { publicKeys: await publicKeys(values.key as string | undefined, context), openBundle: null };
  const { openerFor } = await import('../pipeline/agent-commits/trusted-signers.ts');
  const repository =
    (values.repository as string | undefined) ?? (await originOf(values.cwd as string | undefined));
  if (repository === null)
    throw usageError(
      'verify',
      'it needs the repository whose jobs may sign: --repository https://github.com/OWNER/NAME.',
    );
  const identity =
    (values.identity as string | undefined) ?? `${repository}/.github/workflows/*@refs/heads/*`;
  const issuer = values.issuer as string | undefined;
  const root = (values['trusted-root'] as string | undefined) ?? context.environment.ANODE_TRUSTED_ROOT;
  const openBundle = await openerFor(
    { identities: [identity], issuer, repository },
    { ANODE_TRUSTED_ROOT: root },
  );
  return { publicKeys: [], openBundle };
}

/** Returns the address of the repository that the checkout was cloned from; null without one. */
async function originOf(cwd: string | undefined): Promise<string | null> {
  const { root } = await findCheckout('verify', cwd);
  const remote = (await git(['remote', 'get-url', 'origin'], root))?.trim() ?? '';
  const [, scheme = 'https:', host, name] =
    /^(?:(https?:)\/\/|ssh:\/\/)?(?:[^/@]+@)?([^/@]+?)[/:]((?:[^/:]+\/)[^/:]+?)(?:\.git)?\/?$/.exec(remote) ??
    [];
  return host === undefined ? null : `${scheme}//${host}/${name}`;
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
  trust: (text: string) => Promise<TrustedSigners>,
  cwd: string | undefined,
): Promise<AttestationVerdict> {
  const { root, hasRepository } = await findCheckout('verify', cwd);
  if (!hasRepository)
    throw usageError('verify', `${subject} is no file, and ${root} is in no git repository.`);
  const commit = await readCommit(subject, root);
  if (commit === null) {
    const isRun = /^[\w-]+$/.test(subject) && recordOf(subject, root) !== null;
    const hint = isRun ? ` It is a run: anode harness verify ${subject}` : '';
    throw usageError('verify', `${subject} is no file, and no commit of ${root}.${hint}`);
  }
  const note = await git(['notes', '--ref', 'anode', 'show', commit.sha], root);
  if (note !== null) return verifyCommit(commit, note, await trust(note));
  const verdict = verifyCommit(commit, note, { publicKeys: [], openBundle: null });
  const remedy = 'Fetch the attestations first: git fetch origin refs/notes/anode:refs/notes/anode';
  return { ...verdict, problems: [...verdict.problems, remedy] };
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
function describe({ statement, signer }: AttestationVerdict): string[] {
  if (statement === null) return [];
  const { run, requester, parent, model, ledger, approvals, proofs } = statement.predicate;
  return [
    `Signed by ${signer}`,
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
