import * as z from 'zod';

const Name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,29}$/, 'the name of a plug-in: small letters, digits and -, up to 30 of them');

/** A path of a file or folder from where relative paths start: neither absolute nor upwards. */
const Below = z
  .string()
  .max(1_000)
  .regex(/^(?![/~])(?!(?:.*\/)?\.\.(?:\/|$))[^\0]+$/, 'a relative path without ..');

/** A program that runs beside a run and has tools for it. */
const PluginFields = z.strictObject({
  /** The program and its arguments; a word with a slash is a file of the base branch, as are all that lie beside and below it. */
  command: z.array(z.string().min(1).max(1_000)).min(1).max(50),
  /** More files or folders that it needs. */
  files: z.array(Below).max(20).optional(),
  /** True: its sandbox shows the workspace for reading only, and tools that it says only read count as such. */
  readOnly: z.boolean().optional(),
});

/** Plug-ins by name. */
export const PluginSettings = z.record(Name, PluginFields);

/** One plug-in; `folder` is where its relative paths start, for one that the operator of this machine wrote. */
export type Plugin = z.infer<typeof PluginFields> & { readonly folder?: string };
