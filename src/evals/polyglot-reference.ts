import path from 'node:path';
import type { JsonObject } from '../contract/json.ts';
import type { TranscriptAnswer } from './eval-task.ts';

/** A file of a reference solution. */
export interface ReferenceFile {
  /** Path in the repository. */
  readonly target: string;
  /** Path in the folder of the exercise. */
  readonly example: string;
}

/**
 * Finds the place of each example file. That is the solution file with its base name, else the
 * only one with its extension if the name says no more than `example` or `proof`. Any other is a
 * new file beside the first solution file. `Cargo-example.toml` stands for `Cargo.toml`, and need
 * not be listed: `others` has the further files beside the examples. Returns null for an example
 * without a place.
 */
export function referenceFiles(
  solution: readonly string[],
  examples: readonly string[],
  others: readonly string[],
): ReferenceFile[] | null {
  const found: ReferenceFile[] = [];
  for (const example of examples) {
    const target = placeOf(example, solution);
    if (target === null || found.some((file) => file.target === target)) return null;
    found.push({ target, example });
  }
  for (const target of solution) {
    const { name, ext } = path.parse(target);
    const example = others.find((other) => path.basename(other) === `${name}-example${ext}`);
    if (example !== undefined && !found.some((file) => file.target === target))
      found.push({ target, example });
  }
  return found;
}

function placeOf(example: string, solution: readonly string[]): string | null {
  const base = path.basename(example);
  const same = solution.filter((file) => path.basename(file) === base);
  if (same.length > 0) return same.length === 1 ? (same[0] ?? null) : null;
  if (/^(example|proof)\b/.test(base)) {
    const alike = solution.filter((file) => path.extname(file) === path.extname(base));
    return alike.length === 1 ? (alike[0] ?? null) : null;
  }
  const [first] = solution;
  return first === undefined ? null : path.posix.join(path.posix.dirname(first), base);
}

/** A file to write: its text before, null if it does not exist, and after. */
export interface WrittenFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/**
 * Returns the answers of a model that would write the files: it reads what exists, replaces the
 * text of the first file with `edit_file`, and writes the others with `create_file`.
 */
export function referenceTranscript(files: readonly WrittenFile[]): TranscriptAnswer[] {
  const changed = files.filter(({ before, after }) => before !== after);
  const reads = changed.filter(({ before }) => before !== null);
  const edits = changed.map((file, at) => (at === 0 && file.before ? editOf(file) : writeOf(file)));
  return [
    ...(reads.length === 0 ? [] : [{ calls: reads.map((file) => call('read', { path: file.path })) }]),
    ...(edits.length === 0 ? [] : [{ calls: edits }]),
    { text: 'The exercise is solved.' },
  ];
}

const editOf = ({ path: file, before, after }: WrittenFile) =>
  call('edit_file', { path: file, old_str: before ?? '', new_str: after });
const writeOf = ({ path: file, before, after }: WrittenFile) =>
  call('create_file', { path: file, content: after, ...(before === null ? {} : { overwrite: true }) });

const call = (name: string, input: JsonObject) => ({ name, input });
