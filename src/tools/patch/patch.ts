import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { integer } from '../input/integer.ts';
import { defineTool } from '../tool.ts';
import { changedFiles } from '../write/changed-files.ts';
import { makeProposedChange, ProposedChange } from '../write/proposed-change.ts';
import { type FuzzyPlace, locateWithFuzz } from './locate-with-fuzz.ts';
import { parseUnified } from './parse-unified.ts';
import { patchTargets } from './patch-targets.ts';
import { planPatch } from './plan-patch.ts';

const input = z.object({
  patch: z.string().min(1).describe('a unified diff'),
  fuzz: integer(z.int().min(0).max(3))
    .default(2)
    .describe('lines of context at each end that need not match, 0 to 3'),
  strip: integer(z.int().min(0).max(20))
    .optional()
    .describe('leading folders to take off the names; left out, a/ and b/'),
  workdir: z.string().optional().describe("the folder the patch's names are relative to"),
});

/** Applies a unified diff as patch(1) does: at the nearest match, with fuzz; all or nothing. */
export const patch = defineTool({
  name: 'patch',
  argumentAliases: { input: 'patch', diff: 'patch', p: 'strip' },
  description:
    'Apply a unified diff to files that have changed since it was made: hunks are searched for near their lines, with fuzz. All or none.',
  exposure: 'deferred',
  input,
  level: 'confirm_write',
  readOnly: false,
  targets: (args) => patchTargets(patchesOf(args), args.workdir).targets,
  async prepare(args, context) {
    const { patches } = patchTargets(patchesOf(args), args.workdir);
    const places: FuzzyPlace[] = [];
    const locate = locateWithFuzz(args.fuzz, (place) => places.push(place));
    const { files, steps } = await planPatch(context.workspace, patches, locate);
    if (files.length === 0) {
      throw new ToolError(
        'invalid_patch',
        'The patch would change nothing: the files are already as it makes them.',
      );
    }
    const moved = places.filter(({ fuzz, offset }) => fuzz > 0 || offset !== 0);
    const remarks = moved.map((place) => `\n${described(place)}`).join('');
    const shown = changedFiles(files, new Set(moved.map(({ path }) => path)));
    const data = { hunks: places.map((place) => ({ ...place })) };
    return new ProposedChange(
      files,
      `Patch applied: ${steps.join('; ')}.${remarks}${shown}`,
      data,
    ).prepared();
  },
  execute: (_args, context, prepared) => makeProposedChange(prepared, context, 'patch'),
});

function patchesOf(args: z.output<typeof input>) {
  const patches = parseUnified(args.patch, args.strip ?? null);
  if (patches.length > 0) return patches;
  throw new ToolError(
    'invalid_patch',
    'The patch changes no file. Give a unified diff (--- a/file, +++ b/file, @@ … @@); a *** Begin Patch envelope goes to apply_patch.',
  );
}

function described({ path, number, fuzz, offset }: FuzzyPlace): string {
  const lines = Math.abs(offset) === 1 ? '1 line' : `${Math.abs(offset)} lines`;
  const how = [
    ...(fuzz === 0 ? [] : [`with fuzz ${fuzz}`]),
    ...(offset === 0 ? [] : [`${lines} further ${offset > 0 ? 'down' : 'up'} than stated`]),
  ];
  return `Hunk ${number} of ${path} went in ${how.join(', ')}.`;
}
