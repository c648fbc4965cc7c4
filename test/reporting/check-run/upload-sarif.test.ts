import { afterEach, beforeEach, expect, it } from 'vitest';
import { uploadSarif } from '../../../src/reporting/check-run/upload-sarif.ts';
import { loadApi } from '../../support/github/protocol/api.ts';
import { everything, octokitForApp, refusalOf, startShop } from '../../support/github/shop.ts';

const api = loadApi();
let world: Awaited<ReturnType<typeof startShop>>;

beforeEach(async () => {
  world = await startShop({ api });
});
afterEach(async () => {
  const problems = world.github.problems();
  await world.github.close();
  expect(problems).toEqual([]);
});

const log = { version: '2.1.0', runs: [{ tool: { driver: { name: 'Anode CI' } }, results: [] }] };

function plan() {
  const { pull } = world;
  return {
    triggered_at: '2026-01-02T03:04:05.000Z',
    repository: {
      owner: 'acme',
      name: 'shop',
      default_branch: 'main',
      clone_url: 'https://github.example/acme/shop.git',
      private: false,
    },
    checkout: {
      ref: `refs/pull/${pull.number}/head`,
      sha: pull.headSha,
      base_ref: 'main',
      base_sha: null,
      fork: false,
    },
  };
}

it('A log reaches code scanning whole, for the commit and ref that were looked at.', async () => {
  const permissions = { ...everything, security_events: 'write' } as const;
  const scanner = world.github.addApp({ slug: 'scanner', permissions });
  const { id } = await uploadSarif(log, plan(), octokitForApp(world.github, scanner));
  expect(world.repository.sarifs()).toEqual([
    { id, ref: 'refs/pull/2/head', sha: world.pull.headSha, tool: 'Anode CI', log },
  ]);
});

it('Without the permission it is refused, and so is what is no SARIF.', async () => {
  const permissions = { ...everything, security_events: 'write' } as const;
  const scanner = octokitForApp(world.github, world.github.addApp({ slug: 'scanner', permissions }));
  expect([
    (await refusalOf(uploadSarif(log, plan(), world.bot))).status,
    (await refusalOf(uploadSarif({ runs: 'none' }, plan(), scanner))).status,
  ]).toEqual([403, 400]);
  expect(world.repository.sarifs()).toEqual([]);
});
