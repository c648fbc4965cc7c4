import type { RunPlan } from '../../contract/plan.ts';
import { neutraliseOutgoing, neutralisePlain } from '../../untrusted-text/neutralise.ts';
import { cutText } from './markdown.ts';

/** Where the site itself may be linked to when nothing else is known. */
const ownHosts = ['github.com'];

/**
 * Text of a model as it may be posted: nobody is mentioned, nothing closed, no command given, no HTML hidden, no link
 * to a host that is not allowed, and no image of another site shown (see `neutraliseOutgoing`). Code stays as it is.
 */
export function publicText(text: string, hosts: readonly string[] = ownHosts): string {
  return neutraliseOutgoing(text, hosts);
}

/**
 * The same, cut to `length` UTF-16 units, `note` included. The text is cut before it is made harmless: a cut through a span of code
 * would make text of what it holds.
 */
export function publicCut(
  text: string,
  length: number,
  note: string,
  hosts: readonly string[] = ownHosts,
): string {
  let room = length;
  for (;;) {
    const safe = neutraliseOutgoing(cutText(text, room, note), hosts);
    if (safe.length <= length) return safe;
    room = Math.min(room - 1, Math.floor((room * length) / safe.length));
  }
}

/** Where a run's own texts may link to: the site of the repository and the hosts that its plan names. */
export function hostsOf({ repository, link_hosts }: RunPlan): readonly string[] {
  const { clone_url } = repository;
  const own = URL.canParse(clone_url) ? [new URL(clone_url).host] : ownHosts;
  return [...own, ...(link_hosts ?? [])];
}

/** The same for what is shown as it is: titles and messages of commits. */
export function publicLine(text: string): string {
  return neutralisePlain(text);
}

/** The same for what is shown behind `before`, with which it could make a word that GitHub acts on. */
export function publicBehind(before: string, text: string): string {
  return publicLine(`${before}${text}`).slice(publicLine(before).length);
}
