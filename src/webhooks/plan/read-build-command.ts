import type { Octokit } from '@octokit/rest';
import { parse } from 'yaml';
import { isNotFound } from '../../github/api-errors.ts';

/** A workflow file at a trusted commit. */
interface WorkflowFile {
  readonly owner: string;
  readonly repo: string;
  /** A commit of the base branch. */
  readonly ref: string;
  readonly path: string;
}

/** Maximum characters of a command. */
const longest = 1_000;

/**
 * Returns the script of a failed step that also stands in the workflow on the base branch; null
 * without one. The log and the head's own workflow are text of the pull request's author. Scripts
 * with expressions never match, since the log shows their values.
 */
export async function readBuildCommand(
  octokit: Octokit,
  { path, ...place }: WorkflowFile,
  scripts: readonly string[],
): Promise<string | null> {
  if (scripts.length === 0) return null;
  const answer = await octokit.rest.repos.getContent({ ...place, path }).catch((error: unknown) => {
    if (isNotFound(error)) return null;
    throw error;
  });
  const file = answer?.data;
  if (file === undefined || Array.isArray(file) || file.type !== 'file') return null;
  const known = scriptsOf(Buffer.from(file.content, 'base64').toString('utf8'));
  return scripts.find((script) => script.length <= longest && known.has(script.trim())) ?? null;
}

/** Returns the `run` of each step in a workflow; none for a file that is no workflow. */
function scriptsOf(text: string): Set<string> {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value))
      if (key === 'run' && typeof child === 'string') found.add(child.trim());
      else collect(child);
  };
  try {
    const workflow: unknown = parse(text, { maxAliasCount: 100 });
    if (typeof workflow === 'object' && workflow !== null && 'jobs' in workflow) collect(workflow.jobs);
  } catch {
    // GitHub would not have run it either.
  }
  return found;
}
