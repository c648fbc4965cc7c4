// Starts a script of this project on Node 24 from any Node ≥ 20 and npm of the machine. Installs
// missing packages first. Plain JavaScript without dependencies, because it runs before anything is
// installed: `node scripts/launch.mjs demo/main.ts --keep`.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode, missingNode } from '../bin/find-node.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const lockFile = path.join(root, 'package-lock.json');
const stampFile = path.join(root, 'node_modules', '.anode-installed');

/** Installs when node_modules is absent or was made from another lock. */
function ensurePackages() {
  const wanted = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  // npm ci empties the folder before it fills it, and through a link that is the folder of another checkout.
  if (lstatSync(path.join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
    fail('node_modules is a link, and npm ci would empty what it leads to. Remove the link and start again.');
  console.error('Installing packages (npm ci), once …');
  // Engine warnings are expected under an older host Node: everything here runs on Node 24.
  const cache = cacheIsWritable() ? null : mkdtempSync(path.join(os.tmpdir(), 'anode-npm-'));
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...(cache && { npm_config_cache: cache }) },
  });
  if (cache) rmSync(cache, { recursive: true, force: true });
  if (npm.error) fail(`npm could not be started (${npm.error.message}). Install npm 10 or newer.`);
  if (npm.status !== 0) fail(`npm ci failed with exit code ${npm.status}; its own words stand above.`);
  writeFileSync(stampFile, wanted);
}

/** True if npm can write its cache. npm ends with an error otherwise, as under a read-only home folder. */
function cacheIsWritable() {
  // `npm run` names its cache here.
  const folder = process.env.npm_config_cache || path.join(os.homedir(), '.npm');
  try {
    if (!existsSync(folder)) mkdirSync(folder);
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

ensurePackages();
const [script, ...args] = process.argv.slice(2);
if (script === undefined) fail('usage: node scripts/launch.mjs SCRIPT [ARG …]');
const node = findNode(root) ?? fail(missingNode());
const child = spawn(node, [path.join(root, script), ...args], {
  cwd: root,
  stdio: 'inherit',
  // What the script starts by the name `node` must be the same Node.
  env: { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}` },
});
// The terminal sends Ctrl-C to the whole group, so the child has it already; staying lets it clean up first.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => fail(`${node} could not be started: ${error.message}`));
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
