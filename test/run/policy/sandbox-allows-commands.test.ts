import { expect, test } from 'vitest';
import type { SandboxMode } from '../../../src/contract/levels.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { localOrigin } from '../../../src/run/policy/local-plan.ts';
import { sandboxAllowsCommands } from '../../../src/run/policy/sandbox-allows-commands.ts';

const forGitHub = { source: { kind: 'app', delivery_id: null } } as const;
const local = localOrigin('/');

test.each<[plan: Pick<RunPlan, 'source'>, sandbox: SandboxMode, sandboxed: boolean, may: boolean]>([
  [forGitHub, 'required', true, true],
  [forGitHub, 'preferred', true, true],
  [forGitHub, 'preferred', false, false],
  [forGitHub, 'off', false, false],
  [local, 'preferred', true, true],
  [local, 'preferred', false, false],
  [local, 'required', false, false],
  [local, 'off', false, true],
])('a run with the plan %j, the sandbox %s, working %s: %s', (of, sandbox, sandboxed, may) => {
  expect(sandboxAllowsCommands({ plan: of, sandbox, sandboxed })).toBe(may);
});
