import { ToolError } from '../../contract/errors.ts';
import type { Children } from '../services/children.ts';
import type { ToolContext } from '../tool.ts';

/** Returns the children of a run. Throws `ToolError('unavailable')` inside a child. */
export function childrenOf({ children }: Pick<ToolContext, 'children'>): Children {
  if (children !== undefined) return children;
  throw new ToolError(
    'unavailable',
    'A child run cannot start or see other children. Do the work yourself and return what you have.',
  );
}
