import { ToolError } from '../../contract/errors.ts';

/** Awaits all work. Tool errors become lines in `failed`; if all fail, the first is thrown. */
export async function collectResults<Value>(
  work: readonly Promise<Value>[],
): Promise<{ readonly values: Value[]; readonly failed: string[] }> {
  const results = await Promise.all(
    work.map((one) =>
      one.then(
        (value) => ({ value }),
        (error: unknown) => {
          if (error instanceof ToolError) return { error };
          throw error;
        },
      ),
    ),
  );
  const values = results.flatMap((one) => ('value' in one ? [one.value] : []));
  const errors = results.flatMap((one) => ('error' in one ? [one.error] : []));
  if (values.length === 0 && errors[0] !== undefined) throw errors[0];
  return { values, failed: errors.map(({ message }) => `[${message}]`) };
}
