import { spawn } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { ConfigError } from '../contract/errors.ts';
import type { AskDelegate } from './gate.ts';

const longestWaitMs = 30_000;

/**
 * Makes the function that asks `delegate` programs: the tool's arguments as JSON on standard input, its name
 * in `AGENT_TOOL_NAME`, nothing else but `environment`, in `cwd`. The program is the operator's own and runs
 * outside the sandbox, so it is taken by absolute path or from PATH, never from the checkout, which the run
 * itself may change: a path relative to it is a `ConfigError`. One that cannot be started, or takes longer
 * than 30 s, counts as a refusal.
 */
export function delegateRunner(options: {
  readonly cwd: string;
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
}): AskDelegate {
  return ({ program, tool, input }) => {
    if ((program.includes('/') && !isAbsolute(program)) || program.startsWith(`${options.root}/`))
      throw new ConfigError(
        `The delegate \`${program}\` lies in the checkout, which a run can change. Name a program outside it by its absolute path, or one on PATH.`,
        { key: 'permissions.rules' },
      );
    return new Promise((settle) => {
      const child = spawn(program, [], {
        cwd: options.cwd,
        env: { ...options.environment, AGENT_TOOL_NAME: tool },
        stdio: ['pipe', 'ignore', 'pipe'],
        timeout: longestWaitMs,
        killSignal: 'SIGKILL',
      });
      let stderr = '';
      child.stderr.on('data', (chunk: Buffer) => {
        stderr = (stderr + chunk.toString()).slice(0, 10_000);
      });
      // It may decide without reading its input.
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify(input));
      child.on('error', (error) =>
        settle({ exitCode: null, stderr: `It could not be run: ${error.message}` }),
      );
      child.on('close', (exitCode) => settle({ exitCode, stderr }));
    });
  };
}
