import type { RunPlan } from '../../contract/plan.ts';
import { type Html, html } from './html.ts';

/** Where a page may lead to: whole origins, and hosts that are reached by https alone (`*.` for all below one). */
export interface LinkPlaces {
  readonly origins: readonly string[];
  readonly hosts: readonly string[];
}

/** The site of the plan's repository, and what its configuration allows; without a plan GitHub itself. */
export function linkPlaces(plan: RunPlan | null): LinkPlaces {
  const url = plan?.repository.clone_url ?? '';
  const origin = /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).origin : 'https://github.com';
  return { origins: [origin], hosts: plan?.link_hosts ?? [] };
}

/** The address as it may stand in `href`; null for any other scheme or place, and for one with a password in it. */
export function safeAddress(address: string, places: LinkPlaces): string | null {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  const { protocol, origin, hostname, host, username, password, href } = new URL(address);
  if (username !== '' || password !== '') return null;
  if (places.origins.includes(origin)) return href;
  const known = places.hosts.some((pattern) =>
    pattern.startsWith('*.')
      ? hostname.endsWith(pattern.slice(1).toLowerCase())
      : [host, hostname].includes(pattern.toLowerCase()),
  );
  return protocol === 'https:' && known ? href : null;
}

/** A link where it may be one; else its words, with the address as text behind them. */
export function reportLink(words: Html, address: string, places: LinkPlaces): Html {
  const href = safeAddress(address, places);
  if (href !== null) return html`<a href="${href}" rel="noopener noreferrer nofollow">${words}</a>`;
  const shown = address.length > 300 ? `${address.slice(0, 300)}…` : address;
  return words.html === html`${shown}`.html
    ? html`<code>${shown}</code>`
    : html`${words} (<code>${shown}</code>)`;
}
