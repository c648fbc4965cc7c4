import { readFile } from 'node:fs/promises';
import { headFile, LedgerHead } from '../../agent/ledger/ledger-head.ts';
import { streamRunLedger } from '../../agent/ledger/read-run-ledger.ts';
import { parseJson } from '../../contract/json.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { attestationTrailer, changeStatement, type RecordedFacts } from '../../evidence/change-statement.ts';
import type { AttestChange, SignStatement } from '../../reporting/posting/ports.ts';
import type { FinishedRun } from '../../run/finish-run.ts';
import type { OwnGit } from '../../workspace/git/own-git.ts';
import { patchedTree } from '../../workspace/git/patched-tree.ts';

type AttestedRun = Pick<FinishedRun, 'outcome' | 'ledgerFile'>;

/**
 * Makes the port that attests commits of a run. `run` is null for commits without a run,
 * such as applied suggestions. The same change always gives the same text.
 */
export function attestWith(
  sign: SignStatement,
  plan: RunPlan,
  run: AttestedRun | null,
  git: OwnGit,
): AttestChange {
  return async ({ onto, patch }) => {
    const tree = await patchedTree(git, onto, patch);
    if (tree === null) return null;
    const recorded = await recordedFacts(run);
    const statement = changeStatement({ tree, parent: onto }, plan, run?.outcome ?? null, recorded);
    return { trailer: attestationTrailer(statement), sign: () => sign(statement) };
  };
}

/** Reads what the record says; nothing where another machine has it. */
async function recordedFacts(run: AttestedRun | null): Promise<RecordedFacts> {
  const nothing = { provenance: null, ledger: null, proofs: [] };
  if (run === null) return nothing;
  const { ledgerFile } = run;
  const { proven: proofs = [] } = run.outcome;
  try {
    const ledger = LedgerHead.safeParse(parseJson(await readFile(headFile(ledgerFile), 'utf8'))).data ?? null;
    for await (const { entry } of streamRunLedger(ledgerFile))
      if (entry.type === 'provenance') return { provenance: entry.provenance, ledger, proofs };
    return { ...nothing, ledger, proofs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing;
    throw error;
  }
}
