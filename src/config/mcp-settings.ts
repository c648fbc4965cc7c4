import * as z from 'zod';
import { HeaderSettings } from './host-settings.ts';

/** Two underscores divide the parts of a tool's name, `mcp__<server>__<tool>`: rules must be able to tell them apart. */
const ServerName = z
  .string()
  .max(40)
  .regex(
    /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/,
    'a name of letters, digits, - and single _ between them, as my-server',
  );

const Text = z.string().max(8_000);
const Names = z.array(z.string().min(1).max(200)).max(200);

/** What every server may be given besides how it is reached. */
const common = {
  /** False: it is left out. */
  enabled: z.boolean().optional(),
  /** Which of its tools there are, by the names it gives them or globs; denied is denied. */
  tools: z.strictObject({ allow: Names.optional(), deny: Names.optional() }).optional(),
  /** Whether what it claims of its tools (`readOnlyHint`) decides on their level. */
  trustAnnotations: z.boolean().optional(),
  /** Seconds for each call; left out, `tools.externalTimeout`. */
  timeoutSeconds: z.int().positive().max(1_800).optional(),
};

/** A program that is talked to over its standard input and output. */
const StdioServerSettings = z.strictObject({
  ...common,
  type: z.literal('stdio').optional(),
  command: z.string().min(1).max(1_000),
  args: z.array(Text).max(100).optional(),
  /** Its variables; `{env:NAME}` stands for one that `env.pass` gives it. */
  env: z.record(z.string().regex(/^[A-Za-z_]\w*$/, 'the name of a variable'), Text).optional(),
  /** True: its sandbox shows the workspace for reading only, and without a network its tools count as reading. */
  readOnly: z.boolean().optional(),
});

/** A server that is reached over streamable HTTP. */
const HttpServerSettings = z.strictObject({
  ...common,
  type: z.enum(['http', 'streamable-http']).optional(),
  url: z
    .string()
    .max(2_000)
    .regex(/^https?:\/\/[^\s/]/, 'an address that begins with https:// or http://'),
  /** Sent with each request; `{env:NAME}` stands for a variable that `env.pass` gives the server. */
  headers: HeaderSettings.optional(),
  /** True: it may have a private address, as one on this machine or in the operator's network has. */
  privateAddress: z.boolean().optional(),
});

/** `folder` is where its relative paths start, for one that the operator of this machine named. */
type Placed = { readonly folder?: string };
export type StdioServerSettings = z.infer<typeof StdioServerSettings> & Placed;
export type HttpServerSettings = z.infer<typeof HttpServerSettings> & Placed;

/** One server of the Model Context Protocol. */
export const McpServerSettings = z.union([StdioServerSettings, HttpServerSettings]);
export type McpServerSettings = StdioServerSettings | HttpServerSettings;

/** Servers of the Model Context Protocol, and whether those of `.mcp.json` count. */
export const McpSettings = z.strictObject({
  servers: z.record(ServerName, McpServerSettings).optional(),
  /** Whether servers of the base branch's `.mcp.json` are started: all of them, or those of these names or globs. */
  workspace: z.union([z.boolean(), Names]).optional(),
});
