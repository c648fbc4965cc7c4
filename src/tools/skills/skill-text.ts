import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { isBinary } from '../../workspace/files/is-binary.ts';
import type { Skill } from '../services/skill-entry.ts';
import type { RunState } from '../tool.ts';

/** Limits of a run: characters of skills it may read, and files per skill. */
const limits = { characters: 200_000, files: 200, depth: 6 };

/** Counts characters of skills that a run reads. Throws `ToolError('used_up')` beyond its limit. */
export function spendSkillCharacters(state: RunState, count: number): void {
  const left = limits.characters - (state.skillCharacters ?? 0);
  if (count > left) {
    throw new ToolError(
      'used_up',
      `A run may read ${limits.characters.toLocaleString('en')} characters of skills, and ${left.toLocaleString('en')} are left: this would be ${count.toLocaleString('en')}. ${left > 0 ? 'Read less of it, or go' : 'Go'} on with what you have.`,
    );
  }
  state.skillCharacters = (state.skillCharacters ?? 0) + count;
}

/** Returns the paths of a skill's files, `SKILL.md` first, the others sorted. */
export async function skillFiles({ tree, folder, file }: Skill): Promise<string[]> {
  if (folder === null) return [instructionsName];
  const below = await tree.below(folder, limits.depth, limits.files);
  const others = below.map(({ path }) => path).filter((path) => path !== file);
  return [instructionsName, ...others.map((path) => path.slice(folder.length + 1))];
}

/** Name of a skill's instructions, also for a single-file skill. */
const instructionsName = 'SKILL.md';

/**
 * Reads one file of a skill by its path in the skill's folder. Throws `ToolError`: `invalid_input`
 * for a path that leads out, `not_found`, `binary`.
 */
export async function skillText(
  skill: Skill,
  given: string = instructionsName,
): Promise<{ readonly path: string; readonly text: string }> {
  const path = skillPath(given);
  const { tree, folder, file, name } = skill;
  const files = await skillFiles(skill);
  const known = files.find((one) => one === path || (one === instructionsName && /^skill\.md$/i.test(path)));
  // Reads only listed files, without following links.
  const target = known === instructionsName ? file : `${folder}/${path}`;
  const bytes = known === undefined ? undefined : (await tree.read([target])).get(target);
  if (bytes === undefined) {
    throw new ToolError(
      'not_found',
      `The skill ${name} has no file ${path || '.'} of at most 256 KiB. It has: ${files.slice(0, 50).join(', ')}.`,
    );
  }
  if (isBinary(bytes) || !isUtf8(bytes))
    throw new ToolError(
      'binary',
      `${path} of the skill ${name} is no UTF-8 text, so it cannot be read here.`,
    );
  return { path, text: bytes.toString('utf8').replace(/^\ufeff/, '') };
}

/**
 * Normalises a path within a skill; empty for its folder. Throws `ToolError('invalid_input')` for
 * one that leads out.
 */
export function skillPath(given: string): string {
  const path = posix.normalize(given.trim()).replace(/\/$/, '');
  if (path === '.' || path === '') return '';
  if (path.startsWith('/') || path === '..' || path.startsWith('../') || path.includes('\0'))
    throw invalidInput(`${given} lies outside the skill. Give a path from its own folder, such as SKILL.md.`);
  return path;
}
