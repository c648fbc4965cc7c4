import { ToolError } from '../../contract/errors.ts';
import { nameMatcher } from '../../permissions/patterns/match-globs.ts';

/**
 * Counts the calls of each tool of one run and throws `ToolError('used_up')` for those beyond what its profile gives, by
 * name or glob; of several that fit the smallest holds. The run itself goes on.
 */
export function limitCalls(maxCallsPerTool: Readonly<Record<string, number>>): (tool: string) => void {
  const limits = Object.entries(maxCallsPerTool).map(([pattern, most]) => ({
    fits: nameMatcher([pattern]),
    most,
    made: 0,
  }));
  return (tool) => {
    const held = limits.filter(({ fits }) => fits(tool));
    const full = held.find(({ made, most }) => made >= most);
    if (full !== undefined) {
      throw new ToolError(
        'used_up',
        `${tool} is used up: this run may call it ${full.most} times. Go on without it.`,
      );
    }
    for (const limit of held) limit.made += 1;
  };
}
