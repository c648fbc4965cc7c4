import { ToolError } from '../../contract/errors.ts';

/** What is looked for in a workspace, or null where a path leads outside, cannot be read, or is not there: then it does not count. */
export async function unlessToolError<Value>(look: () => Promise<Value>): Promise<Value | null> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
