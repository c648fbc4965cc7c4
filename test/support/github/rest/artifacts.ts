import { addressOf } from '../artifacts/artifact-service.ts';
import { ApiError, notFound } from '../protocol/api-error.ts';
import { permit } from '../protocol/authorize.ts';
import { type Handlers, onRepository, type RepositoryCall } from '../protocol/call.ts';
import { apiBase } from '../shapes/repository.ts';
import type { Artifact } from '../world.ts';

/** Artifacts of workflow runs (GitHub Docs, "REST API endpoints for GitHub Actions artifacts"). */
export const artifactHandlers: Handlers = {
  'actions/list-artifacts-for-repo': onRepository((call) => list(call, () => true)),
  'actions/list-workflow-run-artifacts': onRepository((call) =>
    list(call, ({ job }) => job.runId === Number(call.params.run_id)),
  ),
  'actions/download-artifact': onRepository((call) => {
    permit(call, 'actions', 'read');
    const artifact = call.repository.artifacts.find(
      ({ id, finalized }) => finalized && id === Number(call.params.artifact_id),
    );
    if (artifact === undefined || call.params.archive_format !== 'zip') throw notFound();
    if (artifact.expired) throw new ApiError(410, 'Artifact has expired');
    return { status: 302, location: addressOf(call.world, artifact, 'r') };
  }),
};

/** The newest first. */
function list(call: RepositoryCall, isWanted: (artifact: Artifact) => boolean) {
  permit(call, 'actions', 'read');
  const { name } = call.query;
  const found = call.repository.artifacts.filter(
    (one) => one.finalized && isWanted(one) && (name === undefined || one.name === name),
  );
  return { status: 200, list: found.toReversed().map((one) => shape(call, one)), envelope: 'artifacts' };
}

function shape({ repository, world }: RepositoryCall, artifact: Artifact) {
  const { id, name, job, bytes, expired, createdAt } = artifact;
  const url = `${apiBase(world, repository)}/actions/artifacts/${id}`;
  return {
    ...{ id, name, size_in_bytes: bytes?.length ?? 0, url, archive_download_url: `${url}/zip`, expired },
    ...{ created_at: createdAt, updated_at: createdAt, expires_at: createdAt },
    workflow_run: {
      id: job.runId,
      repository_id: repository.id,
      head_repository_id: job.headRepositoryId,
      head_branch: job.headBranch,
    },
  };
}
