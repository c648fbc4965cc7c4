import { expect, it } from 'vitest';
import type { StateRoot } from '../../../src/contract/state-store.ts';
import {
  createReportLinks,
  reportSecret,
  withoutSignatures,
} from '../../../src/pipeline/context/report-links.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';

const base = 'https://anode.example.com/app';
const until = new Date('2026-11-29T04:00:00Z');
const before = new Date('2026-11-28T00:00:00Z');

const linksOf = async (state: StateRoot) => createReportLinks(base, await reportSecret(state));

/** What of an address a server gets, behind a proxy that takes off the path it is mounted at. */
const asked = (link: string) => link.slice(base.length);

it('accepts its own links until they expire, in each process with the same store', async () => {
  const store = createMemoryStateStore();
  const link = (await linksOf(store)).linkTo('run_1', until);
  const others = await linksOf(store);
  expect(link).toMatch(
    /^https:\/\/anode\.example\.com\/app\/runs\/run_1\/report\?expires=1795924800&signature=[0-9a-f]{64}$/,
  );
  expect([
    others.runOf(asked(link), before),
    others.runOf(asked(link), until),
    others.linkTo('run_1', until) === link,
  ]).toEqual(['run_1', null, true]);
});

it('rejects each address that differs from a link', async () => {
  const links = await linksOf(createMemoryStateStore());
  const foreign = await linksOf(createMemoryStateStore());
  const link = asked(links.linkTo('run_1', until));
  const signature = link.slice(-64);
  const wrong = [
    asked(foreign.linkTo('run_1', until)),
    link.replace('run_1', 'run_2'),
    link.replace('run_1', 'run_1/../run_2'),
    link.replace('run_1', 'run_%31'),
    link.replace('expires=17', 'expires=27'),
    link.replace('expires=1', 'expires=01'),
    link.replace(/expires=\d+&/, ''),
    link.slice(0, -1),
    `${link}0`,
    `${link}&expires=9999999999`,
    link.replace(signature, signature.toUpperCase()),
    link.replace(signature, '0'.repeat(64)),
    link.replace(signature, ''),
    link.replace('/runs/', '//runs/'),
    link.replace('/report', '/report/'),
    `/x${link}`,
    `${link}#x`,
    link.replace('&', ';'),
    '/runs/run_1/report',
    '/',
    '',
    'x'.repeat(100_000),
  ];
  expect(wrong.map((address) => links.runOf(address, before)).filter((run) => run !== null)).toEqual([]);
  expect(links.runOf(link, before)).toBe('run_1');
});

it('invalidates all links when the key is deleted', async () => {
  const store = createMemoryStateStore();
  const link = (await linksOf(store)).linkTo('run_1', until);
  await store.delete('report/secret');
  expect((await linksOf(store)).runOf(asked(link), before)).toBeNull();
});

it('removes the signatures of links from a text, in each form that Markdown has', () => {
  const links = createReportLinks('https://anode.example.com', 'secret');
  const link = links.linkTo('run_1', new Date('2026-01-02T03:04:05Z'));
  const given = `<sub>[Run](${link}) · <a href="${link.replace('&', '&amp;')}">report</a></sub>\n> ${link}`;
  const bare = 'https://anode.example.com/runs/run_1/report';
  expect(withoutSignatures(given)).toBe(
    `<sub>[Run](${bare}) · <a href="${bare}">report</a></sub>\n> ${bare}`,
  );
  expect(withoutSignatures('See /report?expires=1&signature=ab.')).toBe(
    'See /report?expires=1&signature=ab.',
  );
});
