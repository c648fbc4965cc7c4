import type { ToolServices } from './tools/tool.ts';

/** What the tools of one run work on. */
export function makeServices(run: ToolServices): ToolServices {
  return { workspace: run.workspace, commands: run.commands, spillFolder: run.spillFolder };
}
