import type { RunPlan } from '../../contract/plan.ts';
import { neutraliseOutgoing, neutralisePlain, type OutgoingAllowance } from '../../permissions/neutralise.ts';
import { codeRegions } from '../../permissions/text/code-regions.ts';

/** Stands between two characters that would mean something together; a reader sees nothing of it. */
const apart = '\u200b';

/** Images of the same site with a plain relative path: `![chart](docs/chart.png)`. */
const ownImage = /^!\[[^\]\n]*\]\((?!\/\/)[\w./-]+\)/u;

/** Where the site itself may be linked to when nothing else is known. */
const ownHosts = ['github.com'];

/**
 * Text of a model as it may be posted: nobody is mentioned, nothing closed, no command given, no HTML hidden, no link
 * to a host that is not allowed (see `neutraliseOutgoing`), and no image of another site shown, since whoever views it
 * would tell that site what its address says, and the address is the model's. Such images become the text they were
 * written with. Code stays as it is.
 */
export function publicText(text: string, allow: OutgoingAllowance = { hosts: ownHosts }): string {
  const safe = neutraliseOutgoing(text, allow);
  let done = '';
  let last = 0;
  const prose = (part: string) =>
    part.replace(/!(?=\[)/gu, (mark, at: number) =>
      ownImage.test(part.slice(at, at + 500)) ? mark : mark + apart,
    );
  for (const { start, end } of codeRegions(safe, { html: false })) {
    done += prose(safe.slice(last, start)) + safe.slice(start, end);
    last = end;
  }
  return done + prose(safe.slice(last));
}

/** What a run's own texts may do: link to the site of the repository and to the hosts that its plan names. */
export function allowanceOf({ repository, link_hosts }: RunPlan): OutgoingAllowance {
  const { clone_url } = repository;
  const own = URL.canParse(clone_url) ? [new URL(clone_url).host] : ownHosts;
  return { hosts: [...own, ...(link_hosts ?? [])] };
}

/** The same for what is shown as it is: titles and messages of commits. */
export function publicLine(text: string): string {
  return neutralisePlain(text);
}
