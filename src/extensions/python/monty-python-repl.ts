import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { flag } from '../../tools/input/lenient.ts';
import { extensionAliases } from '../../tools/registry/extension-aliases.ts';
import { plainText } from '../../tools/text/plain-text.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { type PythonSessions, pythonLimits } from './python-session.ts';

const input = z.object({
  code: z.string().min(1).max(100_000),
  reset: flag().default(false).describe('forget all variables first'),
});

/** Creates the tool for Python without files, network or processes; variables last for the run. */
export function montyPythonRepl(sessions: PythonSessions): Tool {
  return defineTool({
    name: 'monty_python_repl',
    aliases: extensionAliases.monty_python_repl,
    argumentAliases: { command: 'code', script: 'code', source: 'code' },
    description: `Run Python to compute something: a small interpreter (Monty) without files, network, classes or most of the library; variables stay for the run, the last expression is shown, ${pythonLimits.seconds} s and ${pythonLimits.memory / 2 ** 20} MiB a call.`,
    exposure: 'deferred',
    input,
    level: 'auto_read',
    targets: ({ code }) => ({ what: code.length > 200 ? `${code.slice(0, 199)}…` : code }),
    async execute({ code, reset }, { state, signal }) {
      const { printed, value, error } = await sessions.run(code, state.name ?? 'main', reset, signal);
      const output = plainText(printed.replace(/\n$/, ''));
      if (error !== null) {
        const until = output === '' ? '' : `\nWhat it had printed:\n${output}`;
        throw new ToolError('failed', `${plainText(error)}${until}`);
      }
      const shown = value === null ? '' : plainText(value);
      return {
        content: [output, shown].filter((part) => part !== '').join('\n') || '(no output)',
        data: { printed: output, value: value === null ? null : shown },
      };
    },
  });
}
