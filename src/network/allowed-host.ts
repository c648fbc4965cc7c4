/** An allowed host with its ports. */
export interface AllowedHost {
  /**
   * In lower case, without a final dot; `*.example.com` matches every name below it, `*` every
   * name.
   */
  readonly name: string;
  readonly ports: readonly number[];
}

/** Reads an entry of an allow-list (`hostPattern`). Default ports: those of HTTPS and HTTP. */
export function allowedHost(entry: string): AllowedHost {
  const [name = '', port] = entry.toLowerCase().split(':');
  return { name, ports: port === undefined ? [443, 80] : [Number(port)] };
}

/** The host and port of an http or https URL, without the brackets of IPv6. */
export function hostOf(url: URL): AllowedHost {
  return { name: url.hostname.replace(/^\[|\]$/g, ''), ports: [portOf(url)] };
}

/** The port that an http or https URL means. */
export function portOf({ protocol, port }: { readonly protocol: string; readonly port: string }): number {
  if (port) return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** True if an entry allows a host and port. The host is compared as a name, never looked up. */
export function isAllowedHost(host: string, port: number, allowed: readonly AllowedHost[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return allowed.some(
    (one) =>
      one.ports.includes(port) &&
      (one.name.startsWith('*') ? name.endsWith(one.name.slice(1)) : name === one.name),
  );
}
