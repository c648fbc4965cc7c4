import { visible } from '../../support/find-report.ts';
import type { RepositoryHandle } from '../../support/github/repository-handle.ts';

/** An open finding: `high src/a.ts:7 Title`, with its id where the place has one. */
interface OpenFinding {
  readonly id?: string;
  readonly line: string;
}

/** What four places tell of the findings of a pull request. */
export interface ToldFindings {
  /** `counts` is `1 high, 2 medium`, `settled` is `2 fixed, 1 dismissed`; '' for none. */
  readonly summary: {
    readonly counts: string;
    readonly open: readonly OpenFinding[];
    readonly settled: string;
    /** Ids of findings with a conversation. */
    readonly talkedOver: { readonly open: readonly string[]; readonly settled: readonly string[] };
  };
  readonly check: {
    readonly counts: string;
    readonly open: readonly OpenFinding[];
    readonly settled: string;
    /** Checks of ours that never ended. */
    readonly unended: readonly string[];
  };
  readonly scan: readonly OpenFinding[];
  /** Conversations about findings that the summary tells, unresolved or resolved. */
  readonly threads: { readonly open: readonly OpenFinding[]; readonly settled: readonly string[] };
}

/**
 * Reads what summary, newest check of a review that came to its end, newest upload to code scanning
 * and conversations tell, each from its own text. `agreed` is what all have to tell if they tell
 * the same as the summary.
 */
export function readToldFindings(
  repository: RepositoryHandle,
  number: number,
  bot: string,
): { readonly told: ToldFindings; readonly agreed: ToldFindings } {
  const conversations = conversationsOf(repository, number, bot);
  const body = repository
    .comments(number)
    .find(({ author, body }) => author === bot && body.startsWith('<!-- anode:summary '))?.body;
  const summary = readSummary(body ?? '', conversations);
  const inSummary = new Set(Object.values(summary.talkedOver).flat());
  const about = conversations.filter(({ id }) => inSummary.has(id));
  const told: ToldFindings = {
    summary,
    check: readCheck(repository),
    scan: scannedFindings(repository.sarifs().at(-1)?.log).map(({ id, severity, path, line, title }) => ({
      id,
      line: `${severity} ${path}:${line} ${title}`,
    })),
    threads: {
      open: about.filter(({ isOpen }) => isOpen).map(({ id, line }) => ({ id, line })),
      settled: about.filter(({ isOpen }) => !isOpen).map(({ id }) => id),
    },
  };
  const { counts, open, settled, talkedOver } = summary;
  const agreed: ToldFindings = {
    summary,
    check: { counts, open: open.map(({ line }) => ({ line })), settled, unended: [] },
    scan: open,
    threads: {
      open: open.filter(({ id = '' }) => talkedOver.open.includes(id)),
      settled: talkedOver.settled,
    },
  };
  return { told: inOrder(told), agreed: inOrder(agreed) };
}

function inOrder({ summary, check, scan, threads }: ToldFindings): ToldFindings {
  const sorted = (open: readonly OpenFinding[]) => open.toSorted((a, b) => a.line.localeCompare(b.line));
  return {
    summary: { ...summary, open: sorted(summary.open) },
    check: { ...check, open: sorted(check.open) },
    scan: sorted(scan),
    threads: { open: sorted(threads.open), settled: threads.settled.toSorted() },
  };
}

interface Conversation extends Required<OpenFinding> {
  readonly root: number;
  readonly isOpen: boolean;
}

/** The conversations that our comments on findings begin. */
function conversationsOf(repository: RepositoryHandle, number: number, bot: string): Conversation[] {
  const comments = new Map(repository.reviewComments(number).map((one) => [one.id, one]));
  return repository.reviewThreads(number).flatMap(({ root, path, line, resolvedBy }) => {
    const comment = comments.get(root);
    const id = idIn(comment?.body ?? '');
    if (comment?.author !== bot || id === undefined) return [];
    const [, severity, title] = /^\*\*(\w+)\*\* · (.*)$/m.exec(visible(comment.body)) ?? [];
    return [{ root, id, line: `${severity} ${path}:${line} ${title}`, isOpen: resolvedBy === null }];
  });
}

const idIn = (text: string): string | undefined => /<!-- anode:finding v1 fp=(\S+)/.exec(text)?.[1];

function readSummary(body: string, conversations: readonly Conversation[]): ToldFindings['summary'] {
  const idOf = (text: string): string | undefined => {
    const root = Number(/#discussion_r(\d+)/.exec(text)?.[1]);
    return conversations.find((one) => one.root === root)?.id;
  };
  const lines = body.split('\n');
  const open = lines.flatMap((text) => {
    const [, severity, link = '', place, title] =
      /^- \*\*(\w+)\*\*(.* · \[`(.+?)`\]\(.+?\)) (.+)$/.exec(text) ?? [];
    if (severity === undefined) return [];
    return [{ id: idIn(link) ?? idOf(link) ?? '?', line: `${severity} ${place} ${title}` }];
  });
  const settled = lines.filter((text) => /^- (?:fixed|no longer|closed|dismissed)/.test(text));
  const talkedOver = (texts: readonly string[]) => texts.flatMap((text) => idOf(text) ?? []);
  return {
    counts: /\d+ open findings?\*\*: (.*?)\. Reviewed/.exec(body)?.[1] ?? '',
    open,
    settled: /<summary>Settled: (.*)<\/summary>/.exec(body)?.[1] ?? '',
    talkedOver: {
      open: talkedOver(lines.filter((text) => /^- \*\*\w+\*\*/.test(text))),
      settled: talkedOver(settled),
    },
  };
}

function readCheck(repository: RepositoryHandle): ToldFindings['check'] {
  const all = repository.checkRuns();
  const newest = all.findLast(
    ({ name, status, conclusion }) =>
      name === 'anode review' && status === 'completed' && conclusion !== 'cancelled',
  );
  return {
    counts: /^\d+ findings?: (.*)$/.exec(newest?.title ?? '')?.[1] ?? '',
    open: (newest?.annotations ?? []).map(({ path, end_line, title }) => {
      const [severity, ...rest] = String(title).split(': ');
      return { line: `${severity} ${path}:${end_line} ${rest.join(': ')}` };
    }),
    settled: /^Settled: (.*)\.$/m.exec(newest?.summary ?? '')?.[1] ?? '',
    unended: all.filter(({ status }) => status !== 'completed').map(({ name }) => name),
  };
}

/** A result of a SARIF log, as far as a page of code scanning shows it. */
interface ScannedFinding {
  readonly id: string;
  readonly severity: string;
  readonly title: string;
  readonly path: string;
  readonly line: number;
}

interface SarifResult {
  readonly message: { readonly text: string };
  readonly properties: { readonly severity: string };
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region: { readonly endLine: number };
    };
  }[];
}

/** Reads the results of a SARIF log of ours; none without a log. */
export function scannedFindings(log: unknown): ScannedFinding[] {
  const { runs } = (log ?? { runs: [] }) as {
    readonly runs: readonly { readonly results: readonly SarifResult[] }[];
  };
  return runs.flatMap(({ results }) =>
    results.map(({ message, properties, partialFingerprints, locations }) => ({
      id: partialFingerprints['anodeFinding/v1']?.replace(/:\d+$/, '') ?? '?',
      severity: properties.severity,
      title: message.text.split('\n')[0] ?? '',
      path: locations[0]?.physicalLocation.artifactLocation.uri ?? '',
      line: locations[0]?.physicalLocation.region.endLine ?? 0,
    })),
  );
}
