import { createCredentialChain, fromEnv, fromNodeProviderChain } from '@aws-sdk/credential-providers';

/**
 * The credentials that the AWS SDK finds: the environment first, then profile, single sign-on, web
 * identity, container and machine. A separate module that is imported by name: the bundled package
 * could not load it.
 */
export function awsCredentials(): ReturnType<typeof createCredentialChain> {
  return createCredentialChain(fromEnv(), fromNodeProviderChain());
}
