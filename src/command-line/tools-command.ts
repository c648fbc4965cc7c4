import type { ToolSet } from '../agent/profiles/tool-set.ts';
import { describeTool, listedTools, renderTool, renderToolList } from './describe-tools.ts';
import { findCheckout } from './find-checkout.ts';
import { localConfig } from './local-config.ts';
import type { CommandContext } from './local-run.ts';
import { openLocalTools } from './local-tools.ts';
import { actionOf, parseArguments, refuseWords, usageError } from './parse-arguments.ts';
import { useToolCommand } from './use-tool-command.ts';

/**
 * Runs `anode tools list|show|use`: lists tools, describes one, or calls one manually. Returns the
 * exit code.
 */
export async function toolsCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const [action, ...rest] = args;
  const commands = { list: listTools, show: showTool, use: useToolCommand } as const;
  return commands[actionOf('tools', action, ['list', 'show', 'use'])](rest, context);
}

const options = {
  json: { type: 'boolean' },
  profile: { type: 'string' },
  config: { type: 'string' },
  cwd: { type: 'string' },
} as const;

async function listTools(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('tools', args, options);
  refuseWords('tools', positionals, 'list');
  const all = await withTools(values, context, ({ tools }) => tools);
  const tools = all.filter(({ exposure }) => exposure !== 'hidden');
  context.write(
    values.json === true ? `${JSON.stringify(listedTools(tools), null, 2)}\n` : renderToolList(tools),
  );
  return 0;
}

async function showTool(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('tools', args, options);
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0) throw usageError('tools', 'show takes the name of one tool.');
  const [tool, absent] = await withTools(values, context, (tools) => [
    tools.find(name)?.tool,
    tools.absent(name),
  ]);
  if (tool === undefined)
    throw usageError(
      'tools',
      absent === null
        ? `there is no tool "${name}"; anode tools list prints all of them.`
        : `there is no tool "${name}" here. ${absent}`,
    );
  context.write(values.json === true ? `${JSON.stringify(describeTool(tool), null, 2)}\n` : renderTool(tool));
  return 0;
}

/**
 * Loads the enabled tools of a profile; all tools without one. Prints problems on standard error.
 */
async function withTools<Result>(
  { profile, config, cwd }: { readonly [option in 'profile' | 'config' | 'cwd']?: string | boolean },
  context: CommandContext,
  show: (tools: ToolSet) => Result,
): Promise<Result> {
  const named = typeof config === 'string' ? config : undefined;
  const settings = await localConfig(named, context.environment);
  const opened = await openLocalTools({
    ...context,
    root: (await findCheckout('tools', cwd)).root,
    profile: typeof profile === 'string' ? profile : null,
    config: settings,
    sandbox: settings.sandbox ?? 'preferred',
  });
  try {
    for (const problem of opened.problems) context.writeError(`${problem}\n`);
    return show(opened.set);
  } finally {
    await opened.close();
  }
}
