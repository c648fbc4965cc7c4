import { type Bundle, bundleFromJSON } from '@sigstore/bundle';
import type { TrustedRoot } from '@sigstore/protobuf-specs';
import { type Signer, toSignedEntity, toTrustMaterial, VerificationError, Verifier } from '@sigstore/verify';
import { attestationPayload } from '../contract/attestation.ts';
import type { BundleOpener, OpenedText } from './verify-commit.ts';

/** Who is believed of those that Sigstore certifies. */
export interface KeylessTrust {
  /** Workflows with their refs; `*` stands for any text without `@`. */
  readonly identities: readonly string[];
  /** Issuer of the identities. */
  readonly issuer: string;
  /** Address of the repository whose jobs may sign: `https://github.com/acme/shop`. */
  readonly repository: string;
  readonly root: TrustedRoot;
}

/** The issuer of workflows on github.com (GitHub Docs, "OpenID Connect reference"). */
export const actionsIssuer = 'https://token.actions.githubusercontent.com';

/**
 * Makes the check of Sigstore bundles. Needs no network. The certificate chains to the root, was
 * valid when the signature was logged, and names an identity that is believed; the log of the root
 * has the entry; the signature fits the statement.
 */
export function bundleOpener(trust: KeylessTrust): BundleOpener {
  const verifier = new Verifier(toTrustMaterial(trust.root));
  return (json) => {
    const bundle = readBundle(json);
    if (bundle?.content.$case !== 'dsseEnvelope')
      return { problem: 'The attestation is no Sigstore bundle with a signed envelope.' };
    const { payload, payloadType } = bundle.content.dsseEnvelope;
    if (payloadType !== attestationPayload)
      return { problem: 'The signed text is no statement about a change of Anode.' };
    const signer = signerOf(bundle, verifier);
    if (typeof signer === 'string') return { problem: signer };
    return opened(signer, trust, payload.toString('utf8'));
  };
}

/** Decides whether an identity is believed. */
function opened({ identity }: Signer, trust: KeylessTrust, payload: string): OpenedText {
  const { subjectAlternativeName: workflow = '', extensions, oids = [] } = identity ?? {};
  const issuer = extensions?.issuer ?? '';
  if (issuer !== trust.issuer)
    return { problem: `The issuer ${printable(issuer)} signed for, and ${trust.issuer} is believed.` };
  if (!trust.identities.some((pattern) => matches(pattern, workflow)))
    return { problem: `${printable(workflow)} signed it, which is none of the believed identities.` };
  const found = oids.find(({ oid }) => oid?.id.join('.') === sourceRepository);
  const repository = found === undefined ? '' : utf8Text(found.value);
  if (repository.toLowerCase() !== trust.repository.toLowerCase())
    return { problem: `A job of ${printable(repository)} signed it, and not one of ${trust.repository}.` };
  return { payload, signer: `${workflow} in a job of ${repository}` };
}

/** Fulcio's extension "Source Repository URI" (sigstore/fulcio, `docs/oid-info.md`). */
const sourceRepository = '1.3.6.1.4.1.57264.1.12';

/** Reads a short string of DER: tag, length of one or two bytes, text. '' for any other value. */
function utf8Text(der: Buffer): string {
  if (der[0] !== 0x0c) return '';
  return der.subarray((der[1] ?? 0) < 0x80 ? 2 : 3).toString('utf8');
}

/** Matches a whole identity. */
function matches(pattern: string, identity: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^@]*')}$`, 'u').test(identity);
}

function readBundle(json: unknown): Bundle | null {
  try {
    return bundleFromJSON(json);
  } catch {
    // Its only errors are about the form of the text.
    return null;
  }
}

/** Returns the verified signer, or a sentence on why the bundle cannot be believed. */
function signerOf(bundle: Bundle, verifier: Verifier): Signer | string {
  try {
    return verifier.verify(toSignedEntity(bundle));
  } catch (error) {
    // Hostile bytes end in errors of several parsers.
    const code = error instanceof VerificationError ? error.code : '';
    return `${sentences[code.split('_')[0] ?? ''] ?? 'The bundle cannot be checked.'} (${printable(messageOf(error))})`;
  }
}

const sentences: Readonly<Record<string, string>> = {
  CERTIFICATE: 'Its certificate is not of the trusted root, or had expired when the signature was logged.',
  SIGNATURE: 'Its signature does not fit the statement.',
  TIMESTAMP: 'It has no time that the trusted root vouches for.',
  TLOG: 'The log of the trusted root has no such entry.',
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const printable = (text: string): string =>
  text === '' ? 'nobody' : text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 300);
