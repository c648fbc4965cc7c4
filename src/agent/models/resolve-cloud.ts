import { ConfigError } from '../../contract/errors.ts';
import type { Cloud } from './model.ts';
import type { HostName } from './providers.ts';

/** The keys of `providers.<name>` that say where in a cloud its models are. */
export interface CloudSettings {
  readonly region?: string | undefined;
  readonly project?: string | undefined;
  readonly apiVersion?: string | undefined;
}

type Read = (name: string) => string | undefined;

/** Settings of a provider that is not a cloud. */
export const noCloud: Cloud = {
  region: null,
  project: null,
  apiVersion: null,
  bearer: false,
  credentialsFile: null,
  aws: null,
};

/**
 * Returns a cloud's settings and its default endpoint, from the configuration or the variables of
 * the cloud's own tools. Throws `ConfigError` for a missing region.
 */
export function resolveCloud(
  host: HostName,
  name: string,
  settings: CloudSettings,
  read: Read,
): { readonly cloud: Cloud; readonly baseUrl: string } {
  if (host === 'azure') {
    const apiVersion = settings.apiVersion ?? read('OPENAI_API_VERSION') ?? null;
    return { cloud: { ...noCloud, apiVersion }, baseUrl: '' };
  }
  if (host === 'vertex') {
    const region = plainName(
      settings.region ?? read('CLOUD_ML_REGION') ?? read('GOOGLE_CLOUD_LOCATION') ?? 'global',
      `providers.${name}.region`,
    );
    const project =
      settings.project ?? read('ANTHROPIC_VERTEX_PROJECT_ID') ?? read('GOOGLE_CLOUD_PROJECT') ?? null;
    const server = region === 'global' ? 'aiplatform' : `${region}-aiplatform`;
    const multiRegions: Record<string, string> = { us: 'aiplatform.us.rep', eu: 'aiplatform.eu.rep' };
    return {
      cloud: {
        ...noCloud,
        region,
        project,
        credentialsFile: read('GOOGLE_APPLICATION_CREDENTIALS') ?? null,
      },
      baseUrl: `https://${multiRegions[region] ?? server}.googleapis.com/v1`,
    };
  }
  const region = settings.region ?? read('AWS_REGION') ?? read('AWS_DEFAULT_REGION');
  if (region === undefined) {
    throw new ConfigError(
      `The provider ${name} needs a region: set AWS_REGION or providers.${name}.region, for example us-east-1.`,
      { key: `providers.${name}.region` },
    );
  }
  const id = read('AWS_ACCESS_KEY_ID');
  const secret = read('AWS_SECRET_ACCESS_KEY');
  const session = read('AWS_SESSION_TOKEN') ?? null;
  return {
    cloud: {
      ...noCloud,
      region: plainName(region, `providers.${name}.region`),
      aws: id === undefined || secret === undefined ? null : { id, secret, session },
    },
    baseUrl: `https://bedrock-runtime.${region}.amazonaws.com`,
  };
}

/** A region becomes part of a host's name, which must not become another host by it. */
function plainName(region: string, key: string): string {
  if (/^[a-z0-9-]{1,40}$/.test(region)) return region;
  throw new ConfigError(`${key} is no region, for example us-east-1; got ${JSON.stringify(region)}.`, {
    key,
  });
}

/** The address of an Azure resource, whichever of its paths was copied. */
export function azureResource(baseUrl: string): string {
  return baseUrl.replace(/\/openai(\/v1)?$/, '');
}
