import { type Ecosystem, ecosystems } from './ecosystems.ts';

/** The set-up as the configuration has it. */
export interface GivenSetup {
  readonly commands: readonly string[];
  readonly registries?: readonly string[] | undefined;
  readonly scripts?: boolean | undefined;
  readonly cache?: readonly string[] | undefined;
  readonly lockfiles?: readonly string[] | undefined;
  readonly timeoutSeconds?: number | undefined;
}

/** The set-up with nothing left open. */
export interface SetupSettings {
  readonly commands: readonly string[];
  /** Hosts, perhaps with a port, that may be reached. */
  readonly registries: readonly string[];
  readonly scripts: boolean;
  /** Globs of the folders that are kept and shown to the run; `~/` is the home of the commands. */
  readonly cache: readonly string[];
  /** Globs of the files whose contents decide whether a kept result still holds. */
  readonly lockfiles: readonly string[];
  readonly timeoutSeconds: number;
  /** Variables for the commands on top of the clean environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Variables that the run's commands need to find what was set up. */
  readonly runEnvironment: Readonly<Record<string, string>>;
}

/** Longer than installing takes where it works. */
const standardTimeoutSeconds = 600;

/**
 * Fills in what is known of the package managers that the commands call: which are looked at, and not the files of the
 * checkout, since those are a stranger's.
 */
export function setupSettings(given: string | GivenSetup): SetupSettings {
  const setup: GivenSetup = typeof given === 'string' ? { commands: [given] } : given;
  const known = ecosystemsOf(setup.commands);
  const all = (part: (one: Ecosystem) => readonly string[]) => [...new Set(known.flatMap(part))];
  const scripts = setup.scripts ?? false;
  const merged = (part: (one: Ecosystem) => Readonly<Record<string, string>>) =>
    Object.assign({}, ...known.map(part)) as Record<string, string>;
  return {
    commands: setup.commands,
    registries: setup.registries ?? all((one) => one.registries),
    scripts,
    cache: setup.cache ?? all((one) => one.folders),
    lockfiles: setup.lockfiles ?? all((one) => one.lockfiles),
    timeoutSeconds: setup.timeoutSeconds ?? standardTimeoutSeconds,
    environment: {
      ...merged((one) => one.environment),
      ...(scripts ? {} : merged((one) => one.withoutScripts)),
    },
    runEnvironment: merged((one) => one.runEnvironment ?? {}),
  };
}

function ecosystemsOf(commands: readonly string[]): Ecosystem[] {
  const words = new Set(
    commands.flatMap((command) => command.split(/[\s;&|()]+/)).map((word) => word.split('/').at(-1)),
  );
  return ecosystems.filter(({ programs }) => programs.some((program) => words.has(program)));
}
