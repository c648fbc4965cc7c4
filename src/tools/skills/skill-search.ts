import * as z from 'zod';
import { unlessToolError } from '../../workspace/files/unless-tool-error.ts';
import { unlessNull } from '../input/lenient.ts';
import { searchFields, searchOutput } from '../storage/search-files.ts';
import { defineTool } from '../tool.ts';
import { findSkill } from './find-skill.ts';
import { skillFiles, skillPath, skillText, spendSkillCharacters } from './skill-text.ts';

const input = z.object({
  name: z.string().min(1),
  query: z.string().min(1).describe('text, taken literally'),
  path: unlessNull(z.string()).describe('a file or folder of the skill'),
  ...searchFields,
});

/** Searches the text files of one skill. The result counts as read. */
export const skillSearch = defineTool({
  name: 'skill.search',
  description: 'Search the text files of one skill.',
  exposure: 'deferred',
  input,
  level: 'auto_read',
  targets: (args) => ({ what: `"${args.query}" in ${args.name}${args.path ? `/${args.path}` : ''}` }),
  async execute(args, context) {
    const skill = await findSkill(context, args.name);
    const path = skillPath(args.path ?? '');
    const files = (await skillFiles(skill)).filter(
      (file) => path === '' || file === path || file.startsWith(`${path}/`),
    );
    // A named file must exist and be text; within a folder, other files are skipped.
    if (files.length === 0 || files[0] === path) await skillText(skill, path);
    const read = async (file: string) => {
      const found = await unlessToolError(() => skillText(skill, file));
      return { bytes: Buffer.from(found?.text ?? '') };
    };
    const found = await searchOutput({ read }, files, args, context.signal);
    const { content, lines, snippets, data } = found;
    if (snippets !== '') spendSkillCharacters(context.state, snippets.length);
    const refs = lines.filter(({ match }) => match).map(({ path: file, line }) => ({ path: file, line }));
    return { content, data: { ...data, refs } };
  },
});
