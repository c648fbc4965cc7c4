// A plug-in that does what its only argument says: an object with what to do at each method, or at its start.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

const script = JSON.parse(process.argv[2]);
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const calls = { count: 0 };

const does = {
  garbage: () => process.stdout.write('starting up ...\n{"half":\n[]\n'),
  flood: () => {
    const lines = 'nothing to see here\n'.repeat(1_000);
    for (let count = 0; count < 30; count += 1) process.stdout.write(lines);
  },
  silence: () => undefined,
  exit: () => {
    process.stderr.write('no database here\n');
    process.exit(3);
  },
  huge: (id) => process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":"${'x'.repeat(50 * 2 ** 20)}"}\n`),
  deep: (id) => {
    const levels = 500_000;
    process.stdout.write(
      `{"id":${id},"result":{"content":"x","data":${'['.repeat(levels)}${']'.repeat(levels)}}}\n`,
    );
  },
  hugeUnnamed: (id) => process.stdout.write(`{"a":1,"id":${id},"result":"${'x'.repeat(9 * 2 ** 20)}"}\n`),
  wrongId: (id) => {
    say({ id: 999, result: 'wrong' });
    say({ id: null, result: 'wrong' });
    say({ id: String(id), result: 'right' });
  },
  twice: (id) => {
    say({ id, result: 'first' });
    say({ id, result: 'second' });
  },
  halfCharacter: (id) => {
    const bytes = Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":"€ and a half: `);
    process.stdout.write(bytes.subarray(0, bytes.indexOf(0xe2) + 1));
    setTimeout(() => {
      process.stdout.write(bytes.subarray(bytes.indexOf(0xe2) + 1));
      process.stdout.write(Buffer.from([0xe2, 0x82]));
      process.stdout.write('"}\n');
    }, 20);
  },
  changes: (id) => {
    script.tools = script.later;
    say({ method: 'tools/changed' });
    say({ id, result: 'changed' });
  },
  forgets: (id) => {
    script.tools = script.later;
    say({ id, error: { code: -32601, message: 'there is no such tool any more' } });
  },
  hang: () => {
    for (;;);
  },
  progress: (id) => say({ method: '$/progress', params: { id, message: 'half of it' } }),
  asks: (id) => {
    say({ id: 'mine', method: 'sampling', params: {} });
    say({ method: 'log', params: { level: 'warning', message: 'the index is old' } });
    say({ id, result: { content: [{ type: 'text', text: '\u001b[31mred\u001b[0m' }], data: { count: 1 } } });
  },
  logs: (id, params) => {
    say({ method: 'log', params: { level: 'error', message: params.arguments.message } });
    say({ id, result: 'logged' });
  },
  fails: (id) => say({ id, result: { content: 'no such table: users', isError: true } }),
  echo: (id, params) => say({ id, result: JSON.stringify(params.arguments) }),
  writes: (id) => {
    writeFileSync(`${process.env.PLUGIN_WORKSPACE}/made.txt`, 'made\n');
    say({ id, result: 'made' });
  },
  count: (id) => say({ id, result: `call ${calls.count} of process` }),
  slow: (id) => setTimeout(() => say({ id, result: 'late' }), 60_000),
};

const act = (what, id, params) => {
  if (typeof what === 'string') does[what](id, params);
  else say({ id, ...what });
};

for (const what of script.start ?? []) act(what);
if (script.deaf) process.on('SIGTERM', () => undefined);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') act(script.initialize ?? { result: {} }, id, params);
  else if (method === 'tools/list') act(script.list ?? { result: { tools: script.tools } }, id, params);
  else if (method === 'tools/call') {
    calls.count += 1;
    act(script.calls[params.name], id, params);
  } else if (method === '$/cancel') process.stderr.write(`cancelled ${params.id}\n`);
  else if (method === 'ping') say({ id, error: { code: -32601, message: 'no such method' } });
  else if (method === 'shutdown' && !script.deaf) {
    for (const file of script.last ?? []) {
      mkdirSync(dirname(`${process.env.PLUGIN_WORKSPACE}/${file}`), { recursive: true });
      writeFileSync(`${process.env.PLUGIN_WORKSPACE}/${file}`, 'written last\n');
    }
    say({ id, result: null });
    process.exit(0);
  }
}
if (script.deaf) setInterval(() => undefined, 1_000);
