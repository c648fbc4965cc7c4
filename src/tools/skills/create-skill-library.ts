import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { append } from '../../contract/lists.ts';
import { createConfinedFiles } from '../../workspace/files/create-confined-files.ts';
import type { TrustedTree } from '../../workspace/git/trusted-tree.ts';
import { type TrustedFile, trustedTreeIn } from '../../workspace/git/trusted-tree.ts';
import {
  type Skill,
  type SkillIndex,
  type SkillLibrary,
  type SkillSource,
  type SkillVisibility,
  skillKey,
} from '../services/skill-entry.ts';
import { builtInSkills } from './built-in-skills.ts';
import { skillFilter } from './find-skill.ts';
import { parseSkill } from './parse-skill.ts';

/** The sources of a run's skills. */
export interface SkillSources {
  /** The trusted tree, which holds the repository's own skills. */
  readonly tree: TrustedTree;
  /** The operator's folder; null for none. A missing folder has no skills. */
  readonly userFolder: string | null;
  readonly visibility: SkillVisibility | undefined;
  readonly mayWrite: (path: string) => boolean;
  /** Called once for each skill that cannot be used. */
  readonly report: (problem: string) => void;
}

/** Maximum unusable skills reported one by one. */
const mostReported = 10;

/** Opens the skills of a run; nothing is searched before the first use. */
export function createSkillLibrary(sources: SkillSources): SkillLibrary {
  let found: ReturnType<SkillLibrary['index']> | null = null;
  const find = async () => {
    const all = await findSkills([
      ...repositoryLocations(sources.tree),
      ...userLocations(sources.userFolder),
      await builtInLocation(),
    ]);
    for (const problem of all.problems.slice(0, mostReported)) sources.report(problem);
    const more = all.problems.length - mostReported;
    if (more > 0) sources.report(`${more} more skills cannot be used; list_skills names them.`);
    const isVisible = skillFilter([sources.visibility]);
    return { ...all, skills: all.skills.filter(({ name }) => isVisible(name)) };
  };
  return {
    index() {
      found ??= find();
      return found;
    },
    mayWrite: async (path) => sources.mayWrite(path),
  };
}

/** The folders of a repository's skills, in order of precedence. */
const repositorySkillFolders = ['.agents/skills', '.claude/skills'];

function repositoryLocations(tree: TrustedTree): SkillLocation[] {
  return repositorySkillFolders.map((folder) => ({
    ...{ source: 'workspace', tree, folder, singles: folder === '.agents/skills' },
    render: (path) => path,
  }));
}

function userLocations(folder: string | null): SkillLocation[] {
  if (folder === null || !existsSync(folder) || !statSync(folder).isDirectory()) return [];
  const tree = userSkillTree(folder);
  const render = (path: string) => `skills/${path} of the operator`;
  return [{ source: 'user', tree, folder: '', singles: true, render }];
}

async function builtInLocation(): Promise<SkillLocation> {
  const render = () => 'built in';
  return { source: 'built-in', tree: await builtInSkills(), folder: '', singles: true, render };
}

/** A folder of skills. */
export interface SkillLocation {
  readonly source: SkillSource;
  readonly tree: TrustedTree;
  readonly folder: string;
  /** True if a Markdown file of its own is a skill too, besides `NAME/SKILL.md`. */
  readonly singles: boolean;
  /** Renders a path of the tree for people. */
  readonly render: (path: string) => string;
}

/** Maximum skills of one location, and maximum files searched for them. */
const limits = { skills: 100, files: 4_000 };

/**
 * Finds the skills of several locations, the strongest first; the first of a name wins. Problems
 * are unusable files, and duplicate names within one source. A repository's skill may override
 * ours.
 */
export async function findSkills(places: readonly SkillLocation[]): Promise<SkillIndex> {
  const found = new Map<string, Skill>();
  const problems: string[] = [];
  for (const place of places) {
    const files = await skillFiles(place);
    const some = files.slice(0, limits.skills);
    const contents = await place.tree.read(some.map(({ file }) => file));
    if (files.length > limits.skills)
      problems.push(
        `${place.render(place.folder)} holds more than ${limits.skills} skills; the others are left out.`,
      );
    for (const file of some) {
      const skill = skillIn(file, contents.get(file.file), place);
      const problem = typeof skill === 'string' ? skill : addSkill(found, skill);
      if (problem !== null) problems.push(problem);
    }
  }
  return { skills: [...found.values()], problems };
}

