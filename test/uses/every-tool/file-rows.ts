import { expect } from 'vitest';
import type { HandRow } from './tool-row.ts';

const diff = (file: string, old: string, now: string) =>
  `--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-${old}\n+${now}\n`;

/** The tools that read, search and change files. */
export const fileRows: Readonly<Record<string, HandRow>> = {
  read: {
    input: { path: 'src/cart.ts', start_line: 1, end_line: 2 },
    content:
      '1\texport function total(prices: number[]): number {\n2\t  return prices.length;\n[lines 1-2 of 3]',
  },
  multi_read: {
    input: { paths: ['README.md', 'main.go'], read_range: [1, 3] },
    content:
      '===== README.md =====\n1\t# Shop\n2\t\n3\tSells apples.\n===== main.go =====\n1\tpackage main\n2\t\n3\tfunc main() {\n[lines 1-3 of 5]',
  },
  glob: { input: { pattern: '**/*.{ts,py}' }, content: 'src/cart.ts\nsrc/price.py' },
  grep: {
    input: { pattern: 'apples', glob: '*.{py,md}', context: 1 },
    content:
      'README.md-2-\nREADME.md:3:Sells apples.\n--\nsrc/price.py:1:def price(apples):\nsrc/price.py:2:    return apples * 2',
  },
  code_search: {
    input: { query: 'total', kind: 'definitions' },
    content:
      '1 definition\nsrc/cart.ts:1:17 function total: export function total(prices: number[]): number {',
  },
  finder: { input: { mode: 'files', query: 'cart' }, content: 'src/cart.ts' },
  list_directory: {
    input: { path: '.', depth: 2 },
    content:
      './\nREADME.md  22 B\nconfig/\n  app.yaml  45 B\nmain.go  47 B\npackage.json  39 B\npixel.png  67 B\nscripts/\n  build.sh  21 B\nsrc/\n  cart.ts  76 B\n  price.py  41 B\n[left out: 1 hidden (include_hidden shows them)]',
  },
  repo_search: {
    input: { query: 'shop', mode: 'text', glob: '*.go' },
    content:
      '== workspace (.) ==\nmain.go:4:\tprintln("shop")\n\n[no other repository is registered for this run; only the workspace was searched]',
  },
  view_image: {
    input: { path: 'pixel.png' },
    content: [
      { type: 'text', text: 'pixel.png: PNG, 1×1 pixels, 67 bytes\n[image]' },
      { type: 'image', media_type: 'image/png', data: expect.any(String) },
    ],
  },
  look_at: {
    input: { path: 'pixel.png', question: 'Is it grey?' },
    content: [
      { type: 'text', text: 'pixel.png: PNG, 1×1 pixels, 67 bytes\nQuestion: Is it grey?\n[image]' },
      { type: 'image', media_type: 'image/png', data: expect.any(String) },
    ],
  },
  edit_file: {
    input: { path: 'src/cart.ts', old_str: 'prices.length', new_str: 'prices.reduce((a, b) => a + b, 0)' },
    content:
      'Edited src/cart.ts, line 2:\n1\texport function total(prices: number[]): number {\n2\t  return prices.reduce((a, b) => a + b, 0);\n3\t}',
    changed: {
      'src/cart.ts':
        'export function total(prices: number[]): number {\n  return prices.reduce((a, b) => a + b, 0);\n}\n',
    },
  },
  create_file: {
    input: { path: 'src/pears.ts', content: 'export const pears = 2;\n' },
    content: 'Created src/pears.ts (1 line).',
    changed: { 'src/pears.ts': 'export const pears = 2;\n' },
  },
  multi_edit: {
    input: {
      path: 'src/price.py',
      edits: [
        { old: 'price(apples)', new: 'price(pears)' },
        { old: 'return apples * 2', new: 'return pears * 3', path: 'src/price.py' },
      ],
    },
    content: 'Edited src/price.py, 2 edits:\n1\tdef price(pears):\n2\t    return pears * 3',
    changed: { 'src/price.py': 'def price(pears):\n    return pears * 3\n' },
  },
  insert_text: {
    input: { path: 'README.md', line: -1, text: 'And pears.' },
    content: 'Inserted line 4 into README.md:\n2\t\n3\tSells apples.\n4\tAnd pears.',
    changed: { 'README.md': '# Shop\n\nSells apples.\nAnd pears.\n' },
  },
  apply_patch: {
    input: {
      patch:
        '*** Begin Patch\n*** Update File: main.go\n@@ func main() {\n-\tprintln("shop")\n+\tprintln("open")\n*** Delete File: src/price.py\n*** Add File: docs/new.md\n+New.\n*** End Patch\n',
    },
    content: 'Patch applied: changed main.go (1 hunk); deleted src/price.py; added docs/new.md.',
    changed: {
      'main.go': 'package main\n\nfunc main() {\n\tprintln("open")\n}\n',
      'src/price.py': null,
      'docs/new.md': 'New.\n',
    },
  },
  patch: {
    input: { patch: diff('README.md', '# Shop', '# Market') },
    content: 'Patch applied: changed README.md (1 hunk).',
    changed: { 'README.md': '# Market\n\nSells apples.\n' },
  },
  PATCH: {
    input: { patch: diff('README.md', '# Shop', '# Market') },
    content:
      'The patch fits and is stored for a person to approve. It is not applied: the files are unchanged. Use edit_file where the change should be made now.',
  },
  bash: {
    input: { command: 'sh scripts/build.sh && echo more >> README.md' },
    content: 'built',
    changed: { 'README.md': '# Shop\n\nSells apples.\nmore\n' },
  },
  create_skill: {
    input: { name: 'taste', description: 'How apples taste.', content: 'Bite, then say.' },
    content:
      'The skill is stored as a patch of .agents/skills/taste/SKILL.md in the report, for a person to apply. No file was changed, and it cannot be used in this run.',
  },
};
