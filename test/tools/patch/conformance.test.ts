import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { interceptHeredoc } from '../../../src/tools/patch/intercept-heredoc.ts';
import { openTools, readTree, type TreeEntry } from '../tool-harness.ts';

const fixtures = path.join(import.meta.dirname, '../../fixtures');
const load = (name: string): unknown =>
  JSON.parse(readFileSync(path.join(fixtures, 'patch-cases', name), 'utf8'));

const Entry = z.union([
  z.string(),
  z.object({ text: z.string() }).transform(({ text }) => text),
  z.object({ b64: z.string() }).transform(({ b64 }) => Buffer.from(b64, 'base64')),
  z.object({ symlink: z.string() }),
]);
const Tree = z.record(z.string(), Entry);

/** What `readTree` will say of these files. */
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

/** Runs a tool on a tree without git: what came out, and whether it was accepted. */
async function outcome(
  pre: Record<string, TreeEntry>,
  tool: string,
  input: Record<string, string | boolean>,
) {
  const tools = await openTools(pre);
  try {
    const accepted = await tools.call(tool, input).then(
      () => true,
      () => false,
    );
    return { accepted, tree: tools.tree() };
  } finally {
    await tools.close();
  }
}

/** What is done otherwise here, and why. A row that comes to agree with the others has to leave this table. */
const otherwise: Readonly<Record<string, string>> = {
  '011_add_overwrites_existing_file': 'Add File over a file that exists would lose it: it is refused.',
  '015_failure_after_partial_success_leaves_changes': 'A patch is applied as a whole or not at all.',
};

/** Holds a row to what others do, or, where we differ on purpose, to differing. */
function agrees(row: string, ours: unknown, others: unknown): void {
  if (otherwise[row] === undefined) expect(ours).toEqual(others);
  else expect(ours).not.toEqual(others);
}

const scenarios = path.join(fixtures, 'codex-apply-patch-scenarios');
const folders = readdirSync(scenarios).filter((name) => /^\d/.test(name));

test('every row of the table of differences is a case', () => {
  const rows = [...folders, ...unified.map((row) => row.case)];
  expect(Object.keys(otherwise).filter((row) => !rows.includes(row))).toEqual([]);
});

test.each(folders)('apply_patch leaves the tree of codex scenario %s', async (name) => {
  const at = (part: string) => path.join(scenarios, name, part);
  const read = (part: string) => (existsSync(at(part)) ? readTree(at(part)) : {});
  const pre = Object.fromEntries(
    Object.entries(read('input')).map(([file, text]) => [file, Buffer.from(text, 'latin1')]),
  );
  const { tree } = await outcome(pre, 'apply_patch', { patch: readFileSync(at('patch.txt'), 'utf8') });
  agrees(name, tree, read('expected'));
});

const envelopes = z
  .array(
    z.object({
      source: z.string(),
      pre: Tree,
      patch: z.string(),
      expect: z.object({ error: z.boolean().optional(), post: Tree.optional() }),
    }),
  )
  .parse(load('envelope.json'));

test.each(
  envelopes.map((row, index) => ({ ...row, name: `${index} (${row.source})` })),
)('apply_patch does with envelope $name what others do', async (row) => {
  const { accepted, tree } = await outcome(row.pre, 'apply_patch', { patch: row.patch });
  expect({ accepted, tree }).toEqual({
    accepted: row.expect.error !== true,
    tree: asRead(row.expect.post ?? row.pre),
  });
});

const unified = z
  .array(
    z.object({
      case: z.string(),
      expect: z.enum(['apply', 'reject']),
      pre: Tree,
      patch: Entry.transform((entry) => (typeof entry === 'string' ? entry : entry.toString())),
      post: Tree.optional(),
    }),
  )
  .parse(load('git-apply.json'));

test.each(unified)('apply_patch does with $case what git apply does', async (row) => {
  const ours = await outcome(row.pre, 'apply_patch', { patch: row.patch });
  agrees(row.case, ours, { accepted: row.expect === 'apply', tree: asRead(row.post ?? row.pre) });
});

const heredocs = z
  .array(
    z.object({
      script: z.string(),
      intercept: z.union([z.boolean(), z.string()]),
      workdir: z.string().nullish(),
    }),
  )
  .parse(load('heredoc.json'));

test.each(heredocs)('a shell command is a patch or not: $script', ({ script, intercept, workdir }) => {
  const found = interceptHeredoc(script);
  const expected = intercept === true ? { patch: expect.any(String), ...(workdir ? { workdir } : {}) } : null;
  expect(found).toEqual(expected);
});

const body = '*** Begin Patch\n*** Add File: f\n+x\n*** End Patch';

test.each([
  [`apply_patch <<'EOF'\n${body}\nEOF\n`, { patch: `${body}\n` }],
  [`  cd sub/dir && apply_patch << "END"\n${body}\nEND`, { patch: `${body}\n`, workdir: 'sub/dir' }],
  [`apply_patch <<-'EOF'\n\t${body.replaceAll('\n', '\n\t')}\n\tEOF`, { patch: `${body}\n` }],
  [`apply_patch '${body}'`, { patch: `${body}\n` }],
  [`apply_patch <<'EOF'\r\n${body.replaceAll('\n', '\r\n')}\r\nEOF\r\n`, { patch: `${body}\n` }],
  [`cd sub; apply_patch <<'EOF'\n${body}\nEOF`, null],
  [`cd "$HOME" && apply_patch <<'EOF'\n${body}\nEOF`, null],
  [`apply_patch <<'EOF' && rm -rf x\n${body}\nEOF`, null],
  [`apply_patch <<'EOF'\n${body}\nEOF\nrm -rf x`, null],
  [`apply_patch <<'EOF'\n${body}\nEOF\nrm -rf x\nEOF`, null],
  [`apply_patch '${body.replace('+x', "+it'\\''s")}'`, { patch: `${body.replace('+x', "+it's")}\n` }],
  [`apply_patch '${body}' '${body}'`, null],
  [`apply_patch '${body}'; echo '`, null],
  [`cat <<'EOF'\n${body}\nEOF`, null],
])('of the shell command %j the patch is %j', (command, expected) => {
  expect(interceptHeredoc(command)).toEqual(expected);
});
