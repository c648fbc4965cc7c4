import { randomBytes } from 'node:crypto';
import path, { posix } from 'node:path';
import type { Profile } from '../../agent/profiles/profiles.ts';
import { hasTool } from '../../agent/profiles/tool-filters.ts';
import { renderContextPack, topLevelEntries } from '../../agent/prompt/context-pack.ts';
import { stripInvisible } from '../../untrusted-text/invisible.ts';
import type { UnderReview } from '../../workspace/changes/review-diff.ts';
import { unlessToolError } from '../../workspace/files/unless-tool-error.ts';
import type { gitState } from '../../workspace/git/git-state.ts';
import type { RegisteredRepository } from '../../workspace/git/registered-repositories.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Guidance } from './guidance.ts';

/** The guidance for a first message. */
export type PackGuidance = Pick<Guidance, 'book' | 'skillNote'>;

/** Describes the repository in the first message of a run with this profile, or of a child. */
export async function contextPackOf(
  request: {
    /** True if only commands that read may run. */
    readonly readOnly: boolean;
    readonly guidance: PackGuidance;
    readonly repositories: readonly RegisteredRepository[];
    readonly setupReport: string | null;
    /** Text about extension tools. Default: none. */
    readonly external?: (() => Promise<string | null>) | undefined;
  },
  profile: Profile,
  workspace: Workspace,
  git: ReturnType<typeof gitState>,
): Promise<string> {
  const { book, skillNote } = request.guidance;
  const runsScripts = !request.readOnly && !profile.readOnly && hasTool(profile)('bash');
  const top = topLevelEntries(workspace);
  const [state, entries, instructions, skills, commands, external] = await Promise.all([
    git,
    top,
    book.start(),
    skillNote(profile),
    // Useless for a run that cannot run them.
    runsScripts ? top.then((names) => commandsOf(workspace, names, request.setupReport !== null)) : [],
    request.external?.() ?? null,
  ]);
  return renderContextPack({
    // The author of a pull request names its branch and files.
    entries: entries.map(visibleName),
    start: visibleName(workspace.start),
    branch: state?.branch == null ? null : visibleName(state.branch),
    status: state?.status.map(visibleName) ?? null,
    untrackedListed: state?.untrackedListed ?? true,
    instructions,
    skills,
    external,
    commands: commands.map((text) => stripInvisible(text).text),
    repositories: request.repositories,
    setupReport: request.setupReport,
  });
}

/** Files that define how a project is tested and built. */
const commandFiles =
  /^(?:package\.json|pyproject\.toml|pytest\.ini|tox\.ini|setup\.cfg|noxfile\.py|(?:GNU)?[Mm]akefile|\.?[Jj]ustfile|Cargo\.toml|go\.mod)$/;

/** Names at the root that also count for its folders: the package manager, what it installed. */
const sharedFiles =
  /^(?:pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|(?:node_modules|\.?venv|\.tox|\.nox)\/|\.pnp\.cjs)$/;

/**
 * Returns the commands that test and build the project, from the start folder or else the root.
 * `top` has the names in the root. The reader is loaded only if there is a file to read.
 */
async function commandsOf(
  workspace: Workspace,
  top: readonly string[],
  setUp: boolean,
): Promise<readonly string[]> {
  const { files, start } = workspace;
  const below = start === '' ? [] : await unlessToolError(() => topLevelEntries(workspace, start));
  const own = (below ?? []).some((name) => commandFiles.test(name)) ? (below ?? []) : null;
  if (own === null && !top.some((name) => commandFiles.test(name))) return [];
  const { projectCommands } = await import('../../agent/prompt/project-commands.ts');
  if (own === null) {
    const commands = await projectCommands(workspace, top, setUp);
    return start === '' ? commands : commands.map((text) => `At the root: ${text}`);
  }
  const from: Pick<typeof files, 'stat' | 'read'> = {
    stat: (name) => files.stat(posix.join(start, name)),
    read: (name, most) => files.read(posix.join(start, name), most),
  };
  const names = [...own, ...top.filter((name) => sharedFiles.test(name))];
  const commands = await projectCommands({ files: from }, names, setUp);
  return commands.map((text) => `In ${start}/: ${text}`);
}

const visibleName = (name: string): string => stripInvisible(name).text;

/** Returns the pull request's diff, else the uncommitted changes or the last commit. */
export async function diffUnderReview(
  request: { readonly reviewDiff: string | null },
  workspace: Workspace,
  runFolder: string,
): Promise<UnderReview> {
  if (request.reviewDiff !== null) return { diff: request.reviewDiff, commit: null };
  const { reviewDiff } = await import('../../workspace/changes/review-diff.ts');
  return reviewDiff(workspace.root, path.join(runFolder, `${randomBytes(4).toString('hex')}.git`));
}
