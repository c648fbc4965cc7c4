import { bundleToJSON } from '@sigstore/bundle';
import { DSSEBundleBuilder, FulcioSigner, InternalError, RekorWitness, TSAWitness } from '@sigstore/sign';
import { attestationPayload } from '../contract/attestation.ts';

/** The services, and the identity to sign with. */
export interface KeylessSigning {
  readonly services: { readonly fulcio: string; readonly rekor: string; readonly timestamps: string | null };
  /** Returns a token for an audience. */
  readonly identityToken: (audience: string) => Promise<string>;
}

/** A signed statement, or a sentence on why there is none. */
export type SignedStatement = { readonly text: string } | { readonly unattested: string };

/** Limits of each request: milliseconds, and further tries. */
const requests = { timeout: 10_000, retry: { retries: 2, minTimeout: 500, maxTimeout: 2_000 } };

/**
 * Signs a statement with a key that is made for it and then forgotten. Fulcio certifies the key for
 * the workflow's identity, and Rekor logs the signature. Returns a Sigstore bundle (v0.3) as JSON.
 * Never rejects: a service that is down must not cost a run its work.
 */
export async function signKeyless(
  statement: string,
  { services, identityToken }: KeylessSigning,
): Promise<SignedStatement> {
  const { fulcio, rekor, timestamps } = services;
  const identityProvider = { getToken: () => identityToken('sigstore') };
  const builder = new DSSEBundleBuilder({
    signer: new FulcioSigner({ fulcioBaseURL: fulcio, identityProvider, ...requests }),
    witnesses: [
      new RekorWitness({ rekorBaseURL: rekor, entryType: 'dsse', ...requests }),
      ...(timestamps === null ? [] : [new TSAWitness({ tsaBaseURL: timestamps, ...requests })]),
    ],
  });
  try {
    const bundle = await builder.create({ data: Buffer.from(statement), type: attestationPayload });
    return { text: `${JSON.stringify(bundleToJSON(bundle))}\n` };
  } catch (error) {
    return { unattested: `The commit is not attested: ${whyNot(error, services)}` };
  }
}

/** Names the service that failed. The library's own messages may hold the token. */
function whyNot(error: unknown, { fulcio, rekor, timestamps }: KeylessSigning['services']): string {
  if (!(error instanceof InternalError)) return 'a service gave an answer that is not in its form.';
  const { code, cause } = error;
  if (code.startsWith('IDENTITY_TOKEN'))
    return 'GitHub gave the job no identity token. It needs the permission `id-token: write`.';
  if (code.startsWith('CA_')) return `${fulcio} gave no certificate: ${answerOf(cause)}.`;
  if (code.startsWith('TLOG_')) return `${rekor} did not log the signature: ${answerOf(cause)}.`;
  return `${timestamps ?? 'the timestamp service'} gave no timestamp: ${answerOf(cause)}.`;
}

function answerOf(cause: unknown): string {
  const status = cause instanceof Error && 'statusCode' in cause ? cause.statusCode : undefined;
  return typeof status === 'number' ? `it answered ${status}` : 'it could not be reached or understood';
}
