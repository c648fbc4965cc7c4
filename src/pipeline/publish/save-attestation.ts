import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Published } from '../../reporting/report/published.ts';
import type { BrokerContext } from '../context/broker-context.ts';

/** A commit that may have an attestation. */
type MaybeAttested = Pick<NonNullable<Published['commit']>, 'sha' | 'attestation'>;

/** Hands the attestation of a commit to the entry point. A failure is only logged. */
export async function handOutAttestation(
  { sha, attestation }: MaybeAttested,
  { storeAttestation, log }: Pick<BrokerContext, 'storeAttestation' | 'log'>,
): Promise<void> {
  if (attestation === undefined) return;
  try {
    await storeAttestation?.(sha, attestation);
  } catch (err) {
    log.warn({ err }, `The attestation of ${sha.slice(0, 12)} could not be uploaded.`);
  }
}

/**
 * Writes the attestation of a run's commit into the folder of the run, as `attestation.json`, and
 * hands it to the entry point. Returns the file; null without an attestation.
 */
export async function saveAttestation(
  commit: MaybeAttested | undefined,
  folder: string,
  context: Pick<BrokerContext, 'storeAttestation' | 'log'>,
): Promise<string | null> {
  if (commit?.attestation === undefined) return null;
  await handOutAttestation(commit, context);
  const file = path.join(folder, 'attestation.json');
  await mkdir(folder, { recursive: true });
  await writeFile(file, commit.attestation);
  return file;
}
