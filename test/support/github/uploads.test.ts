import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GitHub, startGitHub } from './start-github.ts';

let github: GitHub;
beforeAll(async () => {
  github = await startGitHub({ checkOutput: true });
});
afterAll(async () => {
  const problems = github.problems();
  await github.close();
  expect(problems).toEqual([]);
});

test('an upload can be read without credentials only at the signed address in the rendered text', async () => {
  const shop = await github.createRepository('acme/shop');
  const [open, closed] = [
    github.upload(Buffer.from('open')),
    github.upload(Buffer.from('closed'), { private: true }),
  ];
  await shop.openIssue({
    title: 'Look',
    body: `<b> ![a](${open}) and <img alt="b" src="${closed}">`,
    author: 'ada',
  });
  const token = github.createToken({ actor: 'ada' });
  const ask = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { headers, redirect: 'manual' });
    return { status: response.status, text: await response.text() };
  };
  const issue = `${github.apiUrl}/repos/acme/shop/issues/1`;
  const full = await ask(issue, {
    authorization: `token ${token}`,
    accept: 'application/vnd.github.full+json',
  });
  const html = String(JSON.parse(full.text).body_html);
  const addresses = [...html.matchAll(/src="([^"]+)"/g)].map(([, address = '']) =>
    address.replaceAll('&amp;', '&'),
  );
  expect(html.replaceAll(/src="[^"]+"/g, 'src')).toBe('<p>&lt;b&gt; <img src> and <img src></p>');
  expect(await Promise.all(addresses.map((address) => ask(address)))).toEqual([
    { status: 200, text: 'open' },
    { status: 200, text: 'closed' },
  ]);
  expect([
    (await ask(open)).status,
    (await ask(closed)).status,
    (await ask(addresses[0] ?? '', { authorization: `token ${token}` })).status,
    JSON.parse((await ask(issue)).text).body_html,
  ]).toEqual([302, 404, 400, undefined]);
});
