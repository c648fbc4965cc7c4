import type { Change } from '../contract/change.ts';
import { findCheckout } from './find-checkout.ts';
import type { CommandContext } from './local-run.ts';
import { logLine } from './log-line.ts';
import { parseArguments, usageError } from './parse-arguments.ts';
import { changesOf, namedRun } from './run-record.ts';

const options = { cwd: { type: 'string' }, json: { type: 'boolean' } } as const;

/**
 * Runs `anode changes RUN`: prints what each call of a run did to each file, with risk, validation,
 * hashes and diff. Returns the exit code.
 */
export async function changesCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('changes', args, options);
  const [runId, ...others] = positionals;
  if (others.length > 0) throw usageError('changes', 'it takes one run.');
  const { root } = await findCheckout('changes', values.cwd);
  const changes = changesOf(await namedRun('changes', runId, root));
  if (values.json === true) context.write(`${JSON.stringify(changes, null, 2)}\n`);
  else context.write(changes.length === 0 ? 'The run changed no file.\n' : changes.map(render).join('\n'));
  return 0;
}

function render({
  path,
  kind,
  old_path,
  before,
  after,
  diff,
  risk,
  validation,
  tool,
  call_id,
}: Change): string {
  const from = old_path === undefined ? '' : ` from ${old_path}`;
  const hashes = `${before?.slice(0, 12) ?? 'absent'} to ${after?.slice(0, 12) ?? 'absent'}`;
  const head = `${kind} ${path}${from}: ${hashes}, risk ${risk}, ${validation}, by ${tool} (${call_id})`;
  const lines = diff === '' ? ['(no text to compare)'] : diff.trimEnd().split('\n');
  return `${[head, ...lines].map(logLine).join('\n')}\n`;
}
