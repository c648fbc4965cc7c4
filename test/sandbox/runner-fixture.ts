import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { SandboxMode } from '../../src/contract/levels.ts';
import type { CommandRequest, CommandResult } from '../../src/sandbox/command-runner.ts';
import { createCommandRunner } from '../../src/sandbox/create-command-runner.ts';
import { probeSandbox } from '../../src/sandbox/probe-sandbox.ts';

/** Whether commands can be sandboxed on this machine. */
export const { available } = await probeSandbox({ path: process.env.PATH });

type Run = (command: string, change?: Partial<CommandRequest>) => Promise<CommandResult & { output: string }>;

/** The folders of one test: a checkout, spilled output and the agent's git directory. */
export interface RunnerPlace {
  folder: string;
  /** The work tree that runners get; a test may set another before it makes one. */
  root: string;
  spillFolder: string;
  agentGit: string;
  /**
   * Creates a runner, with the environment of the tests and the given additions, and returns its
   * `run` with its notices.
   */
  runnerOf(
    mode: SandboxMode,
    environment?: Record<string, string>,
    repositories?: readonly { root: string; displayPath: string }[],
  ): Promise<Run>;
  /** Closes the last runner made; done after each test in any case. */
  close(): Promise<void>;
}

/** Gives each test of the file that calls it a fresh place, and takes it away again. */
export function runnerPlace(): RunnerPlace {
  let template: string;
  const place: RunnerPlace = {
    folder: '',
    root: '',
    spillFolder: '',
    agentGit: '',
    runnerOf: (mode, environment = {}, repositories = []) => runnerAt(place, mode, environment, repositories),
    close: async () => {},
  };
  beforeAll(() => {
    template = mkdtempSync(join(tmpdir(), 'anode-runner-template-'));
    fillTemplate(template);
  });
  afterAll(() => rmSync(template, { recursive: true, force: true }));
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), 'anode-runner-test-'));
    cpSync(template, folder, { recursive: true });
    place.folder = folder;
    place.root = join(folder, 'checkout');
    place.spillFolder = join(folder, 'spill');
    place.agentGit = join(folder, 'agent.git');
    place.close = async () => {};
    writeFileSync(join(place.agentGit, 'objects/info/alternates'), `${place.root}/.git/objects\n`);
  });
  afterEach(async () => {
    await place.close();
    rmSync(place.folder, { recursive: true, force: true });
  });
  return place;
}

function fillTemplate(template: string): void {
  const checkout = join(template, 'checkout');
  mkdirSync(checkout);
  mkdirSync(join(template, 'spill'));
  writeFileSync(join(template, 'spill/output.txt'), 'spilt');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  const identity = '[user]\n\temail = test@example.com\n\tname = Test\n';
  appendFileSync(join(checkout, '.git/config'), `${identity}[http]\n\textraheader = canary-in-git-config\n`);
  writeFileSync(join(checkout, 'file.txt'), 'content\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  const agent = join(template, 'agent.git');
  mkdirSync(join(agent, 'objects/info'), { recursive: true });
  mkdirSync(join(agent, 'refs/heads'), { recursive: true });
  writeFileSync(join(agent, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(agent, 'config'), `[core]\n\trepositoryformatversion = 0\n${identity}`);
  writeFileSync(join(agent, 'refs/heads/main'), `${git('rev-parse', 'HEAD')}\n`);
  writeFileSync(join(agent, 'index'), readFileSync(join(checkout, '.git/index')));
}

async function runnerAt(
  place: RunnerPlace,
  mode: SandboxMode,
  environment: Record<string, string>,
  repositories: readonly { root: string; displayPath: string }[],
): Promise<Run> {
  const { root, agentGit, spillFolder } = place;
  const runner = await createCommandRunner({
    mode,
    workspace: { root, agentGitDirectory: async () => agentGit },
    spillFolder,
    repositories,
    environment: { ...process.env, ...environment },
  });
  place.close = () => runner.close();
  return async (command, change = {}) => {
    let output = '';
    const result = await runner.run({
      command,
      cwd: root,
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      onOutput: (chunk) => {
        output += chunk.toString();
      },
      ...change,
    });
    return { ...result, output };
  };
}

/** Processes of this machine whose command line holds a text. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .filter((line) => line.includes(text));
}

/** Processes that sleep for a time, without those whose command line only mentions it. */
export function sleepers(time: string): string[] {
  return processesWith(`sleep ${time}`).filter((line) => line.startsWith('sleep '));
}
