import { APIConnectionError } from '@anthropic-ai/sdk/core/error';
import { afterEach, describe, expect, it } from 'vitest';
import { cloudMessages } from '../../../src/agent/models/cloud-messages.ts';
import { createModel } from '../../../src/agent/models/create-model.ts';
import { ProviderError } from '../../../src/agent/models/provider-error.ts';
import { type ModelChoice, resolveProvider } from '../../../src/agent/models/resolve-provider.ts';
import { type ScriptedModel, startScriptedModel } from '../../support/model/scripted-model.ts';
import { endpointFor } from './endpoint-fixture.ts';

const servers: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function headersOf(choice: Omit<ModelChoice, 'providers'>, key: string, variable: string) {
  const server = await startScriptedModel({ script: () => ({ text: 'Hello.' }), key });
  servers.push(server);
  const environment = { ...choice.environment, [variable]: server.url };
  const model = await createModel({ ...choice, providers: undefined, environment });
  const signal = new AbortController().signal;
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hello' }] }];
  await model.complete({ system: '', tools: [], messages, effort: 3, signal }, () => {});
  return server.requests[0]?.headers ?? {};
}

const resolve = (name: string, environment: ModelChoice['environment'], settings = {}) =>
  resolveProvider({ name, environment, providers: { [name.split('/')[0] ?? '']: settings } });

describe('bedrock', () => {
  const aws = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 's3cret',
  };

  it('signs with the credentials of the environment, including the session token', async () => {
    const headers = await headersOf(
      { name: 'bedrock/us.anthropic.claude-x-v1:0', environment: { ...aws, AWS_SESSION_TOKEN: 'session' } },
      'AKIAEXAMPLE',
      'ANTHROPIC_BEDROCK_BASE_URL',
    );
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request/,
    );
    expect([headers['x-amz-security-token'], headers['x-api-key']]).toEqual(['session', undefined]);
  });

  it('prefers its own API key to them', async () => {
    const environment = { ...aws, AWS_BEARER_TOKEN_BEDROCK: 'bedrock-key' };
    const choice = { name: 'aws-bedrock/claude-x', environment };
    const headers = await headersOf(choice, 'bedrock-key', 'ANTHROPIC_BEDROCK_BASE_URL');
    expect(headers.authorization).toBe('Bearer bedrock-key');
  });

  it('is found by its region', () => {
    const { baseUrl, key, keySource } = resolve('bedrock/claude-x', { AWS_DEFAULT_REGION: 'us-west-2' });
    expect({ baseUrl, key, keySource }).toEqual({
      baseUrl: 'https://bedrock-runtime.us-west-2.amazonaws.com',
      key: null,
      keySource: 'AWS_ACCESS_KEY_ID',
    });
  });

  it.each([
    [{}, {}, 'set AWS_REGION or providers.bedrock.region'],
    [{}, { region: 'evil.example/x' }, 'is no region'],
  ])('requires a valid region: %j %j', (environment, settings, words) => {
    expect(() => resolve('bedrock/claude-x', environment, settings)).toThrow(words);
  });
});

describe('Vertex', () => {
  it.each([
    [{}, {}, 'https://aiplatform.googleapis.com/v1', null],
    [{ CLOUD_ML_REGION: 'eu' }, { project: 'mine' }, 'https://aiplatform.eu.rep.googleapis.com/v1', 'mine'],
    [
      { GOOGLE_CLOUD_PROJECT: 'p' },
      { region: 'us-east5' },
      'https://us-east5-aiplatform.googleapis.com/v1',
      'p',
    ],
  ])('is found by region and project: %j %j', (environment, settings, expectedUrl, project) => {
    const { baseUrl, cloud } = resolve('vertex/claude-x', environment, settings);
    expect([baseUrl, cloud.project]).toEqual([expectedUrl, project]);
  });
});

describe('a failing sign-in', () => {
  it('is an error of configuration without retries and names the missing part', async () => {
    const model = await createModel({
      name: 'vertex/claude-x',
      providers: { vertex: { project: 'p', baseUrl: 'http://127.0.0.1:9/v1' } },
      environment: { GOOGLE_APPLICATION_CREDENTIALS: '/nowhere/credentials.json' },
    });
    const signal = new AbortController().signal;
    const requested = model.complete({ system: '', tools: [], messages: [], effort: 3, signal }, () => {});
    await expect(requested).rejects.toMatchObject({
      name: 'ConfigError',
      key: 'GOOGLE_APPLICATION_CREDENTIALS',
      message: expect.stringContaining('Failed to acquire Google OAuth credentials. '),
    });
  });

  it('differs from a failing connection to the model', async () => {
    const endpoint = endpointFor('bedrock/claude-x');
    const failed = (cause: Error) =>
      cloudMessages({ create: () => Promise.reject(new APIConnectionError({ cause })) as never }, endpoint)(
        { system: '', tools: [], messages: [], effort: 3, signal: new AbortController().signal },
        () => {},
      );
    await expect(failed(new Error('no profile'))).rejects.toMatchObject({ problem: 'unauthorized' });
    const unreachable = new ProviderError('unreachable', 'the connection failed');
    await expect(failed(unreachable)).rejects.toBe(unreachable);
  });
});

describe('azure', () => {
  it.each(['', '/', '/openai', '/openai/v1/'])('appends "%s" to the address of the resource', (rest) => {
    const environment = {
      AZURE_OPENAI_ENDPOINT: `https://mine.openai.azure.com${rest}`,
      AZURE_OPENAI_API_KEY: 'k',
    };
    const { baseUrl, wire, cloud } = resolve('azure-openai/gpt', environment);
    expect([baseUrl, wire, cloud.bearer]).toEqual(['https://mine.openai.azure.com', 'openai', false]);
  });

  it('uses an Entra ID token without a key', async () => {
    const choice = { name: 'azure/gpt', environment: { AZURE_OPENAI_AD_TOKEN: 'entra' } };
    const headers = await headersOf(choice, 'entra', 'AZURE_OPENAI_ENDPOINT');
    expect([headers.authorization, headers['api-key']]).toEqual(['Bearer entra', undefined]);
  });

  it.each([
    [{ AZURE_OPENAI_API_KEY: 'k' }, 'needs the URL of its endpoint in providers.azure.baseUrl'],
    [{ AZURE_OPENAI_ENDPOINT: 'https://mine.openai.azure.com' }, 'needs a key: set AZURE_OPENAI_API_KEY'],
  ])('names what is missing beside %j', (environment, words) => {
    expect(() => resolve('azure/gpt', environment)).toThrow(words);
  });
});
