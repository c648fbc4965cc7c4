import { createHash, type KeyObject } from 'node:crypto';
import * as z from 'zod';
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

/** A signed text with its signer, or a sentence on why it is not believed. */
export type OpenedText = { readonly payload: string; readonly signer: string } | { readonly problem: string };

/** Opens a Sigstore bundle, given as JSON. */
export type BundleOpener = (bundle: unknown) => OpenedText;

/** Whose signatures are believed. */
export interface TrustedSigners {
  readonly publicKeys: readonly KeyObject[];
  /** Null if no identity is believed. */
  readonly openBundle: BundleOpener | null;
}

/** Result of checking an attestation. */
export interface AttestationVerdict {
  /** The signed statement; null if there is none that could be believed. */
  readonly statement: Statement | null;
  /** A key, or the identity of a workflow; null if no signature is believed. */
  readonly signer: string | null;
  /** Sentences for people. Empty if everything fits. */
  readonly problems: readonly string[];
}

/** A statement that is believed, with the text that was signed. */
interface Believed {
  readonly statement: Statement;
  readonly signer: string;
  readonly payload: string;
}

/**
 * Opens an attestation: a signed envelope or a Sigstore bundle as JSON. Without a trusted signer
 * nothing is believed.
 */
export function readAttestation(text: string, trusted: TrustedSigners): AttestationVerdict {
  const believed = believe(text, trusted);
  if (typeof believed === 'string') return refused(believed);
  return { statement: believed.statement, signer: believed.signer, problems: [] };
}

/**
 * Checks that an attestation is about this commit: the trailer names the signed text, and tree and
 * parent are the attested ones. `text` is null for a commit that has no attestation.
 */
export function verifyCommit(
  commit: CommitFacts,
  text: string | null,
  trusted: TrustedSigners,
): AttestationVerdict {
  if (text === null) return refused('It has no attestation.');
  const believed = believe(text, trusted);
  if (typeof believed === 'string') return refused(believed);
  const { statement, signer, payload } = believed;
  return { statement, signer, problems: commitProblems(commit, statement, payload) };
}

const refused = (problem: string): AttestationVerdict => ({
  statement: null,
  signer: null,
  problems: [problem],
});

function believe(text: string, trusted: TrustedSigners): Believed | string {
  const opened = openText(text, trusted);
  if ('problem' in opened) return opened.problem;
  const statement = Statement.safeParse(parseJson(opened.payload)).data;
  return statement === undefined
    ? 'The signed text is no statement about a change of Anode.'
    : { statement, ...opened };
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

/** A bundle names its form in its first field (Sigstore's `sigstore_bundle.proto`). */
const Bundle = z.looseObject({ mediaType: z.string().startsWith('application/vnd.dev.sigstore.bundle') });

/** True for a Sigstore bundle: a signature without a key. */
export const isBundle = (text: string): boolean => Bundle.safeParse(parseJson(text)).success;

function openText(text: string, { publicKeys, openBundle }: TrustedSigners): OpenedText {
  const json = parseJson(text);
  const bundle = Bundle.safeParse(json).data;
  if (bundle !== undefined)
    return openBundle === null
      ? { problem: 'It is signed without a key, and no identity is believed.' }
      : openBundle(bundle);
  const envelope = Envelope.safeParse(json).data;
  if (envelope === undefined) return { problem: 'The attestation is no signed envelope (DSSE).' };
  return openEnvelope(envelope, publicKeys) ?? { problem: 'None of the given keys signed the attestation.' };
}

const short = (id: string): string => id.slice(0, 12);
