import type { Finding } from '../contract/findings.ts';
import { invisible, makesSense, tagFlags } from '../untrusted-text/invisible.ts';
import { addedLines, type ChangedFile } from './changed-file.ts';

/**
 * Controls of direction that reorder what is shown (Unicode Standard Annex 9, "Explicit Directional
 * Embeddings").
 */
const reorders = /[\u202A-\u202E\u2066-\u2069]/u;
const tag = /[\u{E0000}-\u{E007F}]/u;
/** Prose, where direction marks, soft hyphens and zero-width spaces are normal. */
const prose = /\.(?:md|mdx|markdown|rst|txt|adoc|html?|po|pot|xlf|xliff|strings|arb|ftl|srt|vtt|svg|tex)$/i;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

const names: Readonly<Record<number, string>> = {
  173: 'soft hyphen',
  8203: 'zero width space',
  8204: 'zero width non-joiner',
  8205: 'zero width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'pop directional formatting',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8288: 'word joiner',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'pop directional isolate',
  65279: 'zero width no-break space',
};

/** Lines of one file that each get a finding. */
const mostLines = 3;

/**
 * Finds invisible characters on added lines, one finding a line. Direction controls and hidden
 * words weigh most. Others on many lines of a file are one finding, on the first of them. A byte
 * order mark at the start, form feeds, emoji and script joiners are allowed.
 */
export function findHiddenCharacters(file: ChangedFile): Finding[] {
  // Nearly every file has none, so one search of the whole is fastest.
  if (file.after === null || file.after.search(invisible) === -1) return [];
  const found = addedLines(file).flatMap(({ line, text }) => {
    const characters = hiddenIn(text, line);
    return characters.length === 0 ? [] : [{ line, characters, text }];
  });
  const isAlarming = ({ characters }: HiddenLine) =>
    characters.some((one) => reorders.test(one) || tag.test(one));
  const plain = found.filter((one) => !isAlarming(one));
  if (plain.length <= mostLines) return found.map((one) => finding(file.path, one));
  const alarming = found.filter(isAlarming).map((one) => finding(file.path, one));
  return [...alarming, groupedFinding(file.path, plain)].toSorted((a, b) => a.line - b.line);
}

/** An added line with its hidden characters. */
interface HiddenLine {
  readonly line: number;
  readonly characters: readonly string[];
  readonly text: string;
}

/** Lines that a grouped finding names. */
const mostNamed = 20;

function groupedFinding(path: string, lines: readonly HiddenLine[]): Finding {
  const [first = { line: 1, characters: [], text: '' }] = lines;
  const numbers = lines.slice(0, mostNamed).map(({ line }) => line);
  const more = lines.length > numbers.length ? ` and ${lines.length - numbers.length} more` : '';
  const kinds = kindsOf(lines.flatMap(({ characters }) => characters));
  return {
    ...finding(path, first),
    title: `Hidden characters on ${lines.length} lines`,
    body: `Lines ${numbers.join(', ')}${more} have hidden characters: ${kinds}.`,
  };
}

const kindsOf = (characters: readonly string[]): string =>
  [...new Set(characters)].slice(0, 8).map(nameOf).join(', ');

/** Maximum hidden characters checked per line. */
const mostHidden = 1000;

function hiddenIn(text: string, line: number): string[] {
  if (text.search(invisible) === -1) return [];
  const flags = [...text.matchAll(tagFlags)].map(
    ({ index, 0: flag }) => [index, index + flag.length] as const,
  );
  const hidden: string[] = [];
  let nextFlag = 0;
  for (const { 0: character, index } of text.matchAll(invisible)) {
    while ((flags[nextFlag]?.[1] ?? Number.POSITIVE_INFINITY) <= index) nextFlag += 1;
    if (index >= (flags[nextFlag]?.[0] ?? Number.POSITIVE_INFINITY)) continue;
    if (isFormatting(character, line, index) || makesSense(text, character, index)) continue;
    hidden.push(character);
    if (hidden.length === mostHidden) break;
  }
  return hidden;
}

/** True for form feeds, and for a byte order mark at the start of a file. */
const isFormatting = (character: string, line: number, index: number): boolean =>
  '\f\v'.includes(character) || (character === '\uFEFF' && line === 1 && index === 0);

function finding(path: string, { line, characters, text }: HiddenLine): Finding {
  const turns = characters.some((one) => reorders.test(one));
  const tags = characters.filter((one) => tag.test(one));
  const spelt = tags
    .map((one) => (one.codePointAt(0) ?? 0) - 0xe0000)
    .filter((code) => code >= 0x20 && code < 0x7f)
    .map((code) => String.fromCharCode(code))
    .join('');
  const count = `${characters.length} hidden character${characters.length === 1 ? '' : 's'}`;
  const inProse = prose.test(path) || rightToLeft.test(text);
  return {
    path,
    side: 'RIGHT',
    line,
    severity: severityOf(turns, tags.length > 0, inProse),
    category: 'security',
    title: turns ? 'Characters that turn the direction of text' : count,
    body: `This line has ${count}: ${kindsOf(characters)}.${
      turns ? ' What is shown is in another order than what a program reads.' : ''
    }${spelt === '' ? '' : ` Read as letters they spell: "${spelt.slice(0, 200)}".`}`,
    check: 'unicode',
  };
}

function severityOf(turns: boolean, hasTags: boolean, inProse: boolean): Finding['severity'] {
  if (hasTags || (turns && !inProse)) return 'high';
  return turns || !inProse ? 'medium' : 'low';
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const name = names[code] ?? (code >= 0xe0000 && code <= 0xe007f ? 'tag' : null);
  return name === null ? number : `${number} (${name})`;
}
