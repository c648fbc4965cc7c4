import * as z from 'zod';
import type { Json } from '../../contract/json.ts';
import type { ImagePart, TextPart, ToolResultPart } from '../../contract/message.ts';
import { list } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';

/** Maximum calls: any useful set of files, within the size of one result. */
const mostCalls = 25;

/**
 * One call, also as OpenAI's `multi_tool_use.parallel` writes it: `functions.read` with
 * `parameters`.
 */
const innerCall = z.preprocess(
  (value) => renamed(value),
  z.object({
    tool: z.string().min(1),
    args: z.union([z.looseObject({}), z.string()]).default({}),
  }),
);

const input = z.object({ calls: list(z.array(innerCall).min(1).max(mostCalls)) });

/** Makes several calls in one; each is evaluated, recorded and answered by itself. */
export const batch = defineTool({
  name: 'batch',
  aliases: { parallel: {}, multi_tool_use: {}, 'multi_tool_use.parallel': {} },
  argumentAliases: { tool_uses: 'calls', tool_calls: 'calls' },
  description: `Make up to ${mostCalls} calls at once: in parallel if all only read, else in order.`,
  exposure: 'deferred',
  findBy: ['parallel calls', 'parallel', 'several|many call|tool'],
  input,
  level: 'auto_read',
  // The calls inside are evaluated one by one; the batch itself changes nothing.
  readOnly: true,
  targets: (args) => ({ what: args.calls.map((call) => call.tool).join(', ') }),
  async execute(args, context) {
    const results = await context.runCalls(
      args.calls.map((call) => ({ tool: call.tool, input: call.args as Json })),
    );
    return {
      content: results.flatMap((result, index) => render(result, index, args.calls[index]?.tool ?? '')),
      data: {
        results: results.map((result, index) => ({
          tool: args.calls[index]?.tool ?? '',
          ok: !result.is_error,
        })),
      },
    };
  },
});

function render(result: ToolResultPart, index: number, tool: string): (TextPart | ImagePart)[] {
  const banner = `===== ${index + 1}. ${tool}${result.is_error ? ' [error]' : ''} =====`;
  return [{ type: 'text', text: banner }, ...result.content];
}

function renamed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const item: Record<string, unknown> = { ...value };
  const tool = item.tool ?? item.name ?? item.recipient_name;
  return {
    tool: typeof tool === 'string' ? tool.replace(/^functions\./, '') : tool,
    args: item.args ?? item.parameters ?? item.arguments ?? item.input,
  };
}
