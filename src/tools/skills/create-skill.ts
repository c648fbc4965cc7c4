import { createHash } from 'node:crypto';
import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { flag } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';
import { makeProposedChange, ProposedChange } from '../write/proposed-change.ts';
import { readForChange } from '../write/read-for-change.ts';
import { parseSkill } from './parse-skill.ts';

const input = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/, 'up to 64 lower-case letters, digits, - and _')
    .describe('lower-case letters, digits, - and _'),
  description: z.string().trim().min(1).max(1024).describe('one line: what it is for and when to use it'),
  content: z.string().trim().min(1).max(60_000).describe('the instructions, Markdown without front matter'),
  overwrite: flag().default(false),
});

/** Writes a skill of the repository, or records it as a patch if writing was not opted in. */
export const createSkill = defineTool({
  name: 'create_skill',
  argumentAliases: { instructions: 'content', body: 'content' },
  description:
    'Write a skill for later runs on this repository; a person reviews it before it is used. overwrite replaces one.',
  exposure: 'deferred',
  input,
  level: 'confirm_write',
  targets: (args) => ({ what: pathOf(args.name) }),
  async prepare(args, context) {
    const { workspace, skills } = context;
    const path = pathOf(args.name);
    const before = await readForChange(workspace, path);
    if (before !== null && !args.overwrite) {
      throw new ToolError(
        'file_exists',
        `${path} exists already. Set overwrite to replace it, or choose another name; read_skill shows it.`,
      );
    }
    const text = fileOf(args);
    const head = parseSkill(text, args.name, false);
    if ('problem' in head) throw invalidInput(`The skill ${head.problem}.`);
    const after = { content: Buffer.from(text), mode: before?.mode ?? 0o644 };
    const message = `Wrote ${path}. It is used by runs that start once it is merged, not by this one.`;
    const change = new ProposedChange([{ path, before, after }], message, { path, proposed: false });
    const prepared = change.prepared();
    // A protected path is not written, so it is not a target.
    return (await skills.mayWrite(path)) ? prepared : { ...prepared, targets: { what: path } };
  },
  async execute(args, context, prepared) {
    const path = pathOf(args.name);
    if (await context.skills.mayWrite(path)) return makeProposedChange(prepared, context, 'create_skill');
    const diff = prepared?.diff ?? '';
    const hash = createHash('sha256').update(diff).digest('hex').slice(0, 16);
    const reason = `${path} instructs agents, so a person has to apply it; protected.allow lets runs write it.`;
    context.record({
      type: 'approval.required',
      approval: { tool: 'create_skill', what: path, reason, hash, diff, call_id: context.callId },
    });
    return {
      content: `The skill is stored as a patch of ${path} in the report, for a person to apply. No file was changed, and it cannot be used in this run.`,
      data: { path, proposed: true, hash },
    };
  },
});

const pathOf = (name: string): string => `.agents/skills/${name}/SKILL.md`;

/** Builds the file. The description is written as JSON, which is valid YAML for any characters. */
function fileOf({ name, description, content }: z.output<typeof input>): string {
  const line = JSON.stringify(description.replaceAll(/\s+/g, ' '));
  return `---\nname: ${name}\ndescription: ${line}\n---\n\n${content}\n`;
}
