import type { TouchedFiles } from '../reminders/touched-files.ts';
import type { TurnReminder } from '../reminders/turn-reminders.ts';
import type { InstructionLoader } from './instruction-loader.ts';
import { fitInstructions } from './render-instructions.ts';

/**
 * Characters that one note has at most, and all notes of a run together; beyond it, instructions
 * are only named.
 */
const budget = { reminder: 16_000, run: 96_000 };

/**
 * Reminds a run, once each, of the instructions that apply to the files its calls touch. `initial`
 * returns those its conversation has already. `normal` returns a named path relative to the root;
 * null for a path elsewhere.
 */
export function instructionReminder(
  instructions: InstructionLoader,
  touched: TouchedFiles,
  initial: () => Promise<readonly { readonly ref: string }[]>,
  normal: (path: string) => string | null,
): TurnReminder {
  let known: Set<string> | null = null;
  let left = budget.run;
  return async () => {
    if (touched.takeSummarised()) {
      // Only the first message is certain to remain after a summary. Later instructions are added
      // again when they apply.
      known = new Set((await instructions.start()).map(({ ref }) => ref));
      left = budget.run;
    }
    const paths = touched.take().flatMap((path) => normal(path) ?? []);
    if (paths.length === 0) return null;
    known ??= new Set((await initial()).map(({ ref }) => ref));
    const active = await instructions.forPaths(paths);
    // The model has just read these files, so it needs no reminder of them.
    const fresh = active.filter(({ ref }) => known?.has(ref) === false && !paths.includes(ref));
    for (const { ref } of active) known.add(ref);
    if (fresh.length === 0) return null;
    const text = fitInstructions(fresh, Math.min(budget.reminder, left));
    left = Math.max(0, left - text.length);
    return text;
  };
}
