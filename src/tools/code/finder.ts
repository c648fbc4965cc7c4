import * as z from 'zod';
import { unlessToolError } from '../../workspace/files/unless-tool-error.ts';
import { childText } from '../children/render-children.ts';
import { flag, globs, integer } from '../input/lenient.ts';
import { filesNamed, linesFound } from '../search/find.ts';
import { displayPath, renderFoundLines } from '../search/found-line.ts';
import { rootsForGlob, type SearchRoot } from '../search/search-root.ts';
import { isTruncated } from '../search/text-query.ts';
import { defineTool, type ToolContext, type ToolOutput } from '../tool.ts';
import { definitionLines } from './definition-lines.ts';

const input = z.object({
  mode: z
    .enum(['files', 'text', 'symbols', 'agent'])
    .default('text')
    .meta({ enum: ['text', 'files', 'symbols', 'agent'] }),
  query: z.string().default(''),
  path: z.string().default('.'),
  glob: globs().optional(),
  limit: integer(z.int().positive()).default(50),
  case_sensitive: flag().default(false).meta({ hidden: true }),
});
type FinderInput = z.output<typeof input>;

const agentTimeoutMs = 180_000;

/** Finds files by name, text, or definitions of symbols. */
export const finder = defineTool({
  name: 'finder',
  description:
    'Find text, files by part of their path, definitions (symbols), or what a question asks for (agent).',
  input,
  level: 'auto_read',
  targets: (args) => ({
    what: `${args.mode} "${args.query}" in ${args.path}`,
    paths: [{ path: args.path, access: 'read' }],
  }),
  async execute(args, context) {
    if (args.mode === 'agent' && args.query !== '') {
      const found = await askAgent(args, context);
      if (found !== null) return found;
    }
    const { roots, glob } = await rootsForGlob(context, args.path, args.glob);
    const request = { ...args, glob };
    if (args.mode === 'agent' && args.query !== '') return searchWords(request, roots, context);
    if (args.mode === 'files' || args.query === '') return findFiles(request, roots, context);
    return findLines(request, roots, context);
  },
});

/**
 * Asks a child to search. Null if it cannot be started or gives no answer; the text is searched
 * then.
 */
async function askAgent(args: FinderInput, context: ToolContext): Promise<ToolOutput | null> {
  const { query, path } = args;
  const where = [path === '.' ? [] : [`Look in ${path}.`], args.glob ? [`Files: ${args.glob}`] : []].flat();
  const result = await unlessToolError(() =>
    context.runChild({
      title: `Find: ${query.slice(0, 80)}`,
      profile: 'find',
      prompt: [query, ...where].join('\n'),
      timeoutMs: agentTimeoutMs,
      readOnly: true,
    }),
  );
  if (result === null || result.answer === '') return null;
  const { childRunId: child_run_id, conclusion, turns } = result;
  return {
    content: childText(result),
    data: { mode: 'agent', child_run_id, conclusion, turns, agent_fallback: false },
  };
}

/** Maximum lines if no agent answers: words of a question occur in many lines. */
const mostFallbackLines = 15;

async function searchWords(
  args: FinderInput,
  roots: readonly SearchRoot[],
  context: ToolContext,
): Promise<ToolOutput> {
  const limit = Math.min(args.limit, mostFallbackLines);
  const found = await findLines({ ...args, limit }, roots, context);
  const note = '[no agent answered: lines with the most words of the question; symbols or grep find more]';
  return { ...found, content: `${found.content}\n${note}` };
}

async function findFiles(
  args: FinderInput,
  roots: readonly SearchRoot[],
  context: ToolContext,
): Promise<ToolOutput> {
  const { found, truncated } = await filesNamed(args, roots, context);
  const answered = answer(found, args, (shown) => shown.map(displayPath).join('\n'));
  return {
    content: truncated ? `${answered}\n[too many files to look at all; give a path]` : answered,
    data: {
      mode: 'files',
      paths: found.slice(0, args.limit),
      total: found.length,
      truncated: truncated || found.length > args.limit,
    },
  };
}

async function findLines(
  args: FinderInput,
  roots: readonly SearchRoot[],
  context: ToolContext,
): Promise<ToolOutput> {
  const mode = args.mode === 'files' ? 'text' : args.mode;
  const { lines, result, notes } =
    mode === 'symbols'
      ? await definitionLines(args, roots, context)
      : await linesFound({ ...args, mode }, roots, context);
  const none = lines.length === 0 && notes.length > 0;
  const content = none ? [] : [answer(lines, args, (shown) => renderFoundLines(shown, 0))];
  return {
    content: [...content, ...notes].join('\n'),
    data: {
      mode: mode === 'agent' ? 'text' : mode,
      total: lines.length,
      truncated: isTruncated(result) || lines.length > args.limit,
      ...(mode === 'agent' ? { agent_fallback: true } : {}),
    },
  };
}

function answer<Found>(
  found: readonly Found[],
  args: FinderInput,
  render: (shown: readonly Found[]) => string,
): string {
  if (found.length === 0)
    return `Nothing found for "${args.query}" (${args.mode}). Try another mode or word.`;
  const shown = render(found.slice(0, args.limit));
  const more = found.length - args.limit;
  return more > 0 ? `${shown}\n[${more} more; narrow the query or raise limit]` : shown;
}
