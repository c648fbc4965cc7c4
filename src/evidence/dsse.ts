import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { attestationPayload, type Envelope } from '../contract/attestation.ts';

/** Signs a payload with an Ed25519 key (DSSE v1, "Signature Definition"). */
export function signEnvelope(payload: string, privateKey: KeyObject): Envelope {
  const signature = sign(null, signedBytes(attestationPayload, Buffer.from(payload)), privateKey);
  return {
    payloadType: attestationPayload,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid: keyId(createPublicKey(privateKey)), sig: signature.toString('base64') }],
  };
}

/**
 * Returns the payload of an envelope that one of the Ed25519 keys signed, with that key's id; null
 * if none did. A key id is only a hint, so that each signature is tried with each key.
 */
export function openEnvelope(
  envelope: Envelope,
  publicKeys: readonly KeyObject[],
): { readonly payload: string; readonly signer: string } | null {
  const payload = Buffer.from(envelope.payload, 'base64');
  const bytes = signedBytes(envelope.payloadType, payload);
  const signer = publicKeys.find((key) =>
    envelope.signatures.some(({ sig }) => verify(null, bytes, key, Buffer.from(sig, 'base64'))),
  );
  return signer === undefined
    ? null
    : { payload: payload.toString('utf8'), signer: `the key ${keyId(signer)}` };
}

/** Returns the SHA-256 (hex) of a public key in its DER form, by which people compare keys. */
export function keyId(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** The bytes that are signed: DSSE's pre-authentication encoding, with lengths in bytes. */
function signedBytes(payloadType: string, payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}
