import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { loadApi } from '../support/github/protocol/api.ts';
import { handlers } from '../support/github/rest/handlers.ts';
import { octokitForApp, startShop } from '../support/github/shop.ts';
import { readForeign, withForeign } from './with-foreign.ts';

const Refusal = z.object({
  method: z.string(),
  path: z.string(),
  status: z.number(),
  request: z.unknown(),
  response: z.object({
    message: z.string().optional(),
    errors: z.array(z.union([z.string(), z.looseObject({})])).optional(),
  }),
});
type Refusal = z.output<typeof Refusal>;

const api = loadApi();
let world: Awaited<ReturnType<typeof startShop>>;

beforeAll(async () => {
  world = await startShop({ api });
  await world.repository.commit('integrations', { files: { 'a.txt': 'a\n' }, message: 'A', author: 'ann' });
  await world.repository.commit('test/stable', { files: { 'b.txt': 'b\n' }, message: 'B', author: 'ann' });
  await world.repository.openPullRequest({ title: 'There already', head: 'test/stable', author: 'ann' });
});
afterAll(() => world.github.close());

/** Numbers stand for ids that name nothing, but where it matters that there is a thread. Refs have another address today. */
const ours = ({ path, method }: Refusal, installation: number): string =>
  path
    .replace('/repos/O/R/', '/repos/acme/shop/')
    .replace('/pulls/N', '/pulls/2')
    .replace('/issues/N', '/issues/1')
    .replace('/git/refs/', method === 'GET' ? '/git/ref/' : '/git/refs/')
    .replace(/(?<=\/installations\/)N/, String(installation))
    .replaceAll('%N', '%20')
    .replaceAll(/\bN\b/g, '999');

/**
 * True for what the stand-in is to refuse alike. Left out are outages (which tests have by `failNext`), operations that are not
 * built, and expired signatures, which `apps.test.ts` holds.
 */
function isOurs(refusal: Refusal): boolean {
  const { status, response } = refusal;
  const route = api.route(refusal.method, ours(refusal, 1));
  const built = route === undefined || handlers[route.operation.operationId] !== undefined;
  return built && status < 500 && !/assertion expires/.test(response.message ?? '');
}

/** The status, the first line of the message, and the resource, code and field of each error that has them. */
const shapeOf = (status: number, { message = '', errors = [] }: Refusal['response']) => ({
  status,
  message: message.split('\n')[0],
  errors: errors
    .filter((error) => typeof error !== 'string')
    .map(({ resource, code, field }) => ({ resource, code, field })),
});

/** Who asks: the app itself, or its installation; for what a reader may not do, the reader. */
function caller({ path, response }: Refusal) {
  if (path.startsWith('/app')) return octokitForApp(world.github, world.app, false);
  return /Must have/.test(response.message ?? '') ? world.bob : world.bot;
}

withForeign('recorded/github-errors.json', (file) => {
  const refusals = readForeign(file, z.array(Refusal)).filter(isOurs);

  test.each(
    refusals.map((one, index) => [`${index}: ${one.method} ${one.path} ${one.status}`, one] as const),
  )('%s', async (_, refusal) => {
    const url = ours(refusal, refusal.status === 404 ? 999 : world.app.installationId);
    const body = refusal.request === null ? {} : { data: refusal.request };
    const answer = await caller(refusal)
      .request({ ...body, method: refusal.method as 'GET', url })
      .catch((error: { response: { status: number; data: unknown } }) => error.response);
    const data = Refusal.shape.response.catch({}).parse(answer.data);
    expect(shapeOf(answer.status, data)).toEqual(shapeOf(refusal.status, refusal.response));
  });
});
