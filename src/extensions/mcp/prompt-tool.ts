import * as z from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import { unlessNull } from '../../tools/input/lenient.ts';
import { visibleLine } from '../../tools/text/visible-text.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import type { McpServer } from './mcp-server.ts';
import { levelOf, requester, type ServerTerms } from './mcp-tool.ts';
import { readPage } from './read-declared.ts';
import { longestWord, renderParts } from './render-result.ts';

const input = z.object({
  name: unlessNull(z.string()).describe('left out, all prompts are listed with their arguments'),
  arguments: unlessNull(z.record(z.string(), z.string())).describe('those of the prompt, by name'),
});

/** Maximum pages, characters of a list, and arguments of a prompt. */
const mostPages = 20;
const mostListed = 200_000;
const mostArguments = 50;

const more = '[there are more prompts than are listed; one that you know by its name can be had by it]';

/** Creates the tool that lists and returns a server's prompts. */
export function promptTool(server: McpServer, terms: ServerTerms): Tool {
  const level = levelOf(terms, true);
  const own = `mcp__${server.name}__get_prompt`;
  return defineTool({
    name: own,
    description: `Get a prompt of the MCP server ${server.name}: words that it has for a kind of work. Without a name they are listed.`,
    exposure: 'deferred',
    input,
    level,
    readOnly: level !== 'confirm_execute',
    targets: ({ name }) => ({ what: name ?? 'all prompts' }),
    async execute({ name, arguments: given }, context) {
      const ask = requester(own, server, terms, context);
      if (name === undefined) return { content: await listAll(ask, terms.hide) };
      const result = await ask('prompts/get', given === undefined ? { name } : { name, arguments: given });
      const messages = Array.isArray(result.messages) ? result.messages.filter(isJsonObject) : [];
      const content = messages
        .slice(0, 100)
        .flatMap(({ role, content }): Json[] => [
          ...(messages.length > 1
            ? [{ type: 'text', text: `[${visibleLine(role, longestWord, terms.hide)}]` }]
            : []),
          content ?? null,
        ]);
      const parts = await renderParts(content, terms.hide);
      return { content: parts.length === 0 ? '(an empty prompt)' : parts };
    },
  });
}

async function listAll(
  ask: (method: string, params: JsonObject) => Promise<JsonObject>,
  hide: ServerTerms['hide'],
): Promise<string> {
  const lines: string[] = [];
  let size = 0;
  let cursor: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const { items, next } = readPage(await ask('prompts/list', cursor === null ? {} : { cursor }), 'prompts');
    for (const item of items) {
      const line = lineOf(item, hide);
      size += line.length + 1;
      if (size > mostListed) return [...lines, more].join('\n');
      if (line !== '') lines.push(line);
    }
    if (next === null || next === cursor) return lines.join('\n') || '(none)';
    cursor = next;
  }
  return [...lines, more].join('\n');
}

function lineOf(prompt: Json, hide: ServerTerms['hide']): string {
  if (!isJsonObject(prompt)) return '';
  const word = (value: Json | undefined) => visibleLine(value, longestWord, hide);
  const { name, title, description } = prompt;
  const declared = Array.isArray(prompt.arguments) ? prompt.arguments : [];
  const args = declared.slice(0, mostArguments).map((one) => {
    if (!isJsonObject(one)) return '';
    const content = word(one.description);
    return `\n  ${word(one.name)}${one.required === true ? ' (required)' : ''}${content === '' ? '' : `: ${content}`}`;
  });
  const rest = declared.length - args.length;
  const cut = rest > 0 ? `\n  [${rest} more arguments]` : '';
  return `${word(name)}: ${word(description) || word(title)}${args.join('')}${cut}`;
}
