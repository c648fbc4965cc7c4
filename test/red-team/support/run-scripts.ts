import { chmodSync, chownSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { call } from '../../uses/support/conversation.ts';
import type { Local } from '../../uses/support/start-local.ts';

/** A checkout of the scripts, and what came of running each of them, in this order, in one run. */
export async function runScripts(
  local: Local,
  words: string,
  scripts: Readonly<Record<string, string>>,
  owner: number | null,
) {
  const files = Object.fromEntries(
    Object.entries(scripts).map(([name, text]) => [`attack/${name}.sh`, `${text}\n`]),
  );
  const checkout = await local.checkout({
    ...files,
    ...{ 'AGENTS.md': 'Be kind.\n', '.github/workflows/ci.yml': 'on: push\n', 'colour.txt': 'red\n' },
    'wide/tracked': 'a\n',
    'rules/agents.txt': 'Be kind.\n',
  });
  symlinkSync('rules/agents.txt', path.join(checkout, 'GEMINI.md'));
  if (owner !== null) give(checkout, owner);
  const commands = [...Object.keys(scripts).map((name) => `sh attack/${name}.sh`), 'echo blue >colour.txt'];
  local.learn(words, (turn) => {
    const command = commands[turn - 1];
    return command === undefined ? { text: 'Done.' } : { calls: [call('bash', { command })] };
  });
  const ended = await local.anode(checkout, [
    ...['run', '--prompt', words, '--sandbox', 'required', '--max-turns', '40', '--output', 'json'],
  ]);
  const { changes, record } = JSON.parse(ended.stdout);
  const { diagnostics } = JSON.parse(readFileSync(path.join(record, 'outcome.json'), 'utf8'));
  const paths: string[] = changes.map((file: { path: string }) => file.path);
  return {
    code: ended.code,
    checkout,
    paths,
    diagnostics,
    text: (file: string) => readFileSync(path.join(checkout, file), 'utf8'),
  };
}

/** Gives a folder of a test and all in it to a user, who may pass through the folder above. */
export function give(folder: string, uid: number): void {
  chmodSync(path.dirname(folder), 0o711);
  chownSync(folder, uid, uid);
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    chownSync(path.join(folder, entry), uid, uid);
}
