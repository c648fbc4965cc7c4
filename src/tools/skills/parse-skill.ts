import { stripInvisible } from '../../untrusted-text/invisible.ts';
import { frontMatter } from '../text/front-matter.ts';

/** The metadata of a skill. */
export interface SkillHead {
  readonly name: string;
  readonly description: string;
  readonly allowedTools: readonly string[];
  readonly listed: boolean;
}

/** Limits of the Agent Skills specification (agentskills.io), in characters. */
const limits = { name: 64, description: 1024 };

/**
 * Parses the metadata of a skill. `SKILL.md` in a folder (`given` is the folder's name) needs front
 * matter with a description. A single file (`given` is its name) may use its first line. Returns a
 * problem as a clause about the file.
 */
export function parseSkill(
  text: string,
  given: string,
  single: boolean,
): SkillHead | { readonly problem: string } {
  const { fields, body } = frontMatter(text);
  if (fields === null) return { problem: 'has front matter that is no YAML of keys, or does not end' };
  const name = textOf(fields.name) || given;
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name) || name.length > limits.name)
    return {
      problem: `has the name "${name.slice(0, limits.name)}"; a name has up to ${limits.name} letters, digits, - and _`,
    };
  const description = textOf(fields.description) || (single ? firstLine(body) : '');
  if (description === '') return { problem: 'has no description in its front matter' };
  if (body.trim() === '') return { problem: 'has no instructions below its front matter' };
  return {
    name,
    description: description.slice(0, limits.description).toWellFormed(),
    allowedTools: words(fields['allowed-tools'] ?? fields.allowed_tools ?? fields.tools),
    listed: fields['disable-model-invocation'] !== true,
  };
}

/** Returns the instructions in a skill's file. */
export function skillBody(text: string): string {
  return frontMatter(text).body.trim();
}

/** Returns one line of visible text; empty for anything else. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? stripInvisible(value).text.replaceAll(/\s+/g, ' ').trim() : '';
}

function firstLine(body: string): string {
  const line = body.split('\n').find((one) => one.trim() !== '') ?? '';
  return textOf(line.replace(/^#+\s*/, ''));
}

/** Splits a list, or words with spaces or commas; `Bash(git *)` is one word. */
function words(value: unknown): string[] {
  const given = Array.isArray(value)
    ? value.filter((one) => typeof one === 'string')
    : textOf(value).match(/[^\s,(]+(?:\([^)]*\))?/g);
  return (given ?? []).slice(0, 50);
}
