import type { StructuredPatch } from 'diff';
import type { Finding } from '../../contract/findings.ts';
import { isAboutTests } from '../../contract/is-about-tests.ts';
import { languageOf } from '../code/languages.ts';
import type { ToolContext } from '../tool.ts';

/** Files without code. */
const prose = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i;

/** Maximum files that are parsed for one list of findings. A larger change counts as code. */
const mostParsed = 50;

type Services = Pick<ToolContext, 'workspace' | 'syntax' | 'signal'>;

/**
 * Returns the findings that demand tests where the change under review touches only comments,
 * docstrings or prose: in the finding's file, or in all files if it lies beside the change. A file
 * that cannot be parsed counts as code.
 */
export async function untestedComments(
  findings: readonly Finding[],
  diff: string,
  services: Services,
): Promise<ReadonlySet<Finding>> {
  const about = findings.filter(isAboutTests);
  if (about.length === 0) return new Set();
  const { parsePatch } = await import('diff');
  const patches = new Map(parsePatch(diff).map((patch) => [nameOf(patch), patch]));
  const known = new Map<StructuredPatch, Promise<boolean>>();
  const isComment = (patch: StructuredPatch) => {
    const answer = known.get(patch) ?? changesOnlyComments(patch, services);
    known.set(patch, answer);
    return answer;
  };
  const left = new Set<Finding>();
  for (const finding of about) {
    const own = patches.get(finding.path);
    const all = own === undefined ? [...patches.values()] : [own];
    if (all.length === 0 || all.length > mostParsed) continue;
    if ((await Promise.all(all.map(isComment))).every((only) => only)) left.add(finding);
  }
  return left;
}

function nameOf({ newFileName, oldFileName, isDelete }: StructuredPatch): string {
  return ((isDelete === true ? oldFileName : newFileName) ?? '').replace(/^[ab]\//, '');
}

/** True if both sides of a file's change have the same code. */
async function changesOnlyComments(patch: StructuredPatch, services: Services): Promise<boolean> {
  const path = nameOf(patch);
  if (prose.test(path)) return true;
  const language = languageOf(path);
  const file = await services.workspace.files.stat(path);
  if (language === null || patch.isDelete === true || file?.kind !== 'file') return false;
  const { applyPatch, reversePatch } = await import('diff');
  const { bytes } = await services.workspace.files.read(path);
  const now = bytes.toString('utf8');
  const before = applyPatch(now, reversePatch(patch));
  if (before === false) return false;
  const codes = await Promise.all(
    [before, now].map((text) =>
      services.syntax.analyse({ grammar: language.grammar, text, query: null }, services.signal),
    ),
  );
  const [then, after] = codes.map((code) =>
    code !== null && typeof code === 'object' && code.sound ? code.code : undefined,
  );
  return then !== undefined && then === after;
}
