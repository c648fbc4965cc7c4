import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { SandboxMode } from '../src/contract/levels.ts';
import { ownerOf } from '../src/sandbox/create-command-runner.ts';
import { probeSandbox, type SandboxProbe } from '../src/sandbox/probe-sandbox.ts';
import { bwrapProfile } from '../src/sandbox/sandbox-remedies.ts';
import { findBwrap } from '../src/sandbox/trusted-path.ts';
import { type MachineFacts, nextSandboxStep, programOf, type SandboxStep } from './sandbox-step.ts';
import type { StepLog } from './step-log.ts';

/** The machine of a job. */
export interface Machine {
  /** PATH of the job, on which a run looks for bubblewrap. */
  readonly path: string | undefined;
  /** PATH for what runs as root: never the job's, which earlier steps may have changed. */
  readonly systemPath: string;
  /** The folder above `proc/sys` and the marks of a container. */
  readonly root: string;
  /** The job's checkout, whose programs are ignored. */
  readonly workspace: string;
  readonly mayChange: boolean;
  readonly signal: AbortSignal;
  readonly log: Pick<StepLog, 'print' | 'warning'>;
  /** Stores a change before it is made, so that the end of the job can take it back. */
  readonly remember: (change: LastingChange | null) => void;
}

/** A change that other programs of the machine notice. An installed package stays. */
export type LastingChange = Exclude<SandboxStep, 'install'>;

/** Describes the machine of a job by the runner's variables. `permitted` is the input. */
export function machineOf(
  environment: Readonly<Record<string, string | undefined>>,
  permitted: boolean | null,
  ports: Pick<Machine, 'signal' | 'log' | 'remember'>,
): Machine {
  // GitHub docs, "Variables reference": `github-hosted` or `self-hosted`.
  const isHosted = environment.RUNNER_ENVIRONMENT === 'github-hosted';
  return {
    path: environment.PATH,
    systemPath: '/usr/sbin:/usr/bin:/sbin:/bin',
    root: '/',
    workspace: environment.GITHUB_WORKSPACE ?? '/',
    mayChange: permitted ?? isHosted,
    ...ports,
    // A machine of GitHub is thrown away after the job.
    remember: isHosted ? () => undefined : ports.remember,
  };
}

const restriction = 'kernel.apparmor_restrict_unprivileged_userns';
const profileName = 'anode-ci-bwrap';

/** Seconds for one change; a package server may be slow. */
const timeoutMs = 180_000;

/**
 * Makes the sandbox of a job work if the machine permits it: probes, changes one thing, and probes
 * again. A change that did not help is taken back. Never throws: a run without a sandbox says so
 * itself.
 */
export async function prepareSandbox(mode: SandboxMode, machine: Machine): Promise<void> {
  if (mode === 'off') return;
  const tried: SandboxStep[] = [];
  for (;;) {
    const { facts, probe } = await readFacts(mode, machine);
    const decision = nextSandboxStep(facts, tried);
    if (decision.kind === 'ready') return;
    const last = tried.at(-1);
    if (last !== undefined && last !== 'install') await undoChange(last, machine);
    if (decision.kind === 'none') {
      if (decision.why !== null)
        machine.log.warning(`There is no sandbox: ${probe.reason}. ${decision.why} ${probe.summary}`);
      return;
    }
    tried.push(decision.step);
    await makeChange(decision.step, machine);
  }
}

/** Takes a change of AppArmor back. A failure is only logged. */
export async function undoChange(change: LastingChange, machine: Machine): Promise<void> {
  const failed =
    change === 'profile'
      ? await asRoot(['apparmor_parser', '--remove'], machine, profileOf(machine))
      : await asRoot(['sysctl', '-q', '-w', `${restriction}=1`], machine);
  if (failed === null) machine.remember(null);
  else machine.log.warning(`The change of AppArmor could not be taken back: ${failed}`);
}

async function makeChange(step: SandboxStep, machine: Machine): Promise<void> {
  const { log } = machine;
  if (step !== 'install') machine.remember(step);
  const failed = await changes[step](machine);
  if (failed === null) log.print(done[step]);
  else log.warning(`The sandbox: \`${programOf[step]}\` failed: ${failed}`);
}

const done: Readonly<Record<SandboxStep, string>> = {
  install: 'The sandbox: installed bubblewrap.',
  profile: 'The sandbox: loaded an AppArmor profile that permits user namespaces to bubblewrap.',
  sysctl: `The sandbox: set ${restriction}=0.`,
};

const changes: Readonly<Record<SandboxStep, (machine: Machine) => Promise<string | null>>> = {
  async install(machine) {
    const aptGet = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-o', 'DPkg::Lock::Timeout=60'];
    const install = [...aptGet, 'install', '-y', '--no-install-recommends', 'bubblewrap'];
    const failed = await asRoot(install, machine);
    // A new machine may have no package lists.
    if (failed === null || (await asRoot([...aptGet, 'update'], machine)) !== null) return failed;
    return asRoot(install, machine);
  },
  profile: (machine) => asRoot(['apparmor_parser', '--replace'], machine, profileOf(machine)),
  sysctl: (machine) => asRoot(['sysctl', '-q', '-w', `${restriction}=0`], machine),
};

const profileOf = ({ path: jobPath, workspace }: Machine) =>
  bwrapProfile(profileName, findBwrap(jobPath, workspace));

async function readFacts(
  mode: SandboxMode,
  machine: Machine,
): Promise<{ readonly facts: MachineFacts; readonly probe: SandboxProbe }> {
  const { path: jobPath, systemPath, workspace, mayChange } = machine;
  const identity = ownerOf(workspace);
  const probe = await probeSandbox({ path: jobPath, root: workspace, identity, machine: machine.root });
  const at = (name: string) => path.join(machine.root, name);
  const facts = {
    mode,
    works: probe.available,
    supported: process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch),
    installed: path.isAbsolute(findBwrap(jobPath, workspace)),
    restricted: readSetting(at(`proc/sys/${restriction.replaceAll('.', '/')}`)) === '1',
    container: ['.dockerenv', 'run/.containerenv'].some((mark) => existsSync(at(mark))),
    mayChange,
    canBeRoot: probe.available || !mayChange || (await asRoot(['true'], machine)) === null,
    programs: Object.values(programOf).filter((program) => isOnPath(program, systemPath)),
  };
  return { facts, probe };
}

/**
 * Runs a program of the system as root, without anything of the job's environment. Returns null on
 * success, else the end of its output.
 */
async function asRoot(words: readonly string[], machine: Machine, stdin = ''): Promise<string | null> {
  const [program = '', ...rest] = process.getuid?.() === 0 ? words : ['sudo', '-n', ...words];
  const child = spawn(program, rest, {
    env: { PATH: machine.systemPath, LC_ALL: 'C' },
    signal: AbortSignal.any([machine.signal, AbortSignal.timeout(timeoutMs)]),
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const ended = new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? null : `ended with ${signal ?? code}`));
  });
  const [failed, , errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return failed === null ? null : (errors.trim().split('\n').at(-1) ?? '') || failed;
}

function readSetting(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

function isOnPath(program: string, folders: string): boolean {
  return folders.split(':').some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
