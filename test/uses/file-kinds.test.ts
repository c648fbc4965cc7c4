import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/json.ts';
import type { ScriptedRequest } from '../support/model/script.ts';
import { openToolWorld, type ToolWorld } from './every-tool/tool-world.ts';
import { call, textOf } from './support/conversation.ts';

let world: ToolWorld;
beforeAll(async () => {
  world = await openToolWorld();
});
afterAll(() => world.close());

/**
 * A file: lines, one of which contains OLD, the text to insert after the first, and the encoding.
 */
interface Kind {
  readonly lines: readonly string[];
  readonly inserted: string;
  readonly ending?: '\n' | '\r\n';
  readonly encoding?: 'latin1';
}

const filler = 'x'.repeat(99);
const kinds: Readonly<Record<string, Kind>> = {
  'shop.ts': {
    lines: ['export const a = 1;', "export const b = 'OLD';", 'export const c = 3;'],
    inserted: 'export const d = 4;',
  },
  'shop.py': { lines: ['a = 1', "b = 'OLD'", 'c = 3'], inserted: 'd = 4' },
  'shop.go': { lines: ['package main', 'var b = "OLD"', 'var c = 3'], inserted: '' },
  'shop.json': { lines: ['{', '  "b": "OLD",', '  "c": 3', '}'], inserted: '  "a": 1,' },
  'shop.yaml': { lines: ['a: 1', 'b: OLD # of old', 'c: [3]'], inserted: 'd: 4' },
  'shop.toml': { lines: ['a = 1', 'b = "OLD"', 'c = 3'], inserted: 'd = 4' },
  'shop.md': { lines: ['# Shop', 'It is OLD.', 'End.'], inserted: '' },
  'shop.sh': { lines: ['#!/bin/sh', 'echo OLD', 'echo end'], inserted: 'set -e' },
  'shop.ipynb': {
    lines: [
      '{',
      ' "cells": [{ "cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [],',
      `  "source": ["print('OLD')\\n", "1 + 1"] }],`,
      ' "metadata": {}, "nbformat": 4',
      '}',
    ],
    inserted: ' "nbformat_minor": 5,',
  },
  'windows.ts': {
    lines: ['export const a = 1;', "export const b = 'OLD';", 'export const c = 3;'],
    inserted: 'export const d = 4;',
    ending: '\r\n',
  },
  'latin.txt': { lines: ['Café', 'OLD crème', 'Übermut'], inserted: 'Noël', encoding: 'latin1' },
  'large.txt': {
    lines: ['first', 'OLD', ...Array.from({ length: 30_000 }, (_, index) => `${index} ${filler}`)],
    inserted: 'second',
  },
};
const names = Object.keys(kinds);
const kindOf = (name: string): Kind => kinds[name] ?? { lines: [], inserted: '' };

/** The whole text of a file after so many changes of its word. */
const withWord = ({ lines, ending = '\n' }: Kind, word: string): string =>
  lines.map((line) => `${line.replace('OLD', word)}${ending}`).join('');
const bytesOf = (kind: Kind, text: string) => Buffer.from(text, kind.encoding ?? 'utf8');
const lineOf = ({ lines }: Kind) => lines.findIndex((line) => line.includes('OLD'));

/** A unified diff of the one changed line, with its context. */
function diffOf(name: string, from: string, to: string): string {
  const kind = kindOf(name);
  const at = lineOf(kind);
  const changed = (word: string) => (kind.lines[at] ?? '').replace('OLD', word);
  const before = kind.lines[at - 1];
  const after = kind.lines[at + 1];
  const hunk = [` ${before}`, `-${changed(from)}`, `+${changed(to)}`, ` ${after}`];
  return [`--- a/${name}`, `+++ b/${name}`, `@@ -${at},3 +${at},3 @@`, ...hunk, ''].join('\n');
}

/** The text of a new file of the kind. A large one has no more lines than a model would write. */
const newText = (kind: Kind): string => withWord({ ...kind, lines: kind.lines.slice(0, 500) }, 'NEW');

/** One tool over all kinds, in the order in which they change the files. */
const turns: readonly (readonly [tool: string, input: (name: string) => JsonObject])[] = [
  ['read', (path) => ({ path })],
  ['multi_read', (path) => ({ paths: [path], start_line: 1, end_line: 2 })],
  ['grep', (path) => ({ pattern: 'OLD', path, case_sensitive: true })],
  ['edit_file', (path) => ({ path, old_str: 'OLD', new_str: 'ONE' })],
  [
    'multi_edit',
    (path) => ({
      path,
      edits: [
        { old: 'ONE', new: 'HALF' },
        { old: 'HALF', new: 'TWO' },
      ],
    }),
  ],
  ['apply_patch', (name) => ({ patch: diffOf(name, 'TWO', 'THREE') })],
  ['patch', (name) => ({ patch: diffOf(name, 'THREE', 'FOUR') })],
  ['insert_text', (path) => ({ path, line: 1, text: kindOf(path).inserted })],
  ['create_file', (name) => ({ path: `made/${name}`, content: newText(kindOf(name)) })],
];

