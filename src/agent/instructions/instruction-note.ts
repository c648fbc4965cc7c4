import type { FilesInPlay } from '../notes/files-in-play.ts';
import type { TurnNote } from '../notes/turn-notes.ts';
import type { InstructionBook } from './instruction-book.ts';
import { fitInstructions } from './render-instructions.ts';

/**
 * Characters that one note has at most, and all notes of a run together; beyond it, instructions
 * are only named.
 */
const room = { note: 16_000, run: 96_000 };

/**
 * Tells a run, once each, of the instructions that come to hold by the files its calls touch.
 * `told` are those its conversation has already; `normal` gives a path from the root for one that a
 * call named, or null for what lies elsewhere.
 */
export function instructionNote(
  book: InstructionBook,
  play: FilesInPlay,
  told: () => Promise<readonly { readonly ref: string }[]>,
  normal: (path: string) => string | null,
): TurnNote {
  let known: Set<string> | null = null;
  let left = room.run;
  return async () => {
    if (play.takeSummarised()) {
      // The first message stays; what was told since may be gone, and is told again when it is
      // needed.
      known = new Set((await book.start()).map(({ ref }) => ref));
      left = room.run;
    }
    const paths = play.take().flatMap((path) => normal(path) ?? []);
    if (paths.length === 0) return null;
    known ??= new Set((await told()).map(({ ref }) => ref));
    const held = await book.of(paths);
    // The model has just read these files, so it needs no reminder of them.
    const fresh = held.filter(({ ref }) => known?.has(ref) === false && !paths.includes(ref));
    for (const { ref } of held) known.add(ref);
    if (fresh.length === 0) return null;
    const text = fitInstructions(fresh, Math.min(room.note, left));
    left = Math.max(0, left - text.length);
    return text;
  };
}
