import * as z from 'zod';
import { ToolError } from '../contract/errors.ts';
import { makeProposedChange, ProposedChange } from './edit/proposed-change.ts';
import { parsePatch } from './patch/parse-patch.ts';
import { patchTargets } from './patch/patch-targets.ts';
import { planPatch } from './patch/plan-patch.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  patch: z.string().min(1),
  /** Where an intercepted here-document stood; the patch's paths are relative to it. */
  workdir: z.string().optional().meta({ hidden: true }),
});

/** Applies a patch to any number of files, all of it or nothing. */
export const applyPatch = defineTool({
  name: 'apply_patch',
  aliases: { applyPatch: {} },
  argumentAliases: { input: 'patch', diff: 'patch' },
  description:
    'Change files, all or none, by a unified diff (--- a/f, +++ b/f, @@) or a *** Begin Patch envelope.',
  input,
  level: 'confirm_write',
  readOnly: false,
  targets: (args) => patchTargets(parsePatch(args.patch), args.workdir).targets,
  async prepare(args, context) {
    const { patches } = patchTargets(parsePatch(args.patch), args.workdir);
    const { files, steps } = await planPatch(context.workspace, patches);
    if (files.length === 0) {
      throw new ToolError(
        'invalid_patch',
        'The patch would change nothing: the files are already as it makes them.',
      );
    }
    return new ProposedChange(files, `Patch applied: ${steps.join('; ')}.`, {}).prepared();
  },
  execute: (_args, context, prepared) => makeProposedChange(prepared, context, 'apply_patch'),
});
