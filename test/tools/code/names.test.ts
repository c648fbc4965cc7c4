import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { syntaxProgram } from '../../../src/run/programs/process-program.ts';
import { createSyntaxParser } from '../../../src/tools/code/create-syntax-parser.ts';
import type { FoundSymbol, SyntaxAnswer } from '../../../src/tools/code/grammars/syntax-symbol.ts';
import { languageOf, languages } from '../../../src/tools/code/languages.ts';

const folder = path.resolve(import.meta.dirname, '../../fixtures/code-names');
const sources = readdirSync(folder).filter((file) => !file.endsWith('.names.txt'));
const parser = createSyntaxParser(syntaxProgram());
afterAll(() => parser.close());

/** All that one parse gives; a failure is the test's. */
async function names(grammar: string, text: string, name: string): Promise<SyntaxAnswer> {
  const request = { grammar, text, query: { name, prefix: false } };
  const answer = await parser.analyse(request, new AbortController().signal);
  if (answer === null || typeof answer === 'string') throw new TypeError(`not parsed: ${answer}`);
  return answer;
}

/** The definitions for every word of a text, except for local ones. */
async function definitions(grammar: string, text: string): Promise<FoundSymbol[]> {
  const words = new Set(
    text.match(/[\p{L}\p{N}_]+[?!]?/gu)?.flatMap((word) => [word, word.replace(/[?!]$/, '')]),
  );
  const answers = await Promise.all([...words].map((word) => names(grammar, text, word)));
  return answers
    .flatMap(({ symbols }) => symbols.filter(({ role, local }) => role === 'definition' && !local))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

function listed(symbol: FoundSymbol): string {
  const full = [...symbol.containers.map(({ name }) => name), symbol.name].join('.');
  return [
    `${symbol.line}:${symbol.column} ${symbol.role === 'definition' ? 'defines ' : ''}${symbol.kind} ${full}`,
    ...(symbol.local ? ['local'] : []),
    ...(symbol.declaration ? ['declared only'] : []),
    ...(symbol.receiver === null ? [] : [`of ${symbol.receiver}`]),
  ].join(', ');
}

test.for(sources)('%s: each name has its kind, and comments and strings contain none', async (file) => {
  const text = readFileSync(path.join(folder, file), 'utf8');
  const expected = readFileSync(path.join(folder, file.replace('.txt', '.names.txt')), 'utf8');
  const grammar = languageOf(file.replace('.txt', ''))?.grammar ?? '';
  const sections: string[] = [];
  for (const [, title = ''] of expected.matchAll(/^== (.*)$/gm)) {
    const symbols =
      title === 'all definitions'
        ? await definitions(grammar, text)
        : (await names(grammar, text, title)).symbols;
    sections.push(`== ${title}\n${symbols.map((symbol) => `${listed(symbol)}\n`).join('')}`);
  }
  expect(sections.join('\n')).toBe(expected);
});

test('every known language has a grammar that parses', async () => {
  const grammars = [...new Set(languages.map(({ grammar }) => grammar))];
  const counts = await Promise.all(
    grammars.map(async (grammar) => (await names(grammar, 'f(1);', 'f')).symbols.length),
  );
  expect(counts.filter((count) => count > 1)).toEqual([]);
});

test('columns count UTF-16 units in a line with astral characters', async () => {
  const { symbols } = await names('typescript', 'const a = "🦀é"; const crab = a;\n', 'crab');
  expect(symbols.map(({ line, column }) => ({ line, column }))).toEqual([{ line: 1, column: 24 }]);
});

test('a name nested very deep is skipped while others are found', async () => {
  const deep = `${'['.repeat(3000)}x${']'.repeat(3000)}`;
  const { symbols } = await names('javascript', `const far = ${deep};\nx();\n`, 'x');
  expect(symbols.map(listed)).toEqual(['2:1 call x']);
});

test('a file with ten thousand matches is reported as cut', async () => {
  const answer = await names('python', 'x()\n'.repeat(10_000), 'x');
  expect({ count: answer.symbols.length, cut: answer.cut }).toEqual({ count: 5000, cut: true });
});

test('a broken file gives the symbols of its intact parts', async () => {
  const { symbols } = await names(
    'typescript',
    'function ok() {}\nclass {{{ ((\nfunction also() { ok(); }\n',
    'ok',
  );
  expect(symbols.map(listed)[0]).toBe('1:10 defines function ok');
});