/** Reads one file as a skill, or returns the problem with it. */
function skillIn(
  { file, folder, name }: SkillFile,
  bytes: Buffer | undefined,
  { source, tree, render }: SkillLocation,
): Skill | string {
  const location = render(file);
  if (bytes === undefined || bytes.includes(0))
    return `${location} is no text of at most 256 KiB, so it is no skill.`;
  const head = parseSkill(bytes.toString('utf8'), name, folder === null);
  if ('problem' in head) return `${location} ${head.problem}, so it is no skill.`;
  return { ...head, source, location, tree, file, folder };
}

/** Adds a skill unless its name is taken. Returns a problem if the same source has it twice. */
function addSkill(found: Map<string, Skill>, skill: Skill): string | null {
  const key = skillKey(skill.name);
  const other = found.get(key);
  if (other === undefined) found.set(key, skill);
  return other?.source === skill.source
    ? `${skill.location} has the name of ${other.location}, which is used: ${other.name}.`
    : null;
}

interface SkillFile {
  readonly file: string;
  readonly folder: string | null;
  /** Default name of the skill. */
  readonly name: string;
}

async function skillFiles({ tree, folder, singles }: SkillLocation): Promise<SkillFile[]> {
  const start = folder === '' ? 0 : folder.length + 1;
  const listed = await tree.below(folder, 2, limits.files);
  return listed.flatMap(({ path }): SkillFile[] => {
    const [name = '', inner] = path.slice(start).split('/');
    if (inner !== undefined)
      return /^skill\.md$/i.test(inner)
        ? [{ file: path, folder: path.slice(0, -inner.length - 1), name }]
        : [];
    const single = singles && /\.md$/i.test(name) && !/^(?:readme|index)\.md$/i.test(name);
    return single ? [{ file: path, folder: null, name: name.replace(/\.md$/i, '') }] : [];
  });
}

/**
 * Returns the tree of the operator's own skills. Links to folders directly in it are followed, as
 * people link their settings repositories. Links further down belong to a skill's author and are
 * not.
 */
export function userSkillTree(folder: string): TrustedTree {
  const own = treeOf(folder);
  const linked = new Map(linkedFolders(folder).map(([name, target]) => [name, treeOf(target)]));
  const within = async (name: string, tree: TrustedTree, rest: readonly [string, number, number]) =>
    (await tree.below(...rest)).map((file): TrustedFile => ({ ...file, path: `${name}/${file.path}` }));
  return {
    async below(at, depth, most) {
      const [name = '', ...inner] = at.split('/');
      const other = linked.get(name);
      if (other !== undefined) return within(name, other, [inner.join('/'), depth, most]);
      const found = [...(await own.below(at, depth, most))];
      if (at === '' && depth > 1)
        for (const [link, tree] of linked) append(found, await within(link, tree, ['', depth - 1, most]));
      return found.slice(0, most);
    },
    async read(paths) {
      const texts = new Map<string, Buffer>();
      for (const wanted of paths) {
        const [name = '', ...inner] = wanted.split('/');
        const tree = linked.get(name);
        const at = tree === undefined ? wanted : inner.join('/');
        const bytes = (await (tree ?? own).read([at])).get(at);
        if (bytes !== undefined) texts.set(wanted, bytes);
      }
      return texts;
    },
  };
}

function treeOf(folder: string): TrustedTree {
  return trustedTreeIn(createConfinedFiles({ root: folder, readOnlyRoots: [] }));
}

/** Returns the links of a folder that lead to folders, by name. */
function linkedFolders(folder: string): [string, string][] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .flatMap(({ name }): [string, string][] => {
      const target = path.join(folder, name);
      const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
      return isFolder ? [[name, realpathSync(target)]] : [];
    });
}
