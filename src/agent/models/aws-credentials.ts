import { createCredentialChain, fromEnv, fromNodeProviderChain } from '@aws-sdk/credential-providers';

/**
 * The credentials that the AWS SDK finds: those of the environment first, then profile, single
 * sign-on, web identity, container and machine. A module of its own, named here: bundled, the
 * package that would load it finds nothing in it.
 */
export function awsCredentials(): ReturnType<typeof createCredentialChain> {
  return createCredentialChain(fromEnv(), fromNodeProviderChain());
}
