import { fstatSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import type { CommandContext } from './command-line/local-run.ts';
import { requireNode } from './command-line/require-node.ts';
import { nearestKey } from './config/nearest-key.ts';
import { ConfigError, RunStopped } from './contract/errors.ts';
import { ownVersion } from './contract/own-version.ts';
import { showDirections } from './contract/untrusted.ts';
import { watchStrayErrors } from './pipeline/controls/watch-stray-errors.ts';

type Command = (args: readonly string[], context: CommandContext) => Promise<number>;

/**
 * Loaders of the commands: only the requested one is loaded, so a run does not wait for a server.
 */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: brief(async () => (await import('./command-line/run-command.ts')).runCommand),
  resume: brief(async () => (await import('./command-line/resume-command.ts')).resumeCommand),
  review: brief(async () => (await import('./command-line/review-command.ts')).reviewCommand),
  event: brief(async () => (await import('./command-line/event-command.ts')).eventCommand),
  tools: brief(async () => (await import('./command-line/tools-command.ts')).toolsCommand),
  policy: brief(async () => (await import('./command-line/policy-command.ts')).policyCommand),
  report: brief(async () => (await import('./command-line/report-command.ts')).reportCommand),
  changes: brief(async () => (await import('./command-line/changes-command.ts')).changesCommand),
  commit: brief(async () => (await import('./command-line/commit-command.ts')).commitCommand),
  verify: brief(async () => (await import('./command-line/verify-command.ts')).verifyCommand),
  restore: brief(async () => (await import('./command-line/restore-command.ts')).restoreCommand),
  eval: brief(async () => (await import('./command-line/eval-command.ts')).evalCommand),
  harness: brief(async () => (await import('./command-line/harness-command.ts')).harnessCommand),
  init: async () => (await import('./command-line/init-command.ts')).initCommand,
  doctor: async () => (await import('./command-line/doctor-command.ts')).doctorCommand,
  serve: async () => (await import('./command-line/serve-command.ts')).serveCommand,
  stats: brief(async () => (await import('./command-line/stats-command.ts')).statsCommand),
  forget: async () => (await import('./command-line/forget-command.ts')).forgetCommand,
};

const helpWords: readonly (string | undefined)[] = ['help', '--help', '-h'];

/** Prints the help of one command, or of all. Returns the exit code: 2 without any argument. */
async function printHelp(word: string | undefined, topic: string | undefined): Promise<number> {
  if (topic !== undefined && topic !== 'help' && !Object.hasOwn(commands, topic)) throw noCommand(topic);
  // Loaded on demand: a run does not print it.
  const { usage } = await import('./command-line/usage-text.ts');
  process.stdout.write(`${usage[topic ?? 'anode'] ?? usage.anode}\n`);
  return word === undefined ? 2 : 0;
}

function noCommand(name: string): ConfigError {
  const known = [...Object.keys(commands), 'help', '--help', '--version'];
  const near = nearestKey(name, known);
  const meant = near === null ? '' : ` Did you mean anode ${near}?`;
  return new ConfigError(`There is no command "${name}".${meant}\nHelp: anode help`);
}

/** Loads a command of a short-lived process. */
function brief(load: () => Promise<Command>): () => Promise<Command> {
  return async () => {
    const { interpretSchemas } = await import('./command-line/interpret-schemas.ts');
    interpretSchemas();
    return load();
  };
}

async function main(stopped: AbortController): Promise<number> {
  requireNode(process.versions.node, process.execPath);
  // Beside the program: in the shared temporary folder, other processes could place code.
  enableCompileCache(path.join(import.meta.dirname, '.compile-cache'));
  const [name, ...args] = process.argv.slice(2);
  if (name === undefined || helpWords.includes(name)) return printHelp(name, args[0]);
  if (name === '--version' || name === '-v' || name === 'version') {
    process.stdout.write(`${ownVersion}\n`);
    return 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) throw noCommand(name);
  if (args.includes('--help') || args.includes('-h')) return printHelp('--help', name);
  // The first Ctrl-C cancels the run and keeps its results; the second ends the process. A closed
  // terminal or a supervisor also cancels. Those signal the whole group, and bin/anode.mjs forwards
  // what it gets, so the same signal can come twice.
  process.once('SIGINT', () => stopped.abort());
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort());
  return (await load())(args, {
    environment: process.env,
    write: (text) => void process.stdout.write(showDirections(text)),
    writeError: (text) => void process.stderr.write(showDirections(text)),
    terminal: () => (process.stderr.isTTY ? watched() : null),
    width: () => (process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : null),
    signal: stopped.signal,
  });
}

/** Standard error as a terminal. Coloured unless TERM or NO_COLOR (no-color.org) forbid it. */
function watched() {
  const coloured = !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  return {
    columns: process.stderr.columns,
    coloured,
    write: (text: string) => process.stderr.write(showDirections(text)),
  };
}

const stopped = new AbortController();
const outputFailed = watchOutput(stopped);
const strayError = watchStrayErrors(process, () => stopped, {
  report: (error) =>
    void withoutSecrets(inspect(error)).then((text) => process.stderr.write(`${showDirections(text)}\n`)),
  exit: () => process.exit(1),
});
let code: number;
try {
  code = await main(stopped);
} catch (error) {
  // A defect is printed with its whole cause.
  const told = error instanceof ConfigError || error instanceof RunStopped;
  code = error instanceof ConfigError ? 2 : 1;
  if (outputFailed() === null) {
    const text = await withoutSecrets(told ? error.message : inspect(error));
    process.stderr.write(`${showDirections(text)}\n`);
  }
}
process.exitCode = outputFailed() ?? (strayError() ? 1 : code);

/**
 * Cancels the run, keeping its results, when standard output can no longer be written. Returns the
 * exit code for that; null while it is writable. The code is 128 + SIGPIPE, as in a shell, if the
 * reader is gone; else 1.
 */
function watchOutput(stopped: AbortController): () => number | null {
  let failed: number | null = null;
  const fail = ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    if (failed !== null) return;
    failed = code === 'EPIPE' ? 128 + os.constants.signals.SIGPIPE : 1;
    process.exitCode = failed;
    const why = code === 'EPIPE' ? 'nobody reads standard output any more' : `standard output: ${code}`;
    stopped.abort(new RunStopped({ kind: 'cancelled', message: `The run was cancelled: ${why}.` }));
    if (code !== 'EPIPE') process.stderr.write(`Standard output cannot be written (${code}).\n`);
  };
  process.stdout.on('error', fail);
  process.stderr.on('error', (error) => {
    // Lost progress output cancels nothing, unless standard output is the same file.
    const [output, progress] = [1, 2].map((fd) => fstatSync(fd));
    if (output?.ino === progress?.ino && output?.dev === progress?.dev) fail(error);
  });
  return () => failed;
}

/**
 * Errors may quote output of a provider or git with a key in it. The redactor is loaded on demand.
 */
async function withoutSecrets(text: string): Promise<string> {
  const [{ createRedactor }, { secretValues }] = await Promise.all([
    import('./redaction/redact.ts'),
    import('./config/secret-values.ts'),
  ]);
  return createRedactor(secretValues(process.env, {}))(text);
}
