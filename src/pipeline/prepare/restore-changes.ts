import { append } from '../../contract/lists.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { SavedSession } from '../../contract/session.ts';
import { splitPatch } from '../../reporting/diff/git-patch.ts';
import { imagesNote } from '../../webhooks/plan/thread-images.ts';
import { rebaseChanges } from '../../workspace/changes/rebase-changes.ts';
import type { Checkout } from '../../workspace/git/checkout.ts';
import type { OwnGit } from '../../workspace/git/own-git.ts';
import { applySavedPatch } from '../../workspace/git/patched-tree.ts';
import { hasCommit } from '../../workspace/git/review-history.ts';
import { runGit } from '../../workspace/git/run-git.ts';
import { describePullEnd } from '../context/describe-request.ts';

const maxFiles = 40;
const maxPatchLength = 20_000;

/**
 * Restores the changes of the earlier run; returns a note for the model, which says what became of
 * each file. Null for nothing to say. If the branch moved, the changes of each file are merged. A
 * file that conflicts is left as the branch has it.
 */
export async function restoreChanges(
  session: SavedSession,
  plan: RunPlan,
  { git, root }: Checkout,
): Promise<string | null> {
  const notes: string[] = [];
  const { sha } = plan.checkout;
  const { base_sha: from, patch } = session;
  const moved = from !== null && from !== sha;
  const reachable = moved && (await hasCommit(git, from));
  if (moved) {
    notes.push(
      `Since your last turn the branch moved from ${from} to ${sha}; read files again before you edit.`,
    );
    if (reachable) notes.push(await incomingChanges(git, from, sha));
  }
  if (await applySavedPatch(git, root, patch)) notes.push(allRestored(patch));
  else append(notes, await restoreFiles(patch, reachable ? { from, onto: sha } : null, { git, root }));
  notes.push(describePullEnd(plan) ?? '');
  if (plan.attachments.length > 0) notes.push(imagesNote(plan.attachments));
  const texts = notes.filter((note) => note !== '');
  return texts.length === 0 ? null : texts.join('\n');
}

/** Says that all changes are back, and what no patch brings back; '' for a run without changes. */
function allRestored(patch: string): string {
  const names = splitPatch(patch).map(({ newPath, oldPath }) => newPath ?? oldPath ?? 'a file');
  return names.length === 0
    ? ''
    : `Your earlier changes are all in this new checkout: ${listOf(names)}. Files that git ignores are not.`;
}

/** Restores file by file, for a patch that does not apply as a whole. */
async function restoreFiles(
  patch: string,
  move: { readonly from: string; readonly onto: string } | null,
  { git, root }: Pick<Checkout, 'git' | 'root'>,
): Promise<string[]> {
  const restored: string[] = [];
  const present: string[] = [];
  const conflicting: { readonly name: string; readonly text: string }[] = [];
  for (const { text, newPath, oldPath } of splitPatch(patch)) {
    const name = newPath ?? oldPath ?? 'a file';
    const result = await restoreFile(text, move, { git, root });
    if (result === 'restored') restored.push(name);
    else if (result === 'present') present.push(name);
    else conflicting.push({ name, text });
  }
  const whole = conflicting.map(({ text }) => text).join('');
  const shown = whole.length > maxPatchLength ? `${whole.slice(0, maxPatchLength)}\n[cut]` : whole;
  return [
    restored.length === 0
      ? ''
      : `Of your earlier changes these are back in the work tree: ${listOf(restored)}.`,
    present.length === 0 ? '' : `The branch has these of your changes already: ${listOf(present)}.`,
    conflicting.length === 0
      ? ''
      : `Your earlier changes to these files conflict with the branch and are not in the work tree: ${listOf(conflicting.map(({ name }) => name))}. They were:\n${shown}`,
  ];
}

async function restoreFile(
  patch: string,
  move: { readonly from: string; readonly onto: string } | null,
  { git, root }: Pick<Checkout, 'git' | 'root'>,
): Promise<'restored' | 'present' | 'conflicting'> {
  if (await applySavedPatch(git, root, patch)) return 'restored';
  const merged = move === null ? null : await rebaseChanges({ git, patch, ...move }).catch(() => null);
  if (merged?.kind === 'same') return 'present';
  const applies = merged?.kind === 'clean' && (await applySavedPatch(git, root, merged.changes.patch));
  return applies ? 'restored' : 'conflicting';
}

/** Names the files that the branch changed since. */
async function incomingChanges(git: OwnGit, from: string, to: string): Promise<string> {
  const { stdout } = await runGit(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to], git);
  const names = stdout
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '');
  return names.length === 0 ? '' : `What came changes ${listOf(names)}.`;
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, maxFiles).map((name) => JSON.stringify(name).slice(1, -1));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
