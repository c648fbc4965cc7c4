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

/** What of the steering of a run goes into its first message. */
export type PackGuidance = Pick<Guidance, 'book' | 'skillNote'>;

/** What the repository looks like, for the first message of a run with this profile or of a child. */
export async function contextPackOf(
  request: {
    /** True where the run may run no command but such as only read. */
    readonly readOnly: boolean;
    readonly guidance: PackGuidance;
    readonly repositories: readonly RegisteredRepository[];
    readonly setupReport: string | null;
    /** What is told of tools that others bring; left out, nothing. */
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
    // Whoever cannot run them learns nothing from them.
    runsScripts ? top.then((names) => commandsOf(workspace, names, request.setupReport !== null)) : [],
    request.external?.() ?? null,
  ]);
  return renderContextPack({
    // Whoever opens a pull request names its branch and files.
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

/** Files that say how a project is tested and built. */
const commandFiles =
  /^(?:package\.json|pyproject\.toml|pytest\.ini|tox\.ini|setup\.cfg|noxfile\.py|(?:GNU)?[Mm]akefile|\.?[Jj]ustfile|Cargo\.toml|go\.mod)$/;

/** Files of a root that count for its folders, too: they name the package manager. */
const sharedFiles = /^(?:pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|node_modules\/|\.pnp\.cjs)$/;

/**
 * The commands that test and build the project, from the folder where commands start, else from the root. `top`: the names there.
 * The reader is loaded only if there is a file to read.
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

/** The pull request's diff, else what stands uncommitted in the checkout or was committed last. */
export async function diffUnderReview(
  request: { readonly reviewDiff: string | null },
  workspace: Workspace,
  runFolder: string,
): Promise<UnderReview> {
  if (request.reviewDiff !== null) return { diff: request.reviewDiff, commit: null };
  const { reviewDiff } = await import('../../workspace/changes/review-diff.ts');
  return reviewDiff(workspace.root, path.join(runFolder, `${randomBytes(4).toString('hex')}.git`));
}
