import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { inspect } from 'node:util';
import type { CommandContext } from './command-line/local-run.ts';
import { requireNode } from './command-line/require-node.ts';
import { usage } from './command-line/usage.ts';
import { nearestKey } from './config/nearest-key.ts';
import { ConfigError } from './contract/errors.ts';

type Command = (args: readonly string[], context: CommandContext) => Promise<number>;

/** Each command's code is loaded only when it is the one asked for: a run must not wait for a server. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: brief(async () => (await import('./command-line/run-command.ts')).runCommand),
  resume: brief(async () => (await import('./command-line/resume-command.ts')).resumeCommand),
  review: brief(async () => (await import('./command-line/review-command.ts')).reviewCommand),
  event: brief(async () => (await import('./command-line/event-command.ts')).eventCommand),
  tools: brief(async () => (await import('./command-line/tools-command.ts')).toolsCommand),
  policy: brief(async () => (await import('./command-line/policy-command.ts')).policyCommand),
  report: brief(async () => (await import('./command-line/report-command.ts')).reportCommand),
  restore: brief(async () => (await import('./command-line/restore-command.ts')).restoreCommand),
  doctor: async () => (await import('./command-line/doctor-command.ts')).doctorCommand,
  serve: async () => (await import('./command-line/serve-command.ts')).serveCommand,
};

const helpWords: readonly (string | undefined)[] = ['help', '--help', '-h'];

/** Prints the help of all or of one command. Returns the exit code: 2 where nobody asked for it. */
function printHelp(name: string | undefined, topic: string | undefined): number {
  if (topic !== undefined && topic !== 'help' && !Object.hasOwn(usage, topic)) throw noCommand(topic);
  process.stdout.write(`${usage[topic ?? 'anode'] ?? usage.anode}\n`);
  return name === undefined ? 2 : 0;
}

function noCommand(name: string): ConfigError {
  const known = [...Object.keys(commands), 'help', '--help', '--version'];
  const near = nearestKey(name, known);
  const meant = near === null ? '' : ` Did you mean anode ${near}?`;
  return new ConfigError(`There is no command "${name}".${meant}\nHelp: anode help`);
}

/** The version of this package. Its manifest lies above the source and above the bundle alike. */
function ownVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'),
  );
  return version;
}

/** Loads a command whose process ends with it. */
function brief(load: () => Promise<Command>): () => Promise<Command> {
  return async () => {
    const { interpretSchemas } = await import('./command-line/interpret-schemas.ts');
    interpretSchemas();
    return load();
  };
}

async function main(): Promise<number> {
  requireNode(process.versions.node, process.execPath);
  // Beside the program and not in the shared temporary folder, where what a run starts could put code of its own.
  enableCompileCache(path.join(import.meta.dirname, '.compile-cache'));
  const [name, ...args] = process.argv.slice(2);
  if (name === undefined || helpWords.includes(name)) return printHelp(name, args[0]);
  if (name === '--version' || name === '-v' || name === 'version') {
    process.stdout.write(`${ownVersion()}\n`);
    return 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) throw noCommand(name);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${usage[name]}\n`);
    return 0;
  }
  const stopped = new AbortController();
  // The first Ctrl-C lets the run end as cancelled with what it has; a second one ends the process at once.
  process.once('SIGINT', () => stopped.abort());
  process.once('SIGTERM', () => stopped.abort());
  return (await load())(args, {
    environment: process.env,
    write: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    terminal: () => (process.stderr.isTTY ? process.stderr : null),
    signal: stopped.signal,
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof ConfigError) {
    process.stderr.write(`${await withoutSecrets(error.message)}\n`);
    process.exitCode = 2;
  } else {
    // A defect: its whole cause is what helps to mend it.
    process.stderr.write(`${await withoutSecrets(inspect(error))}\n`);
    process.exitCode = 1;
  }
}

/** An error may quote what a provider or git said, and that a key. Loaded only where there is one to tell. */
async function withoutSecrets(text: string): Promise<string> {
  const [{ createRedactor }, { secretValues }] = await Promise.all([
    import('./permissions/redact.ts'),
    import('./config/secret-values.ts'),
  ]);
  return createRedactor(secretValues(process.env, {}))(text);
}
