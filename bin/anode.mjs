#!/usr/bin/env node
// `anode` on the path. It runs on the Node that somebody has; where that is too old, the program is started on the one
// that came with the package.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findNode, missingNode } from './find-node.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const program = path.join(root, 'dist', 'cli.js');
const node = findNode(root);

if (!existsSync(program))
  fail(`${program} is not there. In a clone, build it first: npm run build (in ${root}).`);
else if (node === null) fail(missingNode());
else if (node === process.execPath) await import(pathToFileURL(program).href);
else startOn(node);

function startOn(other) {
  const child = spawn(other, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to the whole group, so the child has it already; it says how this ends.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${other} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exitCode = code ?? 1;
    else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
