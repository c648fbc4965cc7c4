import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { integer } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';
import { makeProposedChange, ProposedChange } from '../write/proposed-change.ts';
import type { Hunk, HunkLine, HunkPlace, HunkPosition, LocateHunk } from './file-patch.ts';
import { hunkErrors } from './hunk-errors.ts';
import { asItIs, placeOfInsertion } from './locate-hunk.ts';
import { parseUnified } from './parse-unified.ts';
import { changedFiles, patchTargets, planPatch } from './plan-patch.ts';
import type { SearchedLines } from './searched-lines.ts';

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

/** The match of a hunk. */
export interface FuzzyPlace {
  readonly path: string;
  /** Number of the hunk within its file, from 1. */
  readonly number: number;
  /** Context lines ignored at each end. */
  readonly fuzz: number;
  /** Lines below the stated line; negative above it. */
  readonly offset: number;
}

/**
 * Finds hunks as patch(1) does: at the stated line, then at growing distance. First all lines of
 * context must match, then up to `most` are ignored at each end (of the longer context first). A
 * hunk with less context after its change than before belongs to the end of the file. The reverse
 * belongs to its start, unless the fuzz evens that out. Unlike patch(1), it refuses two equally
 * distant matches, and a hunk without any old line left. Calls `found` for every match.
 */
export function locateWithFuzz(most: number, found: (place: FuzzyPlace) => void): LocateHunk {
  return (path, file, hunk, at) => {
    const { lines } = file;
    const before = leading(hunk.lines);
    const after = leading(hunk.lines.toReversed());
    const context = Math.max(before, after);
    if (hunk.lines.every((line) => line.mark === '+')) {
      const place = placeOfInsertion(path, file, hunk, at);
      found({ path, number: at.number, fuzz: 0, offset: hunk.line === null ? 0 : place - hunk.line });
      return { place, lines: hunk.lines, shift: hunk.line === null ? at.shift : place - hunk.line };
    }
    for (let fuzz = 0; fuzz <= Math.min(most, context); fuzz += 1) {
      const head = Math.max(0, fuzz + before - context);
      const tail = Math.max(0, fuzz + after - context);
      const kept = hunk.lines.slice(head, hunk.lines.length - tail);
      const wanted = oldLines(kept);
      if (wanted.length === 0) break;
      const anchor = {
        start: hunk.line !== null && hunk.line <= 1 && fuzz + before < context,
        end: hunk.atEnd || (hunk.line !== null && fuzz + after < context),
      };
      const expected = hunk.line === null ? null : hunk.line - 1 + at.shift + head;
      const places = nearestPlaces(file, wanted, expected, at.from, anchor);
      if (places.length > 1) throw hunkErrors(path, lines, hunk, at).ambiguous(places);
      const [place] = places;
      if (place === undefined) continue;
      const shift = hunk.line === null ? at.shift : place - head - (hunk.line - 1);
      found({ path, number: at.number, fuzz, offset: hunk.line === null ? 0 : shift });
      return { place, lines: kept, shift } satisfies HunkPlace;
    }
    throw notFound(path, lines, hunk, at, before - after);
  };
}

/** Returns the matches nearest to the expected location, or all without one. */
function nearestPlaces(
  file: SearchedLines,
  wanted: readonly string[],
  expected: number | null,
  from: number,
  anchor: { readonly start: boolean; readonly end: boolean },
): number[] {
  const { lines } = file;
  const last = lines.length - wanted.length;
  const allowed = (index: number): boolean =>
    index >= from && index <= last && (!anchor.start || index === 0) && (!anchor.end || index === last);
  const fits = (index: number): boolean =>
    allowed(index) && wanted.every((text, offset) => lines[index + offset] === text);
  if (expected !== null && fits(expected)) return [expected];
  const places = file.find(asItIs, wanted, from).filter(allowed);
  if (expected === null) return places;
  const distance = (place: number) => Math.abs(place - expected);
  const nearest = places.reduce((least, place) => Math.min(least, distance(place)), Number.POSITIVE_INFINITY);
  return places.filter((place) => distance(place) === nearest);
}

function notFound(path: string, lines: readonly string[], hunk: Hunk, at: HunkPosition, uneven: number) {
  return hunkErrors(path, lines, hunk, at).notFound(
    oldLines(hunk.lines),
    uneven > 0 && hunk.line !== null
      ? 'With fewer lines after its change than before, a hunk belongs to the end of the file.'
      : '',
  );
}

function leading(lines: readonly HunkLine[]): number {
  const changed = lines.findIndex((line) => line.mark !== ' ');
  return changed === -1 ? lines.length : changed;
}

function oldLines(lines: readonly HunkLine[]): string[] {
  return lines.filter((line) => line.mark !== '+').map((line) => line.text.replace(/\r$/, ''));
}
