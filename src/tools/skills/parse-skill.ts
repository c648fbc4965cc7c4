import { stripInvisible } from '../../untrusted-text/invisible.ts';
import { frontMatter } from '../text/front-matter.ts';

/** What the head of a skill says of it. */
export interface SkillHead {
  readonly name: string;
  readonly description: string;
  readonly allowedTools: readonly string[];
  readonly listed: boolean;
}

/** Bounds of the Agent Skills specification (agentskills.io), in characters. */
const limits = { name: 64, description: 1024 };

/**
 * Reads the head of a skill: `SKILL.md` in a folder (`given` is the folder's name) needs front matter with a description; a single file
 * (`given` is its name) may do with its first line. Returns a problem, a clause with the file as its subject, for one that cannot be used.
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

/** What of a skill's file a model is to follow. */
export function skillBody(text: string): string {
  return frontMatter(text).body.trim();
}

/** One line of text without what nobody sees; '' for anything else. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? stripInvisible(value).text.replaceAll(/\s+/g, ' ').trim() : '';
}

function firstLine(body: string): string {
  const line = body.split('\n').find((one) => one.trim() !== '') ?? '';
  return textOf(line.replace(/^#+\s*/, ''));
}

/** A list, or words with spaces or commas between them; `Bash(git *)` is one word. */
function words(value: unknown): string[] {
  const given = Array.isArray(value)
    ? value.filter((one) => typeof one === 'string')
    : textOf(value).match(/[^\s,(]+(?:\([^)]*\))?/g);
  return (given ?? []).slice(0, 50);
}
