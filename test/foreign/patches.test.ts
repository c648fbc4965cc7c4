import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { interceptHeredoc } from '../../src/tools/patch/intercept-heredoc.ts';
import { openTools, readTree, type TreeEntry } from '../tools/tool-harness.ts';
import { readForeign, withForeign } from './with-foreign.ts';

const Entry = z.union([
  z.string(),
  z.object({ text: z.string() }).transform(({ text }) => text),
  z.object({ b64: z.string() }).transform(({ b64 }) => Buffer.from(b64, 'base64')),
  z.object({ symlink: z.string() }),
]);
const Tree = z.record(z.string(), Entry);

/** The expected result of `readTree` for these files. */
function asRead(tree: z.output<typeof Tree>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).map(([name, entry]) => [
      name,
      typeof entry === 'object' && 'symlink' in entry
        ? `-> ${entry.symlink}`
        : Buffer.from(entry).toString('latin1'),
    ]),
  );
}

/** Runs apply_patch on a tree without git: what came out, and whether it was accepted. */
async function outcome(pre: Record<string, TreeEntry>, patch: string) {
  const tools = await openTools(pre);
  try {
    const accepted = await tools.call('apply_patch', { patch }).then(
      () => true,
      () => false,
    );
    return { accepted, tree: tools.tree() };
  } finally {
    await tools.close();
  }
}

/** Cases with another result here, and why. A case that comes to agree has to leave this table. */
const otherwise: ReadonlyMap<string, string> = new Map([
  ['011_add_overwrites_existing_file', 'Add File over a file that exists would lose it: it is refused.'],
  ['015_failure_after_partial_success_leaves_changes', 'A patch is applied as a whole or not at all.'],
]);

withForeign('conformance/codex-apply-patch-scenarios', (scenarios) => {
  const folders = readdirSync(scenarios).filter((name) => /^\d/.test(name));
  test.each(folders)('apply_patch leaves the tree of scenario %s', async (name) => {
    const at = (part: string) => path.join(scenarios, name, part);
    const read = (part: string) => (existsSync(at(part)) ? readTree(at(part)) : {});
    const pre = Object.fromEntries(
      Object.entries(read('input')).map(([file, text]) => [file, Buffer.from(text, 'latin1')]),
    );
    const { tree } = await outcome(pre, readFileSync(at('patch.txt'), 'utf8'));
    if (otherwise.has(name)) expect(tree).not.toEqual(read('expected'));
    else expect(tree).toEqual(read('expected'));
  });
});

withForeign('conformance/envelope-unit/cases.json', (file) => {
  const Case = z.object({
    source: z.string(),
    pre: Tree,
    patch: z.string(),
    expect: z.object({ error: z.boolean().optional(), post: Tree.optional() }),
  });
  const rows = readForeign(file, z.array(Case)).map((row, index) => ({ ...row, index }));
  test.each(rows)('apply_patch does with envelope $index ($source) what others do', async (row) => {
    expect(await outcome(row.pre, row.patch)).toEqual({
      accepted: row.expect.error !== true,
      tree: asRead(row.expect.post ?? row.pre),
    });
  });
});

withForeign('conformance/git-apply/consensus.json', (file) => {
  const Case = z.object({
    pre: Tree,
    post: Tree.optional(),
    patch: Entry.transform((entry) => (typeof entry === 'string' ? entry : entry.toString())),
  });
  const rows = readForeign(
    file,
    z.array(z.object({ file: z.string(), expect: z.enum(['apply', 'reject']) })),
  );
  test.each(rows)('apply_patch does with $file what git apply does', async (row) => {
    const { pre, patch, post } = readForeign(path.join(path.dirname(file), 'cases', row.file), Case);
    expect(await outcome(pre, patch)).toEqual(
      row.expect === 'apply'
        ? { accepted: true, tree: asRead(post ?? pre) }
        : { accepted: false, tree: asRead(pre) },
    );
  });
});

withForeign('conformance/envelope-unit/heredoc.json', (file) => {
  const Case = z.object({
    script: z.string(),
    intercept: z.union([z.boolean(), z.string()]),
    workdir: z.string().nullish(),
  });
  test.each(readForeign(file, z.array(Case)))('a shell command is a patch or not: $script', (row) => {
    const patch = { patch: expect.any(String), ...(row.workdir ? { workdir: row.workdir } : {}) };
    expect(interceptHeredoc(row.script)).toEqual(row.intercept === true ? patch : null);
  });
});

withForeign('conformance/edit-ladder/cases.json', (file) => {
  const Case = z.object({
    source: z.string(),
    tier: z.enum(['A', 'B', 'C']),
    file: z.string(),
    old: z.string(),
    new: z.string(),
    replace_all: z.boolean(),
    expect: z.object({ error: z.boolean().optional(), content: z.string().optional() }),
  });
  const rows = readForeign(file, z.array(Case)).map((row, index) => ({ ...row, index }));
  test.each(rows)('edit_file does with replacement $index ($tier, $source) what others do', async (row) => {
    const tools = await openTools({ f: row.file });
    const answer = await tools.say('edit_file', {
      ...{ path: 'f', old_str: row.old, new_str: row.new, replace_all: row.replace_all },
    });
    expect({ accepted: answer.startsWith('Edited '), content: tools.tree().f }).toEqual({
      accepted: row.expect.error !== true,
      content: Buffer.from(row.expect.content ?? row.file).toString('latin1'),
    });
    await tools.close();
  });
});
