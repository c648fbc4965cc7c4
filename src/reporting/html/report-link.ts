import type { RunPlan } from '../../contract/plan.ts';
import { type Html, html } from './html.ts';

/** The targets that a page may link to: origins, and hosts over https (`*.` for all subdomains). */
export interface AllowedLinks {
  readonly origins: readonly string[];
  readonly hosts: readonly string[];
}

/** Returns the site of the plan's repository and the configured hosts. Default: GitHub. */
export function allowedLinks(plan: RunPlan | null): AllowedLinks {
  const url = plan?.repository.clone_url ?? '';
  const origin = /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).origin : 'https://github.com';
  return { origins: [origin], hosts: plan?.link_hosts ?? [] };
}

/** Returns an address for `href`; null for another scheme or target, or one with a password. */
export function safeAddress(address: string, places: AllowedLinks): string | null {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  const { protocol, origin, hostname, host, username, password, href } = new URL(address);
  if (username !== '' || password !== '') return null;
  if (places.origins.includes(origin)) return href;
  const isAllowed = places.hosts.some((pattern) =>
    pattern.startsWith('*.')
      ? hostname.endsWith(pattern.slice(1).toLowerCase())
      : [host, hostname].includes(pattern.toLowerCase()),
  );
  return protocol === 'https:' && isAllowed ? href : null;
}

/** Renders an allowed link; else its text, with the address behind it. */
export function reportLink(text: Html, address: string, places: AllowedLinks): Html {
  const href = safeAddress(address, places);
  if (href !== null) return html`<a href="${href}" rel="noopener noreferrer nofollow">${text}</a>`;
  const label = address.length > 300 ? `${address.slice(0, 300)}…` : address;
  return text.html === html`${label}`.html
    ? html`<code>${label}</code>`
    : html`${text} (<code>${label}</code>)`;
}
