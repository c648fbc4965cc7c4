import { packText } from '../src/github/artifact-archive.ts';
import { artifactServiceOf, uploadArtifact } from '../src/github/artifact-service.ts';
import type { Job } from './job.ts';

/**
 * Uploads the attestation of a commit as the artifact `anode-attestation-COMMIT` of the workflow
 * run. Does nothing where a step cannot write artifacts. Throws `ArtifactError`.
 */
export async function uploadAttestation(
  commit: string,
  text: string,
  { artifactVariables, serverUrl }: Pick<Job, 'artifactVariables' | 'serverUrl'>,
): Promise<void> {
  const service = artifactServiceOf(artifactVariables, serverUrl);
  if (typeof service === 'string') return;
  await uploadArtifact(service, `anode-attestation-${commit}`, packText('attestation.json', text));
}
