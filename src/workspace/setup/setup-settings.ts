import { type Ecosystem, ecosystems } from './ecosystems.ts';

/** The set-up as configured. */
interface ConfiguredSetup {
  readonly commands: readonly string[];
  readonly registries?: readonly string[] | undefined;
  readonly scripts?: boolean | undefined;
  readonly cache?: readonly string[] | undefined;
  readonly lockfiles?: readonly string[] | undefined;
  readonly timeoutSeconds?: number | undefined;
}

/** The set-up with all defaults filled in. */
export interface SetupSettings {
  readonly commands: readonly string[];
  /** Allowed hosts, optionally with a port. */
  readonly registries: readonly string[];
  readonly scripts: boolean;
  /** Globs of the folders to store and to mount in the run; `~/` is the commands' home. */
  readonly cache: readonly string[];
  /** Globs of the files whose contents decide whether a stored result is valid. */
  readonly lockfiles: readonly string[];
  readonly timeoutSeconds: number;
  /** Variables added to the clean environment of the commands. */
  readonly environment: Readonly<Record<string, string>>;
  /** Variables that the run's commands need to use the result. */
  readonly runEnvironment: Readonly<Record<string, string>>;
}

/** Longer than a successful installation takes. */
const standardTimeoutSeconds = 600;

/**
 * Fills in the defaults of the package managers that the commands call. The files of the checkout
 * are ignored: they are untrusted.
 */
export function setupSettings(configured: string | ConfiguredSetup): SetupSettings {
  const setup: ConfiguredSetup = typeof configured === 'string' ? { commands: [configured] } : configured;
  const called = ecosystemsOf(setup.commands);
  const all = (part: (one: Ecosystem) => readonly string[]) => [...new Set(called.flatMap(part))];
  const scripts = setup.scripts ?? false;
  const merged = (part: (one: Ecosystem) => Readonly<Record<string, string>>) =>
    Object.assign({}, ...called.map(part)) as Record<string, string>;
  return {
    commands: setup.commands,
    registries: setup.registries ?? all((one) => one.registries),
    scripts,
    cache: setup.cache ?? all((one) => one.folders),
    lockfiles: setup.lockfiles ?? all((one) => one.lockfiles),
    timeoutSeconds: setup.timeoutSeconds ?? standardTimeoutSeconds,
    environment: {
      ...merged((one) => one.environment),
      ...merged((one) => (scripts ? {} : one.withoutScripts)),
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
