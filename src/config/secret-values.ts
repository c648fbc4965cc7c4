import { append } from '../contract/lists.ts';
import type { Config } from './schema.ts';

/** Placeholders that people use where a key is required but not needed. */
const dummies = new Set(
  [
    ...['ollama', 'empty', 'none', 'null', 'nil', 'undefined', 'true', 'false', 'dummy', 'fake', 'test'],
    ...['testing', 'example', 'sample', 'placeholder', 'changeme', 'change-me', 'anything', 'whatever'],
    ...['unused', 'ignored', 'local', 'localhost', 'default', 'todo', 'key', 'apikey', 'api-key', 'api_key'],
    ...['token', 'secret', 'password', 'my-key', 'mykey', 'my-api-key', 'your-key', 'your-api-key'],
    ...[
      'no-key',
      'nokey',
      'no-key-required',
      'sk-no-key-required',
      'not-needed',
      'notneeded',
      'no-key-needed',
    ],
    ...['not-required', 'notrequired', 'not-used', 'not-set', 'lm-studio', 'lmstudio', 'vllm', 'sglang'],
    ...['llama', 'llamacpp', 'llama.cpp', 'llama-cpp', 'localai', 'litellm', 'jan', 'sk-dummy', 'sk-fake'],
    ...['sk-test', 'sk-xxx', 'sk-1234', 'dummy-key', 'fake-key', 'test-key', 'dummy-token', 'fake-token'],
  ].flatMap((word) => [word, word.replaceAll('-', '_')]),
);

/** No real key is one word as short as this. */
const shortWord = /^[A-Za-z]{1,8}$/;

/**
 * True if a value is a known stand-in for a secret: `ollama`, `EMPTY`, `<your key>`, `xxxx`. To
 * hide it would cut an ordinary word out of tasks and files.
 */
export function isDummySecret(value: string): boolean {
  const bare = value.trim();
  return dummies.has(bare.toLowerCase()) || /^[xX*.0-]+$/.test(bare) || /^<[^<>]*>$/.test(bare);
}

/** The same applies to keys and tokens, but a password may be a short word. */
export function isDummyKey(value: string): boolean {
  const bare = value.trim();
  return isDummySecret(bare) || shortWord.test(bare);
}

/**
 * Names of variables that hold a secret, as people name them: `NPM_TOKEN`, `GH_PAT`,
 * `AWS_ACCESS_KEY_ID`.
 */
const secretName =
  /(KEY|KEY_ID|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|_PASS|_PAT|_AUTH|_DSN|BEARER_TOKEN_\w+)$/i;

/** Names of variables with a key or a token, which is never a short word. */
const keyName = /(KEY|KEY_ID|TOKEN|_PAT|BEARER_TOKEN_\w+)$/i;

/** Shorter values would blot out ordinary words. */
const shortestSecret = 6;

/**
 * Returns secrets of environment and providers. These are variables with a secret's name, passwords
 * in URLs of any variable (`DATABASE_URL`), and providers' keys and passwords. Each has at least 6
 * characters and is no known placeholder (`isDummySecret`).
 */
export function secretValues(
  environment: Readonly<Record<string, string | undefined>>,
  providers: Config['providers'],
): string[] {
  const found: (string | undefined)[] = [];
  for (const [name, value] of Object.entries(environment)) {
    const isDummy = keyName.test(name) ? isDummyKey : isDummySecret;
    if (secretName.test(name) && !isDummy(value ?? '')) found.push(value);
    append(found, urlPasswords(value));
  }
  for (const { apiKey, baseUrl } of Object.values(providers ?? {})) {
    append(found, urlPasswords(baseUrl));
    const reference = /^\{env:([^}]+)\}$/.exec(apiKey ?? '')?.[1];
    const key = reference === undefined ? apiKey : environment[reference];
    if (!isDummyKey(key ?? '')) found.push(key);
  }
  const long = found.filter((value): value is string => (value?.length ?? 0) >= shortestSecret);
  return [...new Set(long)];
}

/** Returns the secrets of a process and its operator, which no text that it posts may have. */
export const ownSecrets = (own: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly operatorConfig: Pick<Config, 'providers'>;
}): string[] => secretValues(own.environment, own.operatorConfig.providers);

/**
 * Values that are no secret even if a program gets them: words, numbers, paths, hosts with a port.
 */
const plainValue = /^(?:[A-Za-z_-]+|[\d.]+|[\w./~-]*\/[\w./~-]*|[A-Za-z0-9.-]+:\d+)$/;

/**
 * The values of the variables that `env.pass` gives to programs, if they could be secrets. Such a
 * program may print them or write them to a file that is read later.
 */
export function passedSecrets(
  environment: Readonly<Record<string, string | undefined>>,
  env: Config['env'],
): string[] {
  const names = new Set(Object.values(env?.pass ?? {}).flat());
  const values = [...names].map((name) => environment[name] ?? '');
  return values.filter((value) => value.length >= shortestSecret && !plainValue.test(value));
}

/** Headers that hold a credential, besides those with a matching name. */
const credentialHeader = /^(?:proxy-)?authorization$|^cookie$/i;

/**
 * Returns the secrets that a configuration itself holds for servers and agents. These are headers
 * and variables with a secret's name whose value names no variable. A server could send them back.
 */
export function configuredSecrets({ mcp, a2a }: Pick<Config, 'mcp' | 'a2a'>): string[] {
  const named = [...Object.values(mcp?.servers ?? {}), ...Object.values(a2a?.agents ?? {})];
  const values = named.flatMap((one) => [
    ...Object.entries(('headers' in one ? one.headers : undefined) ?? {}),
    ...Object.entries(('env' in one ? one.env : undefined) ?? {}),
  ]);
  return values
    .filter(([name]) => secretName.test(name) || credentialHeader.test(name))
    .map(([, value]) => value.replace(/^(?:bearer|basic|token)\s+/i, ''))
    .filter((value) => value.length >= shortestSecret && !isDummySecret(value) && !/\$\{|\{env:/.test(value));
}

/**
 * All text that must not leave a run: from its environment, its configuration, and its programs'
 * variables.
 */
export function runSecrets(run: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly config: Pick<Config, 'providers' | 'env' | 'mcp' | 'a2a'>;
  readonly secrets?: readonly string[];
}): string[] {
  const { environment, config, secrets = [] } = run;
  return [
    ...secretValues(environment, config.providers),
    ...passedSecrets(environment, config.env),
    ...configuredSecrets(config),
    ...secrets,
  ];
}

/** The password in a URL, as written and decoded (RFC 3986). */
function urlPasswords(value: string | undefined): string[] {
  if (value === undefined || !/^[a-z][a-z0-9+.-]*:\/\/[^/]*@/i.test(value) || !URL.canParse(value)) return [];
  const { password } = new URL(value);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
