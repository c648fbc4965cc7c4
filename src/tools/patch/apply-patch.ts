import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { defineTool } from '../tool.ts';
import { makeProposedChange, ProposedChange } from '../write/proposed-change.ts';
import type { Hunk, HunkLocation } from './file-patch.ts';
import { locateHunk } from './locate-hunk.ts';
import { parsePatch } from './parse-patch.ts';
import { changedFiles, patchTargets, planPatch } from './plan-patch.ts';

const input = z.object({
  patch: z.string().min(1),
  /** Folder of an intercepted here-document, to which the patch's paths are relative. */
  workdir: z.string().optional().meta({ hidden: true }),
});

/** Applies a patch to any number of files, all or nothing. */
export const applyPatch = defineTool({
  name: 'apply_patch',
  aliases: { applyPatch: {} },
  argumentAliases: { input: 'patch', diff: 'patch' },
  description:
    'Change files, all or none, by a unified diff (--- a/f, +++ b/f, @@) or a *** Begin Patch envelope.',
  input,
  level: 'confirm_write',
  targets: (args) => patchTargets(parsePatch(args.patch), args.workdir).targets,
  async prepare(args, context) {
    const { patches } = patchTargets(parsePatch(args.patch), args.workdir);
    const elsewhere = new Set<string>();
    const { files, steps } = await planPatch(context.workspace, patches, (path, file, hunk, at) => {
      const found = locateHunk(path, file, hunk, at);
      if (isElsewhere(file.lines, hunk, found)) elsewhere.add(path);
      return found;
    });
    if (files.length === 0) {
      throw new ToolError(
        'invalid_patch',
        'The patch would change nothing: the files are already as it makes them.',
      );
    }
    const shown = changedFiles(files, elsewhere);
    return new ProposedChange(files, `Patch applied: ${steps.join('; ')}.${shown}`, {}).prepared();
  },
  execute: (_args, context, prepared) => makeProposedChange(prepared, context, 'apply_patch'),
});

/** True if a hunk was placed at another line than stated, or with lines that differ. */
function isElsewhere(
  lines: readonly string[],
  hunk: Hunk,
  { place, lines: made, shift }: HunkLocation,
): boolean {
  if (hunk.line !== null && shift !== 0) return true;
  const old = made.filter(({ mark }) => mark !== '+');
  return old.some(({ text }, index) => lines[place + index] !== text.replace(/\r$/, ''));
}
