import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { lintWorkflows } from './lint-workflows.ts';

const root = path.resolve(import.meta.dirname, '..');
const bin = path.join(root, 'node_modules', '.bin');

/** The checks in the order of their cost; each says by itself what is wrong. */
const checks: readonly { name: string; run: () => Promise<boolean> }[] = [
  { name: 'lint and format (biome)', run: () => runTool('biome', ['check', '--error-on-warnings', '.']) },
  { name: 'types (tsc)', run: () => runTool('tsc', ['--noEmit', '-p', '.']) },
  {
    name: 'workflows (actionlint)',
    run: async () => {
      const complaints = await lintWorkflows(path.join(root, '.github', 'workflows'));
      for (const complaint of complaints) console.error(complaint);
      return complaints.length === 0;
    },
  },
];

/** Runs a tool of the project's own packages, its words on our terminal. */
async function runTool(name: string, args: readonly string[]): Promise<boolean> {
  return (
    spawnSync(process.execPath, [path.join(bin, name), ...args], { cwd: root, stdio: 'inherit' }).status === 0
  );
}

const failed: string[] = [];
for (const { name, run } of checks) if (!(await run())) failed.push(name);
console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
