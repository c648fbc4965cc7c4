import { expect, test } from 'vitest';
import type { SandboxMode } from '../../../src/contract/levels.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { mayRunCommands } from '../../../src/run/policy/may-run-commands.ts';

const plan = {} as unknown as RunPlan;

test.each<[plan: RunPlan | null, sandbox: SandboxMode, sandboxed: boolean, may: boolean]>([
  [plan, 'required', true, true],
  [plan, 'preferred', true, true],
  [plan, 'preferred', false, false],
  [plan, 'off', false, false],
  [null, 'preferred', true, true],
  [null, 'preferred', false, false],
  [null, 'required', false, false],
  [null, 'off', false, true],
])('a run with the plan %o, the sandbox %s, working %s: %s', (of, sandbox, sandboxed, may) => {
  expect(mayRunCommands({ plan: of, sandbox, sandboxed })).toBe(may);
});
