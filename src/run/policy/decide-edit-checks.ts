import { disabledBy } from '../../agent/profiles/select-tools.ts';
import type { EditChecks } from '../../checks/linters/edit-checks.ts';
import type { Config } from '../../config/schema.ts';
import type { Preset } from '../../contract/levels.ts';
import { matchRules } from '../../permissions/policy/match-rules.ts';
import type { PolicyCall } from '../../permissions/policy/policy.ts';
import { bashAliases } from '../../tools/shell/bash-aliases.ts';

/** A command that no rule names: a rule that blocks it blocks every command. */
const anyCommand = 'any-command-of-the-repository';

const call: PolicyCall = {
  tool: 'bash',
  level: 'confirm_execute',
  input: { command: anyCommand },
  targets: { what: anyCommand, commands: [anyCommand] },
  context: 'main',
  ownState: false,
};

/**
 * Decides how changed files are checked in a run. Pure. Linters and formatters run code of the
 * checkout. They need a working sandbox and a run that may run any command. They do not run if
 * `strict` asks about each, or if a rule or a disabled `bash` blocks commands.
 */
export function decideEditChecks(run: {
  readonly config: Config;
  readonly preset: Preset;
  readonly readOnly: boolean;
  readonly sandboxed: boolean;
  /** PATH of commands. */
  readonly path: string | undefined;
}): Omit<EditChecks, 'memory' | 'timeoutMs'> {
  const { tools } = run.config;
  const programs = run.sandboxed && !run.readOnly && run.preset !== 'strict' && !blocksCommands(run.config);
  return {
    verify: tools?.verifyEdits ?? true,
    format: programs && (tools?.formatOnEdit ?? false),
    programs,
    programFolders: (run.path ?? '').split(':').filter((folder) => folder.startsWith('/')),
  };
}

/**
 * Returns true if the configuration blocks commands in general. The gate reports an invalid
 * pattern.
 */
function blocksCommands({ tools, permissions }: Config): boolean {
  const unit = { kind: 'command', exact: [anyCommand], loose: [anyCommand] } as const;
  try {
    if (disabledBy(tools?.disabled ?? [])({ name: call.tool, aliases: bashAliases })) return true;
    const verdict = matchRules(permissions?.rules ?? [], call, unit);
    return verdict !== null && verdict.action !== 'allow';
  } catch (error) {
    if (error instanceof SyntaxError) return true;
    throw error;
  }
}
