import { disabledBy } from '../../agent/profiles/select-tools.ts';
import type { EditChecks } from '../../checks/linters/edit-checks.ts';
import type { Config } from '../../config/schema.ts';
import type { Preset } from '../../contract/levels.ts';
import { matchRules } from '../../permissions/policy/match-rules.ts';
import type { GateCall } from '../../permissions/policy/policy.ts';
import { bashAliases } from '../../tools/shell/bash-aliases.ts';

/** A command that no rule means in particular: what holds it back holds back every command. */
const anyCommand = 'any-command-of-the-repository';

const call: GateCall = {
  tool: 'bash',
  level: 'confirm_execute',
  input: { command: anyCommand },
  targets: { what: anyCommand, commands: [anyCommand] },
  context: 'main',
  ownState: false,
};

/**
 * What is done about changed files in a run. Pure. The repository's linters and formatters are commands of the
 * checkout, configured by its code: they run only in a working sandbox, in a run that may run any command, and
 * not where `strict` has a person asked about each, or a rule or a disabled `bash` keeps commands away.
 */
export function decideEditChecks(run: {
  readonly config: Config;
  readonly preset: Preset;
  readonly readOnly: boolean;
  readonly sandboxed: boolean;
  /** PATH as commands have it. */
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

/** Whether the configuration keeps commands away in general. A pattern that is none is the gate's to tell of. */
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
