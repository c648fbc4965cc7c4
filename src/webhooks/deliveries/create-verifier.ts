import { Webhooks } from '@octokit/webhooks';

/**
 * Checks `X-Hub-Signature-256` of a body as it came over the wire, in constant time. GitHub docs: "Validating
 * webhook deliveries". A signature that is not even of the right form counts as wrong.
 */
export function createVerifier(secret: string): (body: string, signature: string) => Promise<boolean> {
  const webhooks = new Webhooks({ secret });
  return (body, signature) => webhooks.verify(body, signature);
}
