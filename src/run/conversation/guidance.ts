import { existsSync } from 'node:fs';
import {
  type InstructionLoader,
  openInstructionLoader,
} from '../../agent/instructions/instruction-loader.ts';
import { instructionReminder } from '../../agent/instructions/instruction-reminder.ts';
import type { RemindedRun } from '../../agent/loop/run-tree.ts';
import type { Profile } from '../../agent/profiles/profiles.ts';
import { hasTool } from '../../agent/profiles/tool-filters.ts';
import { describeSkills } from '../../agent/prompt/context-pack.ts';
import type { TurnReminder } from '../../agent/reminders/turn-reminders.ts';
import type { Config } from '../../config/schema.ts';
import { ToolError } from '../../contract/errors.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { SavedSession } from '../../contract/session.ts';
import { diffLines } from '../../tools/review/diff-lines.ts';
import type { SkillLibrary } from '../../tools/services/skill-entry.ts';
import { builtInSkillNames } from '../../tools/skills/built-in-skill-names.ts';
import { visibleSkills } from '../../tools/skills/find-skill.ts';
import { type TrustedTree, trustedTreeIn } from '../../workspace/git/trusted-tree.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The guidance of a run besides its task: the repository's instructions, and skills. */
export interface Guidance {
  readonly book: InstructionLoader;
  readonly skills: SkillLibrary;
  /**
   * Returns the text about skills in the first message of the run, or of a child with another
   * profile; null for none.
   */
  skillNote(child?: SkillProfile): Promise<string | null>;
  /** Makes the reminders about instructions between turns. */
  reminders(run: RemindedRun): readonly TurnReminder[];
}

/** The parts of a profile that select skills. */
type SkillProfile = Pick<Profile, 'skills' | 'allow' | 'deny' | 'within'>;

/** Inputs for the guidance. */
export interface GuidanceRequest {
  /** Trusted files of the base branch. Default: null, the files of the checkout. */
  readonly trustedTree?: TrustedTree | null;
  /** The folder of the operator's own skills, for a local run. Default: null, none. */
  readonly userSkills?: string | null;
  readonly config: Pick<Config, 'skills' | 'protected' | 'tools'>;
  readonly reviewDiff: string | null;
  readonly pullRequestDiff?: string | null;
  readonly resume: { readonly session: Pick<SavedSession, 'instructions'> } | null;
}

/** Opens the guidance of a run. Code for what only some repositories have is loaded on demand. */
export function openGuidance(
  request: GuidanceRequest,
  profile: SkillProfile & Pick<Profile, 'base'>,
  workspace: Pick<Workspace, 'files' | 'start'>,
  record: (entry: RunEntry) => void,
): Guidance {
  const tree = request.trustedTree ?? trustedTreeIn(workspace.files);
  const before = request.resume?.session.instructions ?? [];
  const book = openInstructionLoader({
    tree,
    before,
    reviews: profile.base === 'review',
    startPaths: async () => {
      // Any path in the start folder: its instructions apply from the first turn.
      const own = workspace.start === '' ? [] : [`${workspace.start}/file`];
      const diff = request.reviewDiff ?? request.pullRequestDiff ?? '';
      if (diff === '') return own;
      return [...own, ...((await diffLines(diff))?.keys() ?? [])];
    },
    record: (activated) => record({ type: 'instructions', activated }),
  });
  for (const activated of before) record({ type: 'instructions', activated });
  const skills = lazyLibrary(request, tree, record);
  return {
    book,
    skills,
    async skillNote(child = profile) {
      if (!hasTool(child, request.config.tools?.disabled)('skill')) return null;
      const { deny, visible } = request.config.skills ?? {};
      const filtered = deny !== undefined || visible !== undefined || child.skills !== undefined;
      if (!filtered && !(await hasOwnSkills(tree, request.userSkills)))
        return describeSkills([], builtInSkillNames);
      const state = { todos: [], findings: [], skills: child.skills };
      const listed = (await visibleSkills({ skills, state })).skills.filter((skill) => skill.listed);
      const builtIn = listed.filter(({ source }) => source === 'built-in');
      return describeSkills(
        listed.filter(({ source }) => source !== 'built-in'),
        builtIn.map(({ name }) => name),
      );
    },
    reminders: ({ touched, child }) => {
      const current = async () =>
        child ? book.start() : [...before, ...(before.length > 0 ? [] : await book.start())];
      return [instructionReminder(book, touched, current, (path) => belowRoot(workspace, path))];
    },
  };
}

/** Returns true if a folder for skills has files. */
async function hasOwnSkills(tree: TrustedTree, userFolder: string | null | undefined): Promise<boolean> {
  if (userFolder != null && existsSync(userFolder)) return true;
  const found = await Promise.all(
    ['.agents/skills', '.claude/skills'].map((folder) => tree.below(folder, 2, 1)),
  );
  return found.some((files) => files.length > 0);
}

/** Makes the library of skills, loaded at the first use. */
function lazyLibrary(
  request: GuidanceRequest,
  tree: TrustedTree,
  record: (entry: RunEntry) => void,
): SkillLibrary {
  let made: Promise<SkillLibrary> | null = null;
  const make = async () => {
    const [{ createSkillLibrary }, { isProtected }] = await Promise.all([
      import('../../tools/skills/create-skill-library.ts'),
      import('../../permissions/gate/protected-paths.ts'),
    ]);
    return createSkillLibrary({
      tree,
      userFolder: request.userSkills ?? null,
      visibility: request.config.skills,
      mayWrite: (path) => isProtected(path, request.config.protected?.allow) === null,
      report: (problem) => record({ type: 'diagnostic', level: 'warning', message: problem }),
    });
  };
  const library = () => {
    made ??= make();
    return made;
  };
  return {
    index: async () => (await library()).index(),
    mayWrite: async (path) => (await library()).mayWrite(path),
  };
}

/** Returns a path relative to the root; null for one outside. */
function belowRoot({ files }: Pick<Workspace, 'files'>, path: string): string | null {
  try {
    const relative = files.relative(path);
    return /^(?:\/|\.\.(?:\/|$))/.test(relative) || relative === '' ? null : relative;
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
