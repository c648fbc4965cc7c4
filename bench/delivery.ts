import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { appPermissions, startAppProcess } from '../test/support/app-process.ts';
import { startGitHub } from '../test/support/github/start-github.ts';
import { startScriptedModel } from '../test/support/model/scripted-model.ts';
import { median } from './table.ts';

/** Number of comments, each on its own thread, sent one after the other's run. */
const comments = 12;

/** Maximum milliseconds for the answer to a delivery and for the 👀 on its comment. */
const budgets = { accepted: 50, eyes: 1000 };

/**
 * Measures how soon the App answers a delivery and reacts with 👀, against GitHub's stand-in on loopback. Ends by
 * itself, after half a minute or so.
 */
export async function benchDelivery(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'anode-bench-'));
  const github = await startGitHub();
  const model = await startScriptedModel({ script: () => ({ text: 'Nothing to do.' }) });
  const app = github.addApp({ slug: 'anode-ci', permissions: appPermissions });
  const repository = await github.createRepository('bench/repository', {
    files: { 'README.md': '# Bench\n' },
  });
  repository.setPermission('maintainer', 'write');
  const server = await startAppProcess({
    github,
    app,
    folder,
    environment: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'any-key-will-do' },
  });
  try {
    github.subscribe('anode-ci', `${server.url}/api/github/webhooks`);
    const eyes: number[] = [];
    for (let round = 0; round < comments; round += 1) {
      const issue = await repository.openIssue({ title: `Issue ${round}`, author: 'maintainer' });
      await github.settled();
      const startedAt = performance.now();
      const comment = repository.comment(issue.number, { body: '@anode look at this', author: 'maintainer' });
      await github.waitFor(() => repository.reactions(comment).length > 0, { timeoutMs: 20_000, what: '👀' });
      eyes.push(performance.now() - startedAt);
      await github.waitFor(() => repository.reactions(comment).length === 0, {
        timeoutMs: 60_000,
        what: 'the end',
      });
    }
    const accepted = github.deliveries.map(({ durationMs }) => durationMs);
    tell('delivery to the 202', accepted, budgets.accepted);
    tell('comment to the 👀', eyes, budgets.eyes);
  } finally {
    await server.stop();
    await model.close();
    await github.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function tell(what: string, values: readonly number[], most: number): void {
  const [middle, worst] = [median(values), Math.max(...values)];
  const word = middle > most ? '  over' : '';
  console.log(
    `${what}: median ${middle.toFixed(0)} ms, worst ${worst.toFixed(0)} ms of ${values.length}; budget ${most} ms${word}`,
  );
}
