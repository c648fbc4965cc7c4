import type { Octokit } from '@octokit/rest';
import { isNotFound } from './api-errors.ts';

/** The notes that hold attestations, one for each commit: `git notes --ref anode show COMMIT`. */
export const notesRef = 'notes/anode';

/** The newest commit of the notes and its tree. */
export interface AttestationNotes {
  readonly sha: string;
  readonly tree: string;
  /** The blob of the note of each commit, by the commit's id. */
  readonly blobs: ReadonlyMap<string, string>;
}

interface Place {
  readonly owner: string;
  readonly repo: string;
}

/** Returns null if there is no note yet. */
export async function readNotes(at: Place, octokit: Octokit): Promise<AttestationNotes | null> {
  const { git } = octokit.rest;
  try {
    const { data: ref } = await git.getRef({ ...at, ref: notesRef });
    const { sha } = ref.object;
    const { data: commit } = await git.getCommit({ ...at, commit_sha: sha });
    const { data } = await git.getTree({ ...at, tree_sha: commit.tree.sha, recursive: 'true' });
    // Git spreads many notes over folders that are named by the first digits of the commit.
    const blobs = data.tree
      .filter(({ type }) => type === 'blob')
      .map(({ path, sha }) => [path.replaceAll('/', ''), sha] as const);
    return { sha, tree: commit.tree.sha, blobs: new Map(blobs) };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Returns the text of a commit's note; null without one. */
export async function readNote(
  at: Place,
  commit: string,
  { blobs }: Pick<AttestationNotes, 'blobs'>,
  octokit: Octokit,
): Promise<string | null> {
  const file_sha = blobs.get(commit);
  if (file_sha === undefined) return null;
  const { data } = await octokit.rest.git.getBlob({ ...at, file_sha });
  return Buffer.from(data.content, 'base64').toString();
}
