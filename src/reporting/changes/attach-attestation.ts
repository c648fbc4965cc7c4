import type { Octokit } from '@octokit/rest';
import type { RunPlan } from '../../contract/plan.ts';
import { repoOf } from '../../github/api-target.ts';
import { type AttestationNotes, notesRef, readNotes } from '../../github/attestation-notes.ts';
import { readApiFailure } from '../posting/api-failure.ts';

/** Tries of the write while others add notes. */
const mostTries = 4;

/**
 * Stores the attestation of a commit as its note, so that a clone can check it without us. A commit
 * that has one keeps it. Throws GitHub's refusals.
 */
export async function attachAttestation(
  commit: string,
  text: string,
  { plan, octokit }: { readonly plan: RunPlan; readonly octokit: Octokit },
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const head = await readNotes(repoOf(plan), octokit);
    if (head?.blobs.has(commit) === true) return;
    try {
      return await addNote(commit, text, head, { plan, octokit });
    } catch (error) {
      // GitHub answers 422 where the reference moved, or exists by now.
      if (readApiFailure(error)?.status !== 422 || tries === mostTries) throw error;
    }
  }
}

async function addNote(
  commit: string,
  text: string,
  head: AttestationNotes | null,
  { plan, octokit }: { readonly plan: RunPlan; readonly octokit: Octokit },
): Promise<void> {
  const at = repoOf(plan);
  const { git } = octokit.rest;
  const { data: tree } = await git.createTree({
    ...at,
    ...(head === null ? {} : { base_tree: head.tree }),
    tree: [{ path: commit, mode: '100644', type: 'blob', content: text }],
  });
  const { data: made } = await git.createCommit({
    ...at,
    message: `Attest ${commit.slice(0, 12)}`,
    tree: tree.sha,
    parents: head === null ? [] : [head.sha],
  });
  if (head === null) await git.createRef({ ...at, ref: `refs/${notesRef}`, sha: made.sha });
  else await git.updateRef({ ...at, ref: notesRef, sha: made.sha, force: false });
}
