import { createHash } from 'node:crypto';
import type { Statement } from '../contract/attestation.ts';
import type { Outcome } from '../contract/outcome.ts';
import { ownVersion } from '../contract/own-version.ts';
import type { RunPlan } from '../contract/plan.ts';
import type { Provenance } from '../contract/provenance.ts';
import type { ProvenCommand } from '../contract/run-results.ts';

/** The change of a commit that is about to be made. */
export interface AttestedChange {
  /** The tree of the commit. */
  readonly tree: string;
  /** The commit that it is put on. */
  readonly parent: string;
}

/** Facts from the record of a run; null for each part that is not on this machine. */
export interface RecordedFacts {
  readonly provenance: Provenance | null;
  readonly ledger: { readonly entries: number; readonly sha256: string | null } | null;
  readonly proofs: readonly ProvenCommand[];
}

/**
 * Returns the statement about a change of a run, as the JSON text that is signed. `outcome` is null
 * for a commit without a run of a model, such as applied suggestions.
 */
export function changeStatement(
  { tree, parent }: AttestedChange,
  plan: RunPlan,
  outcome: Pick<Outcome, 'model' | 'decided'> | null,
  { provenance, ledger, proofs }: RecordedFacts,
): string {
  const { base_ref, base_sha, trusted } = plan.checkout;
  const statement: Statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: plan.repository.clone_url, digest: { gitTree: tree } }],
    predicateType: 'urn:anode-ci:change:v1',
    predicate: {
      run: { id: plan.run_id, session: plan.session_id, verb: plan.verb, version: ownVersion },
      requester: plan.requester.login,
      parent: { gitCommit: parent },
      base: { ref: base_ref, gitCommit: trusted?.sha ?? base_sha },
      model: outcome?.model ?? null,
      plan_sha256: createHash('sha256').update(JSON.stringify(plan)).digest('hex'),
      in_force: provenance === null ? null : inForce(provenance),
      ledger: ledger === null ? null : { entries: ledger.entries, sha256: ledger.sha256 },
      approvals: (outcome?.decided ?? [])
        .filter(({ verdict }) => verdict !== 'lapsed')
        .map(({ hash, by, verdict }) => ({ digest: hash, by, approved: verdict === 'approved' })),
      proofs: proofs.map(({ command, before, after }) => ({ command, before, after })),
    },
  };
  return JSON.stringify(statement);
}

const inForce = ({ prompt_sha256, tools_sha256, policy_sha256 }: Provenance) => ({
  prompt_sha256,
  tools_sha256,
  policy_sha256,
});

/** The trailer of a commit that names the hash of its statement. */
const trailerName = 'Anode-Attestation';

/** Returns the trailer for a statement: `Anode-Attestation: sha256:…`. */
export function attestationTrailer(statement: string): string {
  return `${trailerName}: sha256:${createHash('sha256').update(statement).digest('hex')}`;
}

/** Returns the hash of the statement that a commit message names; null without the trailer. */
export function attestedHash(message: string): string | null {
  return new RegExp(`^${trailerName}: sha256:([0-9a-f]{64})$`, 'mu').exec(message)?.[1] ?? null;
}
