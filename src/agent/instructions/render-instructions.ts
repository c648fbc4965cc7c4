import type { ActivatedInstructions } from '../../contract/run-history.ts';

/** Scope of instructions that apply to every file. */
export const wholeRepository = 'this repository';

/** Renders instructions for the model. */
function renderInstructions({ ref, applies, text }: ActivatedInstructions): string {
  const what = applies === wholeRepository ? applies : `${wholeRepository} for ${applies}`;
  return `Instructions of ${what} (${ref}):\n${text}`;
}

/**
 * Renders as many instructions as fit, in order. The rest is named, with how to read it. '' for
 * none.
 */
export function fitInstructions(all: readonly ActivatedInstructions[], characters: number): string {
  const rendered: string[] = [];
  const left: string[] = [];
  let budget = characters;
  for (const one of all) {
    const text = renderInstructions(one);
    if (text.length > budget) left.push(`${one.ref} (for ${one.applies})`);
    else {
      budget -= text.length;
      rendered.push(text);
    }
  }
  const rest =
    left.length === 0
      ? []
      : [
          `More instructions hold; read them with worldinfo.read_activated, called through use_tool: ${left.slice(0, 20).join(', ')}${left.length > 20 ? ` and ${left.length - 20} more` : ''}`,
        ];
  return [...rendered, ...rest].join('\n\n');
}
