import * as z from 'zod';
import { ProvenCommand } from './run-results.ts';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const ObjectId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

/** The type of the payload of an envelope (in-toto Attestation Framework, "Envelope"). */
export const attestationPayload = 'application/vnd.in-toto+json';

/** Facts about a change: what was asked for, what was in force, and what was checked. */
const Predicate = z.object({
  /** The run whose record has the details. */
  run: z.object({ id: z.string(), session: z.string(), verb: z.string(), version: z.string() }),
  /** Who asked; '' for an automated run. */
  requester: z.string(),
  /** The commit that the change was put on. */
  parent: z.object({ gitCommit: ObjectId }),
  /** The base branch, whose configuration steered the run. */
  base: z.object({ ref: z.string(), gitCommit: ObjectId.nullable() }),
  /** `provider/model`; null if no model took part. */
  model: z.string().nullable(),
  /** Hash of the run plan, as JSON. */
  plan_sha256: Sha256,
  /** Hashes of what was in force; null where the record of the run is elsewhere. */
  in_force: z.object({ prompt_sha256: Sha256, tools_sha256: Sha256, policy_sha256: Sha256 }).nullable(),
  /** The end of the run's ledger; null where the record is elsewhere. */
  ledger: z.object({ entries: z.int().nonnegative(), sha256: Sha256.nullable() }).nullable(),
  /** Calls that a person approved or denied. */
  approvals: z.array(z.object({ digest: z.string(), by: z.string(), approved: z.boolean() })),
  /** Commands that failed before the change and pass after it. */
  proofs: z.array(ProvenCommand),
});

/**
 * A statement of ours about a change. The subject is the tree of the commit, since a commit names
 * the hash of its statement and could not be named by it (in-toto Statement v1).
 */
export const Statement = z.object({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.tuple([z.object({ name: z.string(), digest: z.object({ gitTree: ObjectId }) })]),
  predicateType: z.literal('urn:anode-ci:change:v1'),
  predicate: Predicate,
});
export type Statement = z.infer<typeof Statement>;

/** A signed statement (DSSE v1, "Envelope"). */
export const Envelope = z.object({
  payloadType: z.literal(attestationPayload),
  /** The statement as JSON, in base64. */
  payload: z.base64(),
  signatures: z
    .array(z.object({ keyid: z.string(), sig: z.base64() }))
    .min(1)
    .max(8),
});
export type Envelope = z.infer<typeof Envelope>;
