import type { Octokit } from '@octokit/rest';

/** An artifact of a workflow run of our own repository. */
export interface FoundArtifact {
  readonly id: number;
  /** Bytes of its ZIP file. */
  readonly bytes: number;
  /** True if its time is over, or if it was deleted. */
  readonly expired: boolean;
  /** The workflow run that uploaded it, by GitHub's word. */
  readonly workflowRun: number;
}

/** A search for artifacts by name. */
interface ArtifactSearch {
  readonly owner: string;
  readonly repo: string;
  readonly repositoryId: number;
  readonly name: string;
  /** Only those of this workflow run. Default: those of all runs. */
  readonly workflowRun?: number;
}

/** Maximum artifacts of one name that are read. */
const mostListed = 20;

/**
 * Lists artifacts by name, the newest first, at most 20. Those of other runs for a head in another
 * repository, such as a fork, are omitted. Needs `actions: read`.
 */
export async function findArtifacts(
  octokit: Octokit,
  { owner, repo, repositoryId, name, workflowRun }: ArtifactSearch,
): Promise<FoundArtifact[]> {
  const search = { owner, repo, name, per_page: mostListed };
  const { data } =
    workflowRun === undefined
      ? await octokit.rest.actions.listArtifactsForRepo(search)
      : await octokit.rest.actions.listWorkflowRunArtifacts({ ...search, run_id: workflowRun });
  return data.artifacts.flatMap(({ id, name: found, size_in_bytes: bytes, expired, workflow_run: run }) => {
    if (found !== name || run?.repository_id !== repositoryId || run.id === undefined) return [];
    const isOwn =
      workflowRun === undefined ? run.head_repository_id === repositoryId : run.id === workflowRun;
    return isOwn ? [{ id, bytes, expired, workflowRun: run.id }] : [];
  });
}

/**
 * Downloads the ZIP file of an artifact. The address is a redirect to a storage host, which does
 * not get the token. Null if the artifact was deleted. Needs `actions: read`.
 */
export async function downloadArtifact(
  octokit: Octokit,
  at: { readonly owner: string; readonly repo: string },
  id: number,
): Promise<Uint8Array | null> {
  try {
    const { data } = await octokit.rest.actions.downloadArtifact({
      ...{ ...at, artifact_id: id, archive_format: 'zip' },
    });
    return data instanceof ArrayBuffer ? new Uint8Array(data) : null;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && (error.status === 404 || error.status === 410);
