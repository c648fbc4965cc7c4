import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { effortNames, effortOf } from '../../contract/profile-names.ts';
import { createReadMemory } from '../../workspace/changes/read-memory.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { integer, stringList, unlessNull } from '../input/lenient.ts';
import { readSlice } from '../search/read-slice.ts';
import { defineTool, toJson } from '../tool.ts';
import { childText } from './render-children.ts';

const standardSeconds = 180;
const mostSeconds = 600;

const input = z.object({
  question: z.string().min(1),
  context: unlessNull(z.string()).describe('what you know and tried'),
  files: stringList().default([]).describe('paths it gets to see at once'),
  focus: unlessNull(z.string()),
  model: unlessNull(z.string().min(1)).meta({ hidden: true }),
  effort: z.enum(effortNames).default('medium'),
  timeout_seconds: unlessNull(integer(z.int().positive())).meta({ hidden: true }),
});

/** Asks a read-only child a hard question. */
export const oracle = defineTool({
  name: 'oracle',
  argumentAliases: { task: 'question', prompt: 'question' },
  description: 'Get a second opinion on a hard question (design, a stubborn bug) from a read-only agent.',
  exposure: 'deferred',
  findBy: ['second opinions', 'opinion|advice'],
  input,
  level: 'external_read',
  targets: (args) => ({
    what: args.question,
    paths: args.files.map((path) => ({ path, access: 'read' as const })),
  }),
  async execute(args, context) {
    // The calling model has not read these files, so it may not edit them on this basis.
    const files = await inlineFiles(args.files, {
      files: context.workspace.files,
      memory: createReadMemory(),
    });
    const result = await context.runChild({
      title: args.question.slice(0, 80),
      profile: 'oracle',
      prompt: [
        args.question,
        ...(args.focus === undefined ? [] : [`Focus on: ${args.focus}`]),
        ...(args.context === undefined ? [] : [`Context:\n${args.context}`]),
        ...(files === '' ? [] : [`Files:\n${files}`]),
      ].join('\n\n'),
      timeoutMs: Math.min(args.timeout_seconds ?? standardSeconds, mostSeconds) * 1000,
      effort: effortOf(args.effort),
      model: args.model,
      readOnly: true,
    });
    const { childRunId: child_run_id, conclusion, turns, usage } = result;
    return { content: childText(result), data: toJson({ child_run_id, conclusion, turns, usage }) };
  },
});

/** Limits for files in a prompt: their number, bytes of each, and bytes of all together. */
const bounds = { files: 20, each: 32 * 1024, all: 128 * 1024 };

/**
 * Renders numbered lines of the files, each file under a line with its path. A file that cannot be
 * read or exceeds the bounds gets a note instead.
 */
async function inlineFiles(
  paths: readonly string[],
  workspace: Pick<Workspace, 'files' | 'memory'>,
): Promise<string> {
  const parts: string[] = [];
  let left = bounds.all;
  for (const path of paths.slice(0, bounds.files)) {
    const text =
      left <= 0 ? '[left out for lack of space; read it]' : await renderFile(path, workspace, left);
    parts.push(`===== ${path} =====\n${text}`);
    left -= Buffer.byteLength(text);
  }
  const more = paths.slice(bounds.files);
  if (more.length > 0) parts.push(`[not shown, read them: ${more.join(', ')}]`);
  return parts.join('\n');
}

async function renderFile(
  path: string,
  workspace: Pick<Workspace, 'files' | 'memory'>,
  left: number,
): Promise<string> {
  try {
    const whole = { start: 1, end: null };
    return (await readSlice(workspace, path, whole, Math.min(left, bounds.each))).text;
  } catch (error) {
    if (error instanceof ToolError) return `[not shown: ${error.message}]`;
    throw error;
  }
}
