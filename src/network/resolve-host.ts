import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AllowedHost, isAllowedHost } from './allowed-host.ts';
import { isOpenableAddress, isPublicAddress } from './public-address.ts';

/** Which hosts may be reached. */
export interface NetworkPolicy {
  readonly allowed: readonly AllowedHost[];
  /** What people know that list as, to be told of a host that is not in it; left out, `the allowed hosts`. */
  readonly allowedAs?: string;
  /** Those among them that the operator lets have a private address. */
  readonly privateAllowed: readonly AllowedHost[];
}

/** An address to connect to, with all that the host has, or why there is none. */
export type Resolved =
  | { readonly address: string; readonly addresses: readonly string[] }
  | { readonly refused: string };

/** Gives the addresses of a name, as the machine sees them. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** Asks the machine's own resolver. */
export const systemLookup: Lookup = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Decides where a connection goes. The name is looked up once, every address it has is checked, and the caller connects
 * to the one that is returned: a name that changes between check and use leads nowhere. A name with even one
 * address that may not be reached is refused. Rejects where the name cannot be looked up.
 */
export async function resolveHost(
  host: string,
  port: number,
  policy: NetworkPolicy,
  look: Lookup = systemLookup,
): Promise<Resolved> {
  if (!isAllowedHost(host, port, policy.allowed))
    return { refused: `it is not among ${policy.allowedAs ?? 'the allowed hosts'}` };
  const addresses = isIP(host) === 0 ? await look(host) : [host];
  const opened = isAllowedHost(host, port, policy.privateAllowed);
  const isFit = opened ? isOpenableAddress : isPublicAddress;
  const [first] = addresses;
  if (first === undefined) return { refused: 'it has no address' };
  return addresses.every(isFit)
    ? { address: first, addresses }
    : { refused: 'it leads to a private address' };
}
