import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { languageOf } from '../../../src/tools/code/languages.ts';
import { analyse, listed } from './in-process.ts';

const folder = path.resolve(import.meta.dirname, '../../fixtures/every-name');
const sources = readdirSync(folder).filter((file) => !file.endsWith('.names.txt'));
const everyName = { name: '', prefix: false, anywhere: true };

test.for(sources)('%s: every name has the kind that its language gives it', async (file) => {
  const text = readFileSync(path.join(folder, file), 'utf8');
  const { symbols, cut } = await analyse(
    languageOf(file.replace('.txt', ''))?.grammar ?? '',
    text,
    everyName,
  );
  const expected = path.join(folder, file.replace('.txt', '.names.txt'));
  expect({ cut, names: `${symbols.map(listed).join('\n')}\n` }).toEqual({
    cut: false,
    names: readFileSync(expected, 'utf8'),
  });
});
