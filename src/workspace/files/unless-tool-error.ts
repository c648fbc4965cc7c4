import { ToolError } from '../../contract/errors.ts';

/**
 * Returns null if `look` throws a `ToolError`: the path leads outside, is unreadable or missing.
 */
export async function unlessToolError<Value>(look: () => Promise<Value>): Promise<Value | null> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
