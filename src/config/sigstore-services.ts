import { ConfigError } from '../contract/errors.ts';

/** Addresses of the services that sign without a key, without a slash at their ends. */
export interface SigstoreServices {
  /** Certifies a key for an identity. */
  readonly fulcio: string;
  /** Logs signatures. */
  readonly rekor: string;
  /** Gives timestamps (RFC 3161); null for none. The log's own time is enough. */
  readonly timestamps: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the services that `ANODE_FULCIO_URL`, `ANODE_REKOR_URL` and `ANODE_TSA_URL` name.
 * Default: Sigstore's public instance, without a timestamp service. Throws `ConfigError` for an
 * address that is not HTTPS, unless it is on this machine.
 */
export function sigstoreServices(environment: Environment): SigstoreServices {
  return {
    fulcio: addressOf(environment, 'ANODE_FULCIO_URL') ?? 'https://fulcio.sigstore.dev',
    rekor: addressOf(environment, 'ANODE_REKOR_URL') ?? 'https://rekor.sigstore.dev',
    timestamps: addressOf(environment, 'ANODE_TSA_URL'),
  };
}

const here = new Set(['127.0.0.1', 'localhost', '[::1]']);

function addressOf(environment: Environment, key: string): string | null {
  const text = environment[key]?.trim() ?? '';
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && here.has(url.hostname));
  if (!isSafe)
    throw new ConfigError(`${key} takes an https address, such as https://fulcio.example.com.`, { key });
  return text.replace(/\/+$/u, '');
}
