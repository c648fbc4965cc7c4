import { ToolError } from '../../contract/errors.ts';

/** Awaits all work. Tool errors become lines in `failed`; if all fail, the first is thrown. */
export async function collectResults<Value extends object | string>(
  work: readonly Promise<Value>[],
): Promise<{ readonly values: Value[]; readonly failed: string[] }> {
  const results = await Promise.all(
    work.map((one) =>
      one.catch((error: unknown) => {
        if (error instanceof ToolError) return error;
        throw error;
      }),
    ),
  );
  const values = results.filter((one): one is Value => !(one instanceof ToolError));
  const errors = results.filter((one) => one instanceof ToolError);
  if (values.length === 0 && errors[0] !== undefined) throw errors[0];
  return { values, failed: errors.map(({ message }) => `[${message}]`) };
}
