import type { JsonObject } from '../../../src/contract/json.ts';
import { answerChat, readChat } from './chat-wire.ts';
import { awsEventStream, type Framing, serverSentEvents } from './framing.ts';
import { answerMessages, readMessages } from './messages-wire.ts';
import { must } from './read-body.ts';
import { answerResponses, readResponses } from './responses-wire.ts';
import type { Api, FullReply, NeutralRequest, WireAnswer } from './script.ts';

/** One way to ask, and how it is answered. */
export interface Wire {
  readonly api: Api;
  readonly read: (body: JsonObject) => NeutralRequest;
  readonly answer: (reply: FullReply) => WireAnswer;
  readonly framing: Framing;
}

const messages: Wire = {
  api: 'messages',
  read: readMessages,
  answer: answerMessages,
  framing: serverSentEvents,
};
const responses: Wire = {
  api: 'responses',
  read: readResponses,
  answer: answerResponses,
  framing: serverSentEvents,
};
const chat: Wire = { api: 'chat', read: readChat, answer: answerChat, framing: serverSentEvents };

const plain: Readonly<Record<string, Wire>> = {
  '/v1/messages': messages,
  '/v1/responses': responses,
  '/v1/chat/completions': chat,
};

/** The clouds say the model in the path, and have versions of their own. */
const clouds: readonly { path: RegExp; version: 'query' | 'body'; wire: Wire }[] = [
  { path: /^\/openai\/v1\/responses$/, version: 'query', wire: responses },
  { path: /^\/openai\/responses$/, version: 'query', wire: responses },
  { path: /^\/openai\/deployments\/([^/]+)\/chat\/completions$/, version: 'query', wire: chat },
  {
    path: /^\/model\/([^/]+)\/invoke-with-response-stream$/,
    version: 'body',
    wire: { ...messages, framing: awsEventStream },
  },
  {
    path: /^\/v1\/projects\/[^/]+\/locations\/[^/]+\/publishers\/anthropic\/models\/([^/:]+):streamRawPredict$/,
    version: 'body',
    wire: messages,
  },
];

/** The API at an address; null if there is none. */
export function findWire(url: URL): Wire | null {
  const own = plain[url.pathname];
  if (own !== undefined) return own;
  const cloud = clouds.find(({ path }) => path.test(url.pathname));
  if (cloud === undefined) return null;
  const [, model] = cloud.path.exec(url.pathname) ?? [];
  const named = model === undefined ? {} : { model: decodeURIComponent(model) };
  return {
    ...cloud.wire,
    read: (body) => {
      const version =
        cloud.version === 'query' ? url.searchParams.get('api-version') : body.anthropic_version;
      must(typeof version === 'string', `${cloud.version}: the version of the API is missing`);
      if (cloud.version === 'body') must(body.model === undefined, 'model: extra inputs are not permitted');
      // Both of Claude's clouds stream by the path alone, and Google's leaves the field in the body.
      return cloud.wire.read({ ...body, ...named, stream: true });
    },
  };
}

/** Whether a request carries the key in any of the ways that the endpoints take: for AWS, in what it is signed with. */
export function carriesKey(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  key: string,
): boolean {
  const authorization = String(headers.authorization ?? '');
  return (
    headers['x-api-key'] === key ||
    headers['api-key'] === key ||
    authorization === `Bearer ${key}` ||
    (authorization.startsWith('AWS4-HMAC-SHA256 ') && authorization.includes(`Credential=${key}/`))
  );
}
