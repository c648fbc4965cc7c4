import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { integer } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';
import { makeProposedChange, ProposedChange } from '../write/proposed-change.ts';
import type { Hunk, HunkLine, HunkLocation, HunkPosition, LocateHunk } from './file-patch.ts';
import { hunkErrors } from './hunk-errors.ts';
import { asItIs, oldLines, placeOfInsertion } from './locate-hunk.ts';
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
    .describe('leading folders to remove from names; default: a/ and b/'),
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
  targets: (args) => patchTargets(patchesOf(args), args.workdir).targets,
  async prepare(args, context) {
    const { patches } = patchTargets(patchesOf(args), args.workdir);
    const places: FuzzyMatch[] = [];
    const locate = locateWithFuzz(args.fuzz, (place) => places.push(place));
    const { files, steps } = await planPatch(context.workspace, patches, locate);
    if (files.length === 0) {
      throw new ToolError(
        'invalid_patch',
        'The patch would change nothing: the files are already as it makes them.',
      );
    }
    const moved = places.filter(({ fuzz, offset }) => fuzz > 0 || offset !== 0);
    const notes = moved.map((place) => `\n${described(place)}`).join('');
    const shown = changedFiles(files, new Set(moved.map(({ path }) => path)));
    const data = { hunks: places.map((place) => ({ ...place })) };
    return new ProposedChange(files, `Patch applied: ${steps.join('; ')}.${notes}${shown}`, data).prepared();
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

function described({ path, number, fuzz, offset }: FuzzyMatch): string {
  const lines = Math.abs(offset) === 1 ? '1 line' : `${Math.abs(offset)} lines`;
  const how = [
    ...(fuzz === 0 ? [] : [`with fuzz ${fuzz}`]),
    ...(offset === 0 ? [] : [`${lines} further ${offset > 0 ? 'down' : 'up'} than stated`]),
  ];
  return `Hunk ${number} of ${path} went in ${how.join(', ')}.`;
}

/** The match of a hunk. */
export interface FuzzyMatch {
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
export function locateWithFuzz(most: number, found: (place: FuzzyMatch) => void): LocateHunk {
  return (path, file, hunk, at) => {
    const inserts = hunk.lines.every((line) => line.mark === '+');
    const { fuzz, lines, place, offset } = inserts
      ? insertion(path, file, hunk, at)
      : fuzzyMatch(path, file, hunk, { ...at, most });
    found({ path, number: at.number, fuzz, offset });
    return { place, lines, shift: hunk.line === null ? at.shift : offset };
  };
}

/** A match with its location, and the lines that are applied there. */
type PlacedMatch = Pick<FuzzyMatch, 'fuzz' | 'offset'> & Pick<HunkLocation, 'place' | 'lines'>;

function insertion(...hunk: Parameters<LocateHunk>): PlacedMatch {
  const place = placeOfInsertion(...hunk);
  const { line, lines } = hunk[2];
  return { place, lines, fuzz: 0, offset: line === null ? 0 : place - line };
}

/** Finds a hunk with the least fuzz. Throws `ToolError` for no match or several. */
function fuzzyMatch(
  path: string,
  file: SearchedLines,
  hunk: Hunk,
  at: HunkPosition & { readonly most: number },
): PlacedMatch {
  const before = leading(hunk.lines);
  const after = leading(hunk.lines.toReversed());
  const errors = hunkErrors(path, file.lines, hunk, at);
  for (let fuzz = 0; fuzz <= Math.min(at.most, Math.max(before, after)); fuzz += 1) {
    const part = partWithFuzz(hunk, at, { fuzz, before, after });
    if (part.wanted.length === 0) break;
    const places = nearestPlaces(file, part, at.from);
    if (places.length > 1) throw errors.ambiguous(places);
    const [place] = places;
    if (place === undefined) continue;
    const offset = hunk.line === null ? 0 : place - part.head - (hunk.line - 1);
    return { place, lines: part.kept, fuzz, offset };
  }
  const uneven = before > after && hunk.line !== null;
  throw errors.notFound(oldLines(hunk.lines), uneven ? unevenHint : '');
}

const unevenHint = 'With fewer lines after its change than before, a hunk belongs to the end of the file.';

/** The lines of a hunk that have to match, and the restrictions on their location. */
interface HunkPart {
  /** Number of lines ignored at the start. */
  readonly head: number;
  readonly kept: readonly HunkLine[];
  readonly wanted: readonly string[];
  readonly expected: number | null;
  /** True if the lines have to be at the start, or at the end, of the file. */
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

function partWithFuzz(
  hunk: Hunk,
  at: HunkPosition,
  { fuzz, before, after }: { readonly fuzz: number; readonly before: number; readonly after: number },
): HunkPart {
  const context = Math.max(before, after);
  const head = Math.max(0, fuzz + before - context);
  const tail = Math.max(0, fuzz + after - context);
  const kept = hunk.lines.slice(head, hunk.lines.length - tail);
  return {
    head,
    kept,
    wanted: oldLines(kept),
    expected: hunk.line === null ? null : hunk.line - 1 + at.shift + head,
    atStart: hunk.line !== null && hunk.line <= 1 && fuzz + before < context,
    atEnd: hunk.atEnd || (hunk.line !== null && fuzz + after < context),
  };
}

/** Returns the matches nearest to the expected location, or all without one. */
function nearestPlaces(file: SearchedLines, part: HunkPart, from: number): number[] {
  const { lines } = file;
  const { wanted, expected, atStart, atEnd } = part;
  const last = lines.length - wanted.length;
  const allowed = (index: number): boolean =>
    index >= from && index <= last && (!atStart || index === 0) && (!atEnd || index === last);
  const fits = (index: number): boolean =>
    allowed(index) && wanted.every((text, offset) => lines[index + offset] === text);
  if (expected !== null && fits(expected)) return [expected];
  const places = file.find(asItIs, wanted, from).filter(allowed);
  if (expected === null) return places;
  const distance = (place: number) => Math.abs(place - expected);
  const nearest = places.reduce((least, place) => Math.min(least, distance(place)), Number.POSITIVE_INFINITY);
  return places.filter((place) => distance(place) === nearest);
}

function leading(lines: readonly HunkLine[]): number {
  const changed = lines.findIndex((line) => line.mark !== ' ');
  return changed === -1 ? lines.length : changed;
}
