import type { Finding } from '../contract/findings.ts';
import { createTokenFinder } from '../redaction/find-secrets.ts';
import { type AddedLine, addedLines, type ChangedFile } from './changed-file.ts';

/** Maximum characters searched at once, which bounds foreign patterns. */
const pieceLength = 64 * 1024;
const longestLine = 16 * 1024;

/** Finds credentials in a piece of text: the name of each, and its offsets. */
type Finder = (text: string) => Promise<{ what: string; start: number; end: number }[]>;

/**
 * Finds credentials on added lines, by redaction's forms of tokens and secretlint's recommended
 * rules. Never repeats the value.
 */
export async function findSecrets(file: ChangedFile): Promise<Finding[]> {
  const finders = [ownForms(), await secretlint()];
  const found = new Map<number, Finding>();
  for (const lines of pieces(addedLines(file))) {
    const text = lines.map((one) => one.text).join('\n');
    for (const find of finders) {
      for (const { what, start, end } of await find(text)) {
        const first = lines[indexAt(text, start)]?.line ?? 1;
        const last = lines[indexAt(text, Math.max(start, end - 1))]?.line ?? first;
        // A finding that names the issuer replaces one by form alone.
        if (!found.has(first) || what !== anyToken) found.set(first, finding(file.path, first, last, what));
      }
    }
  }
  return [...found.values()].toSorted((a, b) => a.line - b.line);
}

const anyToken = '';

/** Groups neighbouring added lines, as a key may span several; long lines are split. */
function pieces(lines: readonly AddedLine[]): AddedLine[][] {
  const groups: AddedLine[][] = [];
  let size = 0;
  for (const { line, text } of lines) {
    // An empty line separates its surroundings, except in a key, which has none.
    if (text === '') continue;
    for (let at = 0; at === 0 || at < text.length; at += longestLine) {
      const part = { line, text: text.slice(at, at + longestLine + overlap) };
      const group = groups.at(-1);
      if (
        group === undefined ||
        size + part.text.length > pieceLength ||
        line - (group.at(-1)?.line ?? line) > 1
      ) {
        groups.push([part]);
        size = part.text.length;
      } else {
        group.push(part);
        size += part.text.length + 1;
      }
    }
  }
  return groups;
}

/** A token across the border of two parts of a long line is whole in one of them. */
const overlap = 512;

function indexAt(text: string, offset: number): number {
  let index = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) index += 1;
  return index;
}

function ownForms(): Finder {
  const find = createTokenFinder();
  return async (text) => find(text).map(({ start, end }) => ({ what: anyToken, start, end }));
}

/** Loaded here and nowhere else: 230 KB that only a check needs. */
async function secretlint(): Promise<Finder> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ]);
  const rules = [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }];
  return async (content) => {
    const { messages } = await lintSource({
      source: { filePath: '/added-lines.txt', content, ext: '.txt', contentType: 'text' },
      options: { config: { rules }, noPhysicFilePath: true },
    });
    return messages.map(({ messageId, range: [start, end] }) => ({ what: messageId, start, end }));
  };
}

function finding(path: string, first: number, last: number, what: string): Finding {
  return {
    path,
    side: 'RIGHT',
    start_line: first < last ? first : undefined,
    line: last,
    severity: 'critical',
    category: 'security',
    title: 'A credential in the change',
    body: `This has the form of a credential${what === anyToken ? '' : ` (${what})`}. Revoke it: whoever can read this branch has it, and deleting the line does not take it out of the history.`,
    check: 'secrets',
  };
}