/** The text of each result of the last turn. */
const resultsOf = ({ messages }: ScriptedRequest): string[] =>
  (messages.at(-1)?.parts ?? []).flatMap((part) =>
    part.type === 'tool_result' ? [textOf({ role: 'user', parts: [part] })] : [],
  );

test('each file tool works on each kind of file, and keeps its line endings and encoding', async () => {
  const files = names.map((name) => [name, bytesOf(kindOf(name), withWord(kindOf(name), 'OLD'))] as const);
  const folder = await world.copyOf('kinds', Object.fromEntries(files));
  const reply: Record<string, string[]> = {};
  world.local.learn('EVERY-KIND', (turn, request) => {
    const [before] = turns[turn - 2] ?? [];
    if (before !== undefined) reply[before] = resultsOf(request);
    const [tool, input] = turns[turn - 1] ?? [];
    if (tool === undefined || input === undefined) return { text: 'Done.' };
    return { calls: names.map((name) => call(tool, input(name))) };
  });
  const given = [
    'run',
    '--prompt',
    'EVERY-KIND',
    '--preset',
    'unrestricted',
    '--max-turns',
    '30',
    '--output',
    'json',
  ];
  const { code, stdout } = await world.local.anode(folder, given);
  expect({ code, stop: JSON.parse(stdout).stop }).toEqual({ code: 0, stop: null });

  const per = (expected: (name: string, kind: Kind, line: number) => unknown) =>
    names.map((name) => expected(name, kindOf(name), lineOf(kindOf(name)) + 1));
  const numbered = (lines: readonly string[]) =>
    lines.map((line, index) => `${index + 1}\t${line}`).join('\n');
  const notes: Readonly<Record<string, string>> = {
    'latin.txt': '\n[not valid UTF-8: shown as Latin-1, which an edit preserves]',
    'large.txt': '\n[only the first 2 MiB of the file can be read; use grep for the rest]',
  };
  const firstLines = Object.entries(reply).map(([tool, texts]) => [
    tool,
    texts.map((text) => text.split('\n')[0]),
  ]);
  expect({ ...Object.fromEntries(firstLines), read: reply.read, multi_read: reply.multi_read }).toEqual({
    read: per((name, { lines }) =>
      name === 'large.txt'
        ? expect.stringMatching(/^1\tfirst\n2\tOLD\n3\t0 x{99}\n[\s\S]*continue with start_line 1001\]/)
        : `${numbered(lines)}${notes[name] ?? ''}`,
    ),
    multi_read: per((name, { lines }) => {
      const head = `===== ${name} =====\n${numbered(lines.slice(0, 2))}`;
      if (name === 'large.txt')
        return expect.stringMatching(
          new RegExp(`^${head}\n\\[lines 1-2 of \\d+ or more\\]\n\\[only the first 2 MiB`),
        );
      const more = lines.length > 2 ? `\n[lines 1-2 of ${lines.length}]` : '';
      return `${head}${notes[name] ?? ''}${more}`;
    }),
    grep: per((name, { lines }, line) => `${name}:${line}:${lines[line - 1]}`),
    edit_file: per((name, _, line) => `Edited ${name}, line ${line}:`),
    multi_edit: per((name) => `Edited ${name}, 2 edits:`),
    apply_patch: per((name) => `Patch applied: changed ${name} (1 hunk).`),
    patch: per((name) => `Patch applied: changed ${name} (1 hunk).`),
    insert_text: per((name) => `Inserted line 2 into ${name}:`),
    create_file: per((name, { lines }) => `Created made/${name} (${Math.min(lines.length, 500)} lines).`),
  });
  for (const [name, kind] of Object.entries(kinds)) {
    const { ending = '\n', inserted } = kind;
    const [first, ...rest] = withWord(kind, 'FOUR').split(ending);
    const whole = bytesOf(kind, [first, inserted, ...rest].join(ending));
    const made = Buffer.from(newText(kind));
    const now = await readFile(path.join(folder, name));
    expect({ name, same: now.equals(whole) }).toEqual({ name, same: true });
    expect({ name, same: (await readFile(path.join(folder, 'made', name))).equals(made) }).toEqual({
      name,
      same: true,
    });
  }
});

test('a search reports when matches of one file were cut, and finds Latin-1 text as read displays it', async () => {
  const many = Array.from({ length: 60 }, (_, index) => `apple ${index}\n`).join('');
  const folder = await world.copyOf('cut', {
    'many.txt': many,
    'latin.txt': Buffer.from('crème apple\n', 'latin1'),
  });
  const grep = async (input: JsonObject) => {
    const args = ['tools', 'use', 'grep', '--output', 'json', '--json', JSON.stringify(input)];
    const { content, data } = JSON.parse((await world.local.anode(folder, args)).stdout);
    return { last: content.split('\n').at(-1), truncated: data.truncated };
  };
  expect([
    await grep({ pattern: 'apple', path: 'many.txt' }),
    await grep({ pattern: 'apple', path: 'many.txt', max_matches: 60 }),
    await grep({ pattern: 'apple', path: 'latin.txt' }),
  ]).toEqual([
    {
      last: '[more than 50 matches, of which the first are shown, in: many.txt; raise max_matches]',
      truncated: true,
    },
    { last: 'many.txt:60:apple 59', truncated: false },
    { last: 'latin.txt:1:crème apple', truncated: false },
  ]);
});
