import type { RunPlan } from '../../contract/plan.ts';
import { neutraliseOutgoing, neutralisePlain } from '../../untrusted-text/neutralise.ts';
import { cutText } from './markdown.ts';

/** The default host for links. */
const ownHosts = ['github.com'];

/**
 * Neutralises a model's text for posting: no mentions, closing words, commands, hidden HTML,
 * foreign images or links to other hosts. Code is unchanged. See `neutraliseOutgoing`.
 */
export function publicText(text: string, hosts: readonly string[] = ownHosts): string {
  return neutraliseOutgoing(text, hosts);
}

/**
 * Neutralises a text and cuts it to `length` UTF-16 units, including `note`. The cut comes first:
 * cutting a code span would turn code into text.
 */
export function publicCut(
  text: string,
  length: number,
  note: string,
  hosts: readonly string[] = ownHosts,
): string {
  let budget = length;
  for (;;) {
    const safe = neutraliseOutgoing(cutText(text, budget, note), hosts);
    if (safe.length <= length) return safe;
    budget = Math.min(budget - 1, Math.floor((budget * length) / safe.length));
  }
}

/**
 * Returns the hosts that a run's texts may link to: the repository's site and those of the plan.
 */
export function hostsOf({
  repository,
  link_hosts,
}: Pick<RunPlan, 'repository' | 'link_hosts'>): readonly string[] {
  const { clone_url } = repository;
  const own = URL.canParse(clone_url) ? [new URL(clone_url).host] : ownHosts;
  return [...own, ...(link_hosts ?? [])];
}

/** The same for what is shown as it is: titles and messages of commits. */
export function publicLine(text: string): string {
  return neutralisePlain(text);
}

/** Neutralises text that follows `before`, with which it could form a word that GitHub acts on. */
export function publicBehind(before: string, text: string): string {
  return publicLine(`${before}${text}`).slice(publicLine(before).length);
}
