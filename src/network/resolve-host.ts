import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AllowedHost, isAllowedHost } from './allowed-host.ts';
import { isOpenableAddress, isPublicAddress } from './public-address.ts';

/** The hosts that may be reached. */
export interface NetworkPolicy {
  readonly allowed: readonly AllowedHost[];
  /** The name of that list in messages. Default: `the allowed hosts`. */
  readonly allowedAs?: string;
  /** Hosts among them that may have a private address. */
  readonly privateAllowed: readonly AllowedHost[];
}

/** The address to connect to and all others, or the reason for a refusal. */
export type Resolved =
  | { readonly address: string; readonly addresses: readonly string[] }
  | { readonly refused: string };

/** Looks up the addresses of a name. */
export type HostLookup = (host: string) => Promise<readonly string[]>;

/** Asks the machine's own resolver. */
export const systemLookup: HostLookup = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Decides where a connection goes. The name is looked up once and all its addresses are checked.
 * Callers connect to the returned address, so a changing name leads nowhere. One forbidden address
 * refuses the whole name. Rejects if the name cannot be looked up.
 */
export async function resolveHost(
  host: string,
  port: number,
  policy: NetworkPolicy,
  findAddresses: HostLookup = systemLookup,
): Promise<Resolved> {
  if (!isAllowedHost(host, port, policy.allowed))
    return { refused: `it is not among ${policy.allowedAs ?? 'the allowed hosts'}` };
  const addresses = isIP(host) === 0 ? await findAddresses(host) : [host];
  const opened = isAllowedHost(host, port, policy.privateAllowed);
  const isFit = opened ? isOpenableAddress : isPublicAddress;
  const [first] = addresses;
  if (first === undefined) return { refused: 'it has no address' };
  return addresses.every(isFit)
    ? { address: first, addresses }
    : { refused: 'it leads to a private address' };
}
