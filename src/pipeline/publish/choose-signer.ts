import type { KeyObject } from 'node:crypto';
import type { Config } from '../../config/schema.ts';
import { signingKey } from '../../config/signing-key.ts';
import { sigstoreServices } from '../../config/sigstore-services.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { signEnvelope } from '../../evidence/dsse.ts';
import type { SignStatement } from '../../reporting/posting/ports.ts';
import type { GitHubContext } from '../context/broker-context.ts';

/** Facts that decide how commits are signed. */
interface SigningFacts {
  readonly hasKey: boolean;
  /** True if the job may ask for an identity token. */
  readonly hasIdentity: boolean;
  /** True if the public log would show the name of a private repository. */
  readonly isPrivate: boolean;
  readonly setting: NonNullable<Config['commit']>['attestation'];
}

/**
 * Decides how commits are signed: with the operator's key if there is one, else without a key where
 * the configuration allows it. `impossible`: it asks for that, and the job has no identity.
 */
export function decideSigning({
  hasKey,
  hasIdentity,
  isPrivate,
  setting = 'auto',
}: SigningFacts): 'key' | 'keyless' | 'impossible' | 'none' {
  if (hasKey) return 'key';
  if (setting === 'keyless') return hasIdentity ? 'keyless' : 'impossible';
  return setting === 'auto' && hasIdentity && !isPrivate ? 'keyless' : 'none';
}

const noIdentity =
  'The commit is not attested: `commit.attestation: keyless` needs a workflow job with the permission `id-token: write`.';

/** Returns the signer of a run's statements; null if its commits are not attested. */
export function chooseSigner(
  plan: Pick<RunPlan, 'repository'>,
  config: Config,
  { environment, staged, identityToken }: Pick<GitHubContext, 'environment' | 'staged' | 'identityToken'>,
): SignStatement | null {
  if (staged !== undefined) return null;
  const key = signingKey(environment);
  const decision = decideSigning({
    hasKey: key !== null,
    hasIdentity: identityToken !== undefined,
    isPrivate: plan.repository.private,
    setting: config.commit?.attestation,
  });
  if (decision === 'impossible') return async () => ({ unattested: noIdentity });
  if (decision === 'keyless' && identityToken !== undefined)
    return async (statement) => {
      const { signKeyless } = await import('../../evidence/sign-keyless.ts');
      return signKeyless(statement, { services: sigstoreServices(environment), identityToken });
    };
  return key === null ? null : signByKey(key);
}

const signByKey =
  (key: KeyObject): SignStatement =>
  async (statement) => ({ text: `${JSON.stringify(signEnvelope(statement, key))}\n` });
