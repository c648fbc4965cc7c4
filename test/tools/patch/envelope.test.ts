import { expect, test } from 'vitest';
import { applied } from './memory-tree.ts';

type Texts = Readonly<Record<string, string>>;

/** The texts of a tree after a patch; what is refused is its kind. */
async function after(texts: Texts, patch: string): Promise<Texts | string> {
  const tree = Object.entries(texts).map(
    ([path, text]) => [path, { content: Buffer.from(text), mode: 0o644 }] as const,
  );
  return applied(new Map(tree), patch).then(
    (made) => Object.fromEntries([...made].map(([path, { content }]) => [path, content.toString()])),
    (error) => String(error.kind),
  );
}

/** A patch between its markers. */
const envelope = (...lines: string[]): string =>
  ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
const update = (path: string, ...lines: string[]): string => envelope(`*** Update File: ${path}`, ...lines);

test.each<[why: string, before: Texts, patch: string, after: Texts | string]>([
  [
    'several chunks of one file, in its order',
    { 'p.txt': 'rain\nwind\nfog\nhail\nsnow\n' },
    update('p.txt', '@@', ' rain', '-wind', '+storm', '@@', ' fog', ' hail', '-snow', '+sun', '@@', '+calm'),
    { 'p.txt': 'rain\nstorm\nfog\nhail\nsun\ncalm\n' },
  ],
  [
    'a chunk that only adds goes to the end',
    { 'p.txt': 'rain\n' },
    update('p.txt', '@@', '+wind', '+snow'),
    { 'p.txt': 'rain\nwind\nsnow\n' },
  ],
  [
    'a chunk that only takes away',
    { 'p.txt': 'rain\nwind\nsnow\n' },
    update('p.txt', '@@', ' rain', '-wind', ' snow'),
    { 'p.txt': 'rain\nsnow\n' },
  ],
  [
    'a first chunk without its @@ line',
    { 'p.txt': 'rain\n' },
    update('p.txt', ' rain', '+wind'),
    { 'p.txt': 'rain\nwind\n' },
  ],
  [
    'the mark of the end of the file, which decides between two places',
    { 'p.txt': 'rain\nwind\nrain\nwind\n' },
    update('p.txt', '@@', ' rain', '-wind', '+snow', '*** End of File'),
    { 'p.txt': 'rain\nwind\nrain\nsnow\n' },
  ],
  [
    'a last line that had no end gets one',
    { 'p.txt': 'rain' },
    update('p.txt', '@@', '-rain', '+wind', '+snow'),
    { 'p.txt': 'wind\nsnow\n' },
  ],
  [
    'an empty line of context that has lost its blank',
    { 'p.txt': 'May\n\nrain\nwind\n' },
    update('p.txt', '@@ May', '', ' rain', '-wind', '+snow'),
    { 'p.txt': 'May\n\nrain\nsnow\n' },
  ],
  [
    'the line to look below, where the same lines stand twice',
    { 'p.txt': 'May:\n  rain\nJune:\n  rain\n' },
    update('p.txt', '@@ June:', '-  rain', '+  sun'),
    { 'p.txt': 'May:\n  rain\nJune:\n  sun\n' },
  ],
  [
    'blanks around markers and headers',
    { 'p.txt': 'rain\n' },
    '*** Begin Patch  \n  *** Update File: p.txt\n@@\n-rain\n+wind\n  *** End Patch ',
    { 'p.txt': 'wind\n' },
  ],
  [
    'lines whose blanks at both ends differ',
    { 'p.txt': '\t rain \n   wind\t\n' },
    update('p.txt', '@@', '-rain', '-wind', '+snow'),
    { 'p.txt': 'snow\n' },
  ],
  [
    'dashes and blanks as a typesetter has them',
    { 'p.txt': 'rain \u2013 then\u00a0wind\n' },
    update('p.txt', '@@', '-rain - then wind', '+snow'),
    { 'p.txt': 'snow\n' },
  ],
  [
    'letters with their accents apart',
    { 'p.txt': 'Ma\u0308rz\n' },
    update('p.txt', '@@', '-M\u00e4rz', '+M\u00e4rz \u2600'),
    { 'p.txt': 'M\u00e4rz \u2600\n' },
  ],
  [
    'ligatures are letters of their own',
    { 'p.txt': 'bre\ufb00\n' },
    update('p.txt', '@@', '-breff', '+x'),
    'not_found',
  ],
  [
    'a move into a folder that is not there yet, without a change',
    { 'p.txt': 'rain\n' },
    update('p.txt', '*** Move to: old/q.txt'),
    { 'old/q.txt': 'rain\n' },
  ],
  [
    'a move over a file that is there, which takes its place',
    { 'p.txt': 'rain\n', 'q.txt': 'sun\n', 'r.txt': 'fog\n' },
    update('p.txt', '*** Move to: q.txt', '@@', '-rain', '+wind'),
    { 'q.txt': 'wind\n', 'r.txt': 'fog\n' },
  ],
  [
    'a here-document around it, as for a shell',
    { 'p.txt': 'rain\n' },
    `<<'PATCH'\n${update('p.txt', '@@', '-rain', '+wind')}PATCH\n`,
    { 'p.txt': 'wind\n' },
  ],
  [
    'a here-document whose quotes do not match',
    { 'p.txt': 'rain\n' },
    `<<'PATCH"\n${update('p.txt', '@@', '-rain', '+wind')}PATCH\n`,
    'invalid_patch',
  ],
  ['no patch at all', { 'p.txt': 'rain\n' }, 'wind', 'invalid_patch'],
  ['an update that says nothing', { 'p.txt': 'rain\n' }, update('p.txt'), 'invalid_patch'],
  [
    'a chunk without a line',
    { 'p.txt': 'rain\n' },
    update('p.txt', '@@', '*** End of File'),
    'invalid_patch',
  ],
  [
    'a line of no kind after a chunk',
    { 'p.txt': 'rain\n' },
    update('p.txt', '@@', ' rain', '+wind', 'snow'),
    'invalid_patch',
  ],
  ['an update of what is not there', { 'p.txt': 'rain\n' }, update('q.txt', '@@', '-a', '+b'), 'not_found'],
  ['lines that are not there', { 'p.txt': 'rain\n' }, update('p.txt', '@@', '-hail', '+b'), 'not_found'],
  ['a folder to delete', { 'd/p.txt': 'rain\n' }, envelope('*** Delete File: d'), 'is_directory'],
  [
    'a second file that does not fit',
    { 'p.txt': 'rain\n', 'q.txt': 'sun\n' },
    envelope('*** Update File: p.txt', '-rain', '+wind', '*** Update File: q.txt', '-hail', '+snow'),
    'not_found',
  ],
])('%s', async (_why, before, patch, wanted) => {
  expect(await after(before, patch)).toEqual(wanted);
});
