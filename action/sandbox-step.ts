import type { SandboxMode } from '../src/contract/levels.ts';

/** Facts about the machine of a job that its sandbox depends on. */
export interface MachineFacts {
  readonly mode: SandboxMode;
  /** True if a sandbox was started just now. */
  readonly works: boolean;
  /** True on Linux with an x64 or arm64 processor. */
  readonly supported: boolean;
  /** True if bubblewrap is installed. */
  readonly installed: boolean;
  /** True if AppArmor forbids user namespaces to programs without a profile (Ubuntu 23.10). */
  readonly restricted: boolean;
  /** True in a job with `container:`, where the machine's settings are out of reach. */
  readonly container: boolean;
  /** True on a machine of GitHub, which is thrown away, or if the workflow permits changes. */
  readonly mayChange: boolean;
  /** True as root, or with a `sudo` that asks for no password. */
  readonly canBeRoot: boolean;
  /** Programs of the system that a step may need. */
  readonly programs: readonly string[];
}

/**
 * A change of the machine: installs bubblewrap, loads an AppArmor profile for it, or lifts
 * AppArmor's restriction for all programs.
 */
export type SandboxStep = 'install' | 'profile' | 'sysctl';

/** The name under which the runner stores a change from the step to its end. */
export const sandboxState = 'sandbox_change';

/** The program that carries out each step. */
export const programOf: Readonly<Record<SandboxStep, string>> = {
  install: 'apt-get',
  profile: 'apparmor_parser',
  sysctl: 'sysctl',
};

/**
 * The next change, or the end. `why` completes the reason of the failed probe; null adds nothing.
 */
export type SandboxDecision =
  | { readonly kind: 'ready' }
  | { readonly kind: 'change'; readonly step: SandboxStep }
  | { readonly kind: 'none'; readonly why: string | null };

const needs: Readonly<Record<SandboxStep, (facts: MachineFacts) => boolean>> = {
  install: ({ installed }) => !installed,
  profile: ({ installed, restricted, container }) => installed && restricted && !container,
  sysctl: ({ installed, restricted, container }) => installed && restricted && !container,
};

/** The narrowest change first. */
const order: readonly SandboxStep[] = ['install', 'profile', 'sysctl'];

/**
 * Decides on the next change that may bring a sandbox. `tried` are the changes made so far, none of
 * which is repeated. Pure.
 */
export function nextSandboxStep(facts: MachineFacts, tried: readonly SandboxStep[]): SandboxDecision {
  if (facts.works || facts.mode === 'off') return { kind: 'ready' };
  if (!facts.supported) return { kind: 'none', why: null };
  const step = order.find(
    (one) => needs[one](facts) && facts.programs.includes(programOf[one]) && !tried.includes(one),
  );
  if (step === undefined)
    return {
      kind: 'none',
      why: facts.container
        ? 'A job with `container:` needs a container that permits user namespaces; docs/app.md has its options.'
        : null,
    };
  if (!facts.mayChange)
    return {
      kind: 'none',
      why: 'Nothing is changed on a self-hosted runner. The input `sandbox_setup: true` permits it.',
    };
  return facts.canBeRoot
    ? { kind: 'change', step }
    : { kind: 'none', why: 'The step cannot prepare it: `sudo` asks for a password here.' };
}
