import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { callTool } from '../src/agent/calls/call-tool.ts';
import { openRunLedger } from '../src/agent/ledger/open-run-ledger.ts';
import { findProfile } from '../src/agent/profiles/profiles.ts';
import { makeToolSet } from '../src/agent/profiles/tool-set.ts';
import { newEditChecks } from '../src/checks/linters/edit-checks.ts';
import type { Json } from '../src/contract/json.ts';
import type { SandboxMode } from '../src/contract/levels.ts';
import type { RunEntry } from '../src/contract/run-ledger.ts';
import { createRedactor } from '../src/redaction/redact.ts';
import { makeGate } from '../src/run/gate/make-gate.ts';
import { makeServices } from '../src/run/make-services.ts';
import { decideEditChecks } from '../src/run/policy/decide-edit-checks.ts';
import { localOrigin } from '../src/run/policy/local-plan.ts';
import { openRunStores } from '../src/run/records/run-stores.ts';
import { createCommandRunner } from '../src/sandbox/create-command-runner.ts';
import { builtinTools } from '../src/tools/registry/builtin-tools.ts';
import { openWorkspace } from '../src/workspace/open-workspace.ts';

/** Tools on a checkout, called as a run calls them. */
export interface BenchedTools {
  /** One call, from its parts to its record. Throws when the tool refuses or fails. */
  call(name: string, input: { readonly [key: string]: Json }): Promise<void>;
  close(): Promise<void>;
}

/** Opens a checkout as a run does, with its record in `folder`, and takes the baseline. */
export async function openBenchedTools(
  root: string,
  folder: string,
  sandbox: SandboxMode,
): Promise<BenchedTools> {
  const spillFolder = path.join(folder, 'spill');
  mkdirSync(spillFolder, { recursive: true });
  const workspace = await openWorkspace({ root, runFolder: folder, spillFolder });
  const environment = { PATH: process.env.PATH };
  const commands = await createCommandRunner({ mode: sandbox, workspace, spillFolder, environment });
  // As long as a real run's, because a redactor's cost depends on it.
  const redact = createRedactor(['sk-ant-a-key-that-nobody-has-0123456789', 'ghs_a_token_that_nobody_has']);
  const now = () => new Date();
  const plan = localOrigin(root);
  const { storage, tasks } = openRunStores({
    ...{ runId: 'run_bench', runFolder: folder, store: null, readOnly: false },
    ...{ plan, resume: null, redact, now },
  });
  const evaluated = { config: {}, preset: 'unrestricted', readOnly: false, plan } as const;
  const ledger = openRunLedger(path.join(folder, 'ledger.jsonl'), { now, redact });
  const record = (entry: RunEntry) => ledger.record(entry);
  const signal = new AbortController().signal;
  const gate = makeGate({ ...evaluated, workspace, commands, spillFolder, sandbox, programs: null });
  const editChecks = newEditChecks(
    decideEditChecks({ ...evaluated, sandboxed: commands.sandboxed, path: environment.PATH }),
  );
  const services = makeServices({ workspace, commands, spillFolder, storage, tasks, editChecks });
  const unavailable = () => Promise.reject(new Error('a bench asks nobody'));
  await workspace.baseline();
  let calls = 0;
  return {
    async call(name, input) {
      calls += 1;
      const result = await callTool(
        { type: 'tool_call', id: `call_${calls}`, name, input },
        {
          tools: makeToolSet(builtinTools, findProfile('craft'), []),
          gate: (call) => gate(call, 'main'),
          context: (callId, onlyReads) => ({
            ...services,
            ...{ callId, onlyReads, signal, record, state: { todos: [], findings: [] } },
            finish: unavailable,
            ask: unavailable,
            requestPermissions: unavailable,
            runChild: unavailable,
          }),
          countCall: () => undefined,
          advised: new Set(),
          record,
          redact,
          baseline: () => workspace.baseline(),
          spillFolder,
          now: () => performance.now(),
        },
      );
      if (result.is_error)
        throw new Error(`${name} failed: ${JSON.stringify(result.content).slice(0, 2000)}`);
    },
    async close() {
      await commands.close();
      await services.syntax.close();
      await ledger.close();
      await workspace.close();
    },
  };
}
