import { createVerify, generateKeyPairSync } from 'node:crypto';
import nock from 'nock';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAppTokens } from '../../src/github/app-tokens.ts';
import { cloneUrl } from '../../src/github/clone-url.ts';

const api = 'https://github.test/api/v3';
/** Ids of GitHub pass 32 bits. */
const shop = { installation: 42, repository: 4_294_967_301 };
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});
beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

/** Whether the header carries a JWT of our App, signed with its key. */
function isOurJwt(header: string | null): boolean {
  const [head = '', body = '', signature = ''] = (header ?? '').replace(/^bearer /i, '').split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  const verified = createVerify('RSA-SHA256')
    .update(`${head}.${body}`)
    .verify(publicKey, signature, 'base64url');
  return verified && String(claims.iss) === '12';
}

it('requests one repository and the least permissions once, and caches the token until a fresh one is needed', async () => {
  const purposes = {
    read: { contents: 'read', issues: 'read', metadata: 'read', pull_requests: 'read' },
    react: { issues: 'write', metadata: 'read', pull_requests: 'write' },
    write: { contents: 'write', issues: 'write', metadata: 'read', pull_requests: 'write' },
  };
  for (const [purpose, permissions] of Object.entries(purposes)) {
    nock(api, { reqheaders: { authorization: isOurJwt } })
      .post('/app/installations/42/access_tokens', { repository_ids: [4_294_967_301], permissions })
      .reply(201, {
        token: `token-to-${purpose}`,
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        permissions,
        repository_selection: 'selected',
        repositories: [{ id: 1, name: 'shop' }],
      });
  }
  nock(api)
    .post('/app/installations/42/access_tokens')
    .reply(201, {
      token: 'fresh-token',
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      permissions: purposes.write,
      repository_selection: 'selected',
      repositories: [{ id: 1, name: 'shop' }],
    });
  const tokens = createAppTokens({ appId: 12, privateKey, apiUrl: api });
  const given = [
    await tokens.tokenFor(shop, 'read'),
    await tokens.tokenFor(shop, 'read'),
    await tokens.tokenFor(shop, 'react'),
    await tokens.tokenFor(shop, 'write'),
    await tokens.tokenFor(shop, 'write', true),
    await tokens.tokenFor(shop, 'write'),
  ];
  const renewed = ['token-to-write', 'fresh-token', 'fresh-token'];
  expect(given).toEqual(['token-to-read', 'token-to-read', 'token-to-react', ...renewed]);
  expect(nock.pendingMocks()).toEqual([]);
});

it('requests the granted permissions again, caches them, and requests all for a fresh token', async () => {
  const place = '/app/installations/42/access_tokens';
  const all = { contents: 'write', issues: 'write', metadata: 'read', pull_requests: 'write' };
  const granted = { contents: 'read', metadata: 'read', pull_requests: 'write', checks: 'write' };
  const part = { contents: 'read', metadata: 'read', pull_requests: 'write' };
  const refusal = { message: 'The permissions requested are not granted to this installation.' };
  const token = (name: string) => ({
    ...{ token: name, expires_at: new Date(Date.now() + 3_600_000).toISOString(), permissions: part },
    ...{ repository_selection: 'selected', repositories: [{ id: 1, name: 'shop' }] },
  });
  const asked = (permissions: Record<string, string>) => ({ repository_ids: [4_294_967_301], permissions });
  nock(api)
    .post(place, asked(all))
    .reply(422, refusal)
    .get('/app/installations/42')
    .reply(200, { permissions: granted, events: [], suspended_at: null })
    .post(place, asked(part))
    .reply(201, token('part'))
    .post(place, asked(all))
    .reply(201, token('all'));
  const tokens = createAppTokens({ appId: 12, privateKey, apiUrl: api });
  expect([
    await tokens.tokenFor(shop, 'write'),
    await tokens.tokenFor(shop, 'write'),
    await tokens.tokenFor(shop, 'write', true),
    nock.pendingMocks(),
  ]).toEqual(['part', 'part', 'all', []]);
});

it.each([
  ['everything it needs is granted', 'read', { contents: 'write', issues: 'read', pull_requests: 'write' }],
  ['its one permission is not', 'check', { contents: 'write' }],
] as const)('caches the refusal of a token if %s', async (_, purpose, permissions) => {
  nock(api)
    .post('/app/installations/42/access_tokens')
    .reply(422, { message: 'There is at least one repository that is not accessible.' })
    .get('/app/installations/42')
    .reply(200, { permissions, events: [], suspended_at: null });
  const tokens = createAppTokens({ appId: 12, privateKey, apiUrl: api });
  await expect(tokens.tokenFor(shop, purpose)).rejects.toMatchObject({ status: 422 });
});

it('finds the permissions of an installation and its own login', async () => {
  nock(api, { reqheaders: { authorization: isOurJwt } })
    .get('/app/installations/42')
    .reply(200, { permissions: { checks: 'write' }, events: ['issues'], suspended_at: null })
    .get('/app/installations/42')
    .reply(200, { permissions: {}, events: [], suspended_at: '2026-01-02T03:04:05Z' })
    .get('/app')
    .reply(200, { slug: 'anode-ci' });
  const tokens = createAppTokens({ appId: 12, privateKey, apiUrl: api });
  expect([await tokens.grantsOf(42), await tokens.grantsOf(42), await tokens.ownLogin()]).toEqual([
    { permissions: { checks: 'write' }, events: ['issues'], suspended: false },
    { permissions: {}, events: [], suspended: true },
    'anode-ci[bot]',
  ]);
});

it('names the address for git clones', () => {
  expect(cloneUrl('https://github.com', 'acme', 'shop')).toBe('https://github.com/acme/shop.git');
});
