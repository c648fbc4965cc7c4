import { createHash, type KeyObject } from 'node:crypto';
import { Envelope, Statement } from '../contract/attestation.ts';
import { parseJson } from '../contract/json.ts';
import { attestedHash } from './change-statement.ts';
import { openEnvelope } from './dsse.ts';

/** A commit as git has it. */
export interface CommitFacts {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** Result of checking an attestation. */
export interface AttestationVerdict {
  /** The signed statement; null if there is none that could be believed. */
  readonly statement: Statement | null;
  /** Sentences for people. Empty if everything fits. */
  readonly problems: readonly string[];
}

/**
 * Opens an attestation: a signed envelope as JSON. Without a key nothing is believed.
 */
export function readAttestation(text: string, publicKeys: readonly KeyObject[]): AttestationVerdict {
  const { payload, problem } = openText(text, publicKeys);
  if (payload === null) return { statement: null, problems: [problem] };
  const statement = Statement.safeParse(parseJson(payload)).data ?? null;
  return statement === null
    ? { statement, problems: ['The signed text is no statement about a change of Anode.'] }
    : { statement, problems: [] };
}

/**
 * Checks that an attestation is about this commit: the trailer names the signed text, and tree and
 * parent are the attested ones. `text` is null for a commit that has no attestation.
 */
export function verifyCommit(
  commit: CommitFacts,
  text: string | null,
  publicKeys: readonly KeyObject[],
): AttestationVerdict {
  if (text === null) return { statement: null, problems: ['It has no attestation.'] };
  const { statement, problems } = readAttestation(text, publicKeys);
  if (statement === null) return { statement, problems };
  const { payload } = openText(text, publicKeys);
  return { statement, problems: commitProblems(commit, statement, payload ?? '') };
}

function commitProblems(commit: CommitFacts, statement: Statement, payload: string): string[] {
  const named = attestedHash(commit.message);
  const { gitTree } = statement.subject[0].digest;
  const parent = statement.predicate.parent.gitCommit;
  const isNamed = named === createHash('sha256').update(payload).digest('hex');
  return [
    ...(isNamed ? [] : ['Its message does not name this attestation.']),
    ...(gitTree === commit.tree
      ? []
      : [`Its files are not the attested ones: tree ${short(commit.tree)}, attested ${short(gitTree)}.`]),
    ...(commit.parents.length === 1 && commit.parents[0] === parent
      ? []
      : [`It was attested on top of ${short(parent)}, which is not its parent.`]),
  ];
}

function openText(
  text: string,
  publicKeys: readonly KeyObject[],
): { readonly payload: string | null; readonly problem: string } {
  const envelope = Envelope.safeParse(parseJson(text)).data;
  if (envelope === undefined)
    return { payload: null, problem: 'The attestation is no signed envelope (DSSE).' };
  const payload = openEnvelope(envelope, publicKeys);
  return { payload, problem: 'None of the given keys signed the attestation.' };
}

const short = (id: string): string => id.slice(0, 12);
