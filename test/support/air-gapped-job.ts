import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { call, lastResults } from '../uses/support/conversation.ts';
import { startJob } from '../uses/support/start-job.ts';

// A machine without a network plays a review and a task, with GitHub and the model on its loopback.
// Prints how the steps ended, and each host that they named or connected to.
const folder = await mkdtemp(path.join(os.tmpdir(), 'anode-air-gapped-'));
const hosts = path.join(folder, 'hosts');
const hook = path.join(folder, 'note-hosts.mjs');
await writeFile(hosts, '');
await writeFile(
  hook,
  `import { appendFileSync } from 'node:fs';
import dns from 'node:dns';
import net from 'node:net';
import { syncBuiltinESMExports } from 'node:module';
const note = (host) => appendFileSync(${JSON.stringify(hosts)}, (host ?? 'localhost') + '\\n');
const { lookup } = dns;
dns.lookup = (host, ...more) => (note(host), lookup(host, ...more));
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...given) {
  const [first] = given.flat();
  if (typeof first === 'object' && first?.path === undefined) note(first?.host);
  return connect.apply(this, given);
};
syncBuiltinESMExports();
`,
);
const job = await startJob();
const shop = await job.github.createRepository('acme/shop', {
  files: { 'colour.ts': 'export function colour() {\n  return "red";\n}\n' },
});
shop.setPermission('ada', 'write');
const said: string[] = [];
job.learn('Review the changes', () => ({ text: 'Reviewed.' }));
job.learn('paint it', (turn, request) => {
  if (turn > 1) said.push(lastResults(request));
  if (turn === 1) return { calls: [call('grep', { pattern: 'red' })] };
  if (turn === 2) return { calls: [call('code_search', { query: 'colour' })] };
  if (turn === 3)
    return { calls: [call('edit_file', { path: 'colour.ts', old_str: 'red', new_str: 'blue' })] };
  return { text: 'It is blue.' };
});
await shop.commit('topic', { files: { 'b.txt': 'b\n' }, message: 'Topic', author: 'ada' });
const { number } = await shop.openPullRequest({ title: 'Topic', head: 'topic', author: 'ada' });
const environment = { NODE_OPTIONS: `--import=${hook}` };
const ends: unknown[] = [];
for (const event of ['pull_request', 'issue_comment']) {
  if (event === 'issue_comment') shop.comment(number, { author: 'ada', body: '@anode paint it' });
  const { code, stderr, outputs } = await job.run(shop, { event, actor: 'ada', inputs: {}, environment });
  ends.push([event, code, stderr, outputs.conclusion]);
}
const colour = await shop.git('show', 'topic:colour.ts');
const named = [...new Set((await readFile(hosts, 'utf8')).split('\n'))].filter(Boolean).sort();
await job.close();
await rm(folder, { recursive: true });
console.log(JSON.stringify({ ends, said, colour, hosts: named }));
