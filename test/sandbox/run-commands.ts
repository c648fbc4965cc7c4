import { createCommandRunner } from '../../src/sandbox/create-command-runner.ts';

/**
 * A program that runs commands one after the other in the sandbox of a run, for tests that need
 * another user or kill it. Reads `{root, spillFolder, agentGit, commands}` as JSON from its first
 * argument. Prints `"starting"` before the first command, and a line of JSON with code and output
 * of each when it ends.
 */
const given: unknown = JSON.parse(process.argv[2] ?? '');
const { root, spillFolder, agentGit, commands } = given as {
  root: string;
  spillFolder: string;
  agentGit: string | null;
  commands: string[];
};
const runner = await createCommandRunner({
  mode: 'required',
  workspace: { root, agentGitDirectory: async () => agentGit },
  spillFolder,
  environment: process.env,
});
console.log(JSON.stringify('starting'));
for (const command of commands) {
  let output = '';
  const { exitCode } = await runner.run({
    command,
    cwd: root,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    onOutput: (chunk) => {
      output += chunk.toString();
    },
  });
  console.log(JSON.stringify({ exitCode, output }));
}
await runner.close();
