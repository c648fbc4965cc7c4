import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { isJsonObject, type Json } from '../../contract/json.ts';
import { unlessNull } from '../../tools/input/lenient.ts';
import { visibleLine } from '../../tools/text/visible-text.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import type { McpServer } from './mcp-server.ts';
import { levelOf, requester, type ServerTerms } from './mcp-tool.ts';
import { readPage } from './read-declared.ts';
import { longestWord, renderParts } from './render-result.ts';

const listInput = z.object({
  cursor: unlessNull(z.string()).describe('from the previous page; default: the first page'),
});
const readInput = z.object({
  uri: z.string().min(1).max(8_000).describe('of a listed resource, or made from a template'),
});

/** Creates the tools that list and read a server's resources. */
export function resourceTools(server: McpServer, terms: ServerTerms): readonly Tool[] {
  const prefix = `mcp__${server.name}__`;
  // Listing runs the server's own program.
  const level = levelOf(terms, true);
  const common = { exposure: 'deferred', level, readOnly: level !== 'confirm_execute' } as const;
  const [listName, readName] = [`${prefix}list_resources`, `${prefix}read_resource`];
  const list = defineTool({
    ...common,
    name: listName,
    description: `List what the MCP server ${server.name} has to read, with addresses for ${readName}.`,
    input: listInput,
    targets: ({ cursor }) => ({ what: cursor === undefined ? 'resources' : `resources from ${cursor}` }),
    async execute({ cursor }, context) {
      const params = cursor === undefined ? {} : { cursor };
      const ask = requester(listName, server, terms, context);
      const { items, next } = readPage(await ask('resources/list', params), 'resources');
      // Templates are few, and optional for servers.
      const templates =
        cursor === undefined
          ? await ask('resources/templates/list', params).then(
              (result) => readPage(result, 'resourceTemplates').items,
              (error: unknown) => noneUnlessAborted(error, context.signal),
            )
          : [];
      const lines = [
        ...items.map((one) => lineOf(one, 'uri', terms.hide)),
        ...(templates.length === 0 ? [] : ['Templates of addresses, to be filled in:']),
        ...templates.map((one) => lineOf(one, 'uriTemplate', terms.hide)),
        ...(next === null ? [] : [`[more: cursor ${JSON.stringify(next)}]`]),
      ].filter((line) => line !== '');
      return { content: terms.hide(lines.join('\n')) || '(none)' };
    },
  });
  const read = defineTool({
    ...common,
    name: readName,
    description: `Read a resource of the MCP server ${server.name} by its address.`,
    input: readInput,
    targets: ({ uri }) => ({ what: uri }),
    async execute({ uri }, context) {
      const result = await requester(readName, server, terms, context)('resources/read', { uri });
      const contents = Array.isArray(result.contents) ? result.contents.filter(isJsonObject) : [];
      if (contents.length === 0)
        throw new ToolError('not_found', `The MCP server ${server.name} gave nothing for ${uri}.`);
      const parts = contents.slice(0, 200).map((resource) => ({ type: 'resource', resource }));
      return { content: await renderParts(parts, terms.hide) };
    },
  });
  return [list, read];
}

function lineOf(item: Json, key: 'uri' | 'uriTemplate', hide: ServerTerms['hide']): string {
  if (!isJsonObject(item)) return '';
  const details = [item.title ?? item.name, item.description, item.mimeType].map((one) =>
    visibleLine(one, longestWord, hide),
  );
  return `${visibleLine(item[key], 2_000, hide)}: ${details.filter((one) => one !== '').join(', ')}`;
}

function noneUnlessAborted(error: unknown, signal: AbortSignal): readonly Json[] {
  signal.throwIfAborted();
  if (error instanceof ToolError) return [];
  throw error;
}
