import * as z from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import { unlessNull } from '../input/unless-null.ts';
import { oneLine } from '../text/visible-text.ts';
import { defineTool, type Tool } from '../tool.ts';
import type { McpServer } from './mcp-server.ts';
import { asked, levelOf, type ServerTerms } from './mcp-tool.ts';
import { readPage } from './read-declared.ts';
import { longestWord, renderParts } from './render-result.ts';

const input = z.object({
  name: unlessNull(z.string()).describe('left out, all prompts are listed with their arguments'),
  arguments: unlessNull(z.record(z.string(), z.string())).describe('those of the prompt, by name'),
});

/** Pages of prompts that are listed together. */
const mostPages = 20;

/** A tool for the prompts of a server: words it has for a kind of work, which are listed, or filled in and given. */
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
      const ask = (method: string, params: JsonObject) => asked(server, method, params, context, terms, own);
      if (name === undefined) return { content: terms.hide(await listAll(ask)) };
      const result = await ask('prompts/get', { name, ...(given === undefined ? {} : { arguments: given }) });
      const messages = Array.isArray(result.messages) ? result.messages.filter(isJsonObject) : [];
      const said = messages
        .slice(0, 100)
        .flatMap(({ role, content }): Json[] => [
          ...(messages.length > 1 ? [{ type: 'text', text: `[${oneLine(role, longestWord)}]` }] : []),
          content ?? null,
        ]);
      const parts = await renderParts(said, terms.hide);
      return { content: parts.length === 0 ? '(an empty prompt)' : parts };
    },
  });
}

async function listAll(ask: (method: string, params: JsonObject) => Promise<JsonObject>): Promise<string> {
  const lines: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const { items, next } = readPage(await ask('prompts/list', cursor === null ? {} : { cursor }), 'prompts');
    lines.push(...items.map(lineOf));
    if (next === null || next === cursor) break;
    cursor = next;
  }
  return lines.filter((line) => line !== '').join('\n') || '(none)';
}

function lineOf(prompt: Json): string {
  if (!isJsonObject(prompt)) return '';
  const { name, title, description } = prompt;
  const known = Array.isArray(prompt.arguments) ? prompt.arguments.filter(isJsonObject) : [];
  const args = known.map((one) => {
    const said = oneLine(one.description, longestWord);
    return `  ${oneLine(one.name, longestWord)}${one.required === true ? ' (required)' : ''}${said === '' ? '' : `: ${said}`}`;
  });
  return [
    `${oneLine(name, longestWord)}: ${oneLine(description, longestWord) || oneLine(title, longestWord)}`,
    ...args,
  ].join('\n');
}
