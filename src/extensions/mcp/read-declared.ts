import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Json, JsonObject } from '../../contract/json.ts';
import { visibleStart } from '../../tools/text/visible-text.ts';
import { type ExternalSchema, externalSchema } from '../protocol/input-schema.ts';
import { isBoundedJson } from '../protocol/message-lines.ts';

/** A declared tool. */
export interface DeclaredMcpTool {
  /** The server's name for it. */
  readonly given: string;
  /** The registered name. */
  readonly name: string;
  readonly description: string;
  readonly schema: ExternalSchema;
  /** The server claims that it changes nothing. */
  readonly claimsToRead: boolean;
  /** True if it can be called as a task only. */
  readonly asTask: boolean;
}

/** Maximum characters of a description. */
const longestDescription = 4_000;

/** Maximum characters of a problem. */
const longestProblem = 500;

/** Fields of a declaration; invalid ones are ignored, except for the name. */
const Declared = z.object({
  name: z.string().min(1),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.unknown().optional(),
  annotations: z
    .object({
      title: z.string().optional().catch(undefined),
      readOnlyHint: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  execution: z.object({ taskSupport: z.string().optional() }).optional().catch(undefined),
});

/**
 * Reads one entry of `tools/list`, so that a wrong one does not affect the others. A problem is a
 * clause with the server as its subject. `hide` removes the server's secrets before texts are cut.
 */
export function readDeclaredMcpTool(
  server: string,
  entry: Json,
  hide: (text: string) => string,
): DeclaredMcpTool | { readonly problem: string } {
  const parsed = Declared.safeParse(entry);
  if (!parsed.success) return { problem: 'declares a tool without a name' };
  const { name: given, title, description, inputSchema, annotations, execution } = parsed.data;
  const quoted = JSON.stringify(visibleStart(given, 80, hide));
  const name = mcpName(server, given);
  if (name === null) return { problem: `declares a tool whose name has no letter or digit: ${quoted}` };
  if (!isBoundedJson((inputSchema ?? null) as Json, { parts: 5_000, depth: 64 }))
    return { problem: `declares a tool ${quoted} whose input schema is too large or too deep` };
  const schema = externalSchema(inputSchema as Json | undefined);
  if ('problem' in schema)
    return {
      problem: `declares a tool ${quoted} whose input schema ${visibleStart(schema.problem, longestProblem, hide)}`,
    };
  const shownText =
    [description, title, annotations?.title].find((one) => (one ?? '').trim() !== '') ?? given;
  return {
    given,
    name,
    description: visibleStart(shownText.trim(), longestDescription, hide).trim(),
    schema,
    claimsToRead: annotations?.readOnlyHint === true,
    asTask: execution?.taskSupport === 'required',
  };
}

/** The entries of a page, and the next cursor; null on the last. */
export function readPage(
  result: JsonObject,
  key: string,
): { readonly items: readonly Json[]; readonly next: string | null } {
  const items = result[key];
  const { nextCursor } = result;
  return {
    items: Array.isArray(items) ? items : [],
    next: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : null,
  };
}

/** Maximum characters of a tool's name for providers. */
const longest = 64;

/**
 * The registered name of a server's tool, `mcp__<server>__<tool>`, in letters, digits, dashes and
 * underscores. A name that is too long ends in a digest, so that names stay distinct. Null if
 * nothing of the name is left.
 */
export function mcpName(server: string, tool: string): string | null {
  const plain = tool.trim().replaceAll(/[^A-Za-z0-9_-]+/g, '_');
  if (!/[A-Za-z0-9]/.test(plain)) return null;
  const name = `mcp__${server}__${plain}`;
  if (name.length <= longest) return name;
  const digest = createHash('sha256').update(tool).digest('hex').slice(0, 7);
  return `${name.slice(0, longest - 8)}_${digest}`;
}
