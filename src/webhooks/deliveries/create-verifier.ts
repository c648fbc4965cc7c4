import { Webhooks } from '@octokit/webhooks';

/**
 * Creates the check of `X-Hub-Signature-256` for a raw body, in constant time. A malformed
 * signature is wrong. GitHub docs: "Validating webhook deliveries".
 */
export function createVerifier(secret: string): (body: string, signature: string) => Promise<boolean> {
  const webhooks = new Webhooks({ secret });
  return (body, signature) => webhooks.verify(body, signature);
}
