import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { ConfigError } from '../contract/errors.ts';
import { SandboxMode } from '../contract/levels.ts';

/** Identity of the App at GitHub. */
export interface AppCredentials {
  readonly appId: number;
  /** PEM, PKCS#1 or PKCS#8. */
  readonly privateKey: string;
  readonly webhookSecret: string;
}

/** All variables of our own, validated once. Null if not set. Models read their keys themselves. */
export interface Environment {
  /** REST base URL without a slash at its end: `https://api.github.com`, `https://HOST/api/v3`. */
  readonly apiUrl: string;
  /** Base URL for clones, without a slash at its end. */
  readonly serverUrl: string;
  readonly githubToken: string | null;
  readonly appId: number | null;
  readonly privateKey: string | null;
  readonly webhookSecret: string | null;
  /** A PostgreSQL URL; null uses an embedded database in the data folder. */
  readonly databaseUrl: string | null;
  /** The App's own folder: database, mirrors, run ledgers. */
  readonly dataDirectory: string;
  /** Signs state that others could forge; null disables all that needs it. */
  readonly stateSecret: string | null;
  readonly port: number;
  readonly host: string;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** The least the operator demands; a repository's file can only ask for more. */
  readonly sandbox: SandboxMode;
  /** Public URL of the App, without a slash at its end. Null if there is none. */
  readonly publicUrl: string | null;
  /** Days for which the folders of runs are stored, and their maximum megabytes together. */
  readonly keepRunsDays: number;
  readonly keepRunsMegabytes: number;
  /** False if GitHub sets no limits on writes, as on most Enterprise Servers. */
  readonly writeLimits: boolean;
  /** The token that may read `/metrics`; null switches it off. */
  readonly metricsToken: string | null;
  /** Seconds without an answer after which a process that works on a delivery is ended. */
  readonly stallSeconds: number;
}

const address = z.url({ protocol: /^https?$/ });
const withoutSlash = (text: string) => text.replace(/\/+$/, '');
const url = (standard: string) => address.default(standard).transform(withoutSlash);
const wholeNumber = (from: number, to: number) => z.coerce.number().int().min(from).max(to);

/** Our variables. The descriptions complete "set it to …" in error messages. */
const variables = {
  GITHUB_API_URL: url('https://api.github.com').describe(
    'a URL such as https://api.github.com or https://HOST/api/v3',
  ),
  GITHUB_SERVER_URL: url('https://github.com').describe('a URL such as https://github.com'),
  GITHUB_TOKEN: z.string().optional().describe('a token that may read the repository'),
  APP_ID: wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe("the number on the App's settings page"),
  PRIVATE_KEY: z.string().optional().describe("the App's private key, as PEM or as base64 of the PEM"),
  PRIVATE_KEY_PATH: z.string().optional().describe("the path of the App's private key file"),
  WEBHOOK_SECRET: z.string().optional().describe("the secret from the App's settings page"),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('a URL such as postgres://user:password@host/database'),
  ANODE_DATA_DIR: z.string().default('.anode-data').describe('a folder the App may write to'),
  ANODE_STATE_SECRET: z
    .string()
    .min(16)
    .optional()
    .describe('at least 16 characters, the same for every run'),
  ANODE_SANDBOX: SandboxMode.default('required').describe('required, preferred or off'),
  ANODE_PUBLIC_URL: address
    .transform(withoutSlash)
    .optional()
    .describe('the URL that people reach the App by, such as https://anode.example.com'),
  ANODE_KEEP_RUNS_DAYS: wholeNumber(1, 3650).default(30).describe('a number of days from 1 to 3650'),
  ANODE_KEEP_RUNS_MB: wholeNumber(1, 100_000_000).default(10_000).describe('a number of megabytes from 1'),
  ANODE_METRICS_TOKEN: z.string().min(16).optional().describe('at least 16 characters'),
  ANODE_WRITE_LIMITS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('on, or off for an Enterprise Server without rate limits'),
  ANODE_STALL_SECONDS: wholeNumber(1, 3600).default(60).describe('a number of seconds from 1 to 3600'),
  PORT: wholeNumber(0, 65_535).default(3000).describe('a number from 0 to 65535'),
  HOST: z.string().default('127.0.0.1').describe('an address to listen on'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('trace, debug, info, warn, error, fatal or silent'),
};
const Variables = z.object(variables);

/**
 * Reads and checks our variables. An empty one counts as not set, because GitHub passes unset
 * secrets like that. Reads the file at `PRIVATE_KEY_PATH`. Throws `ConfigError` with the variable's
 * name, never its value.
 */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  const values = Object.fromEntries(
    Object.keys(variables).map((name) => [name, env[name]?.trim() || undefined]),
  );
  const parsed = Variables.safeParse(values);
  if (!parsed.success) {
    const name = Object.keys(variables).find((key) => key === parsed.error.issues[0]?.path[0]);
    throw unusable((name ?? 'LOG_LEVEL') as keyof typeof variables);
  }
  const { data } = parsed;
  return {
    apiUrl: data.GITHUB_API_URL,
    serverUrl: data.GITHUB_SERVER_URL,
    githubToken: data.GITHUB_TOKEN ?? null,
    appId: data.APP_ID ?? null,
    privateKey: findPrivateKey(data.PRIVATE_KEY, data.PRIVATE_KEY_PATH),
    webhookSecret: data.WEBHOOK_SECRET ?? null,
    databaseUrl: data.DATABASE_URL ?? null,
    dataDirectory: data.ANODE_DATA_DIR,
    stateSecret: data.ANODE_STATE_SECRET ?? null,
    port: data.PORT,
    host: data.HOST,
    logLevel: data.LOG_LEVEL,
    sandbox: data.ANODE_SANDBOX,
    publicUrl: data.ANODE_PUBLIC_URL ?? null,
    keepRunsDays: data.ANODE_KEEP_RUNS_DAYS,
    keepRunsMegabytes: data.ANODE_KEEP_RUNS_MB,
    writeLimits: data.ANODE_WRITE_LIMITS === 'on',
    metricsToken: data.ANODE_METRICS_TOKEN ?? null,
    stallSeconds: data.ANODE_STALL_SECONDS,
  };
}

/**
 * The credentials the App cannot be without. Throws `ConfigError` for the first that is missing.
 */
export function requireApp(environment: Environment): AppCredentials {
  return {
    appId: environment.appId ?? missing('APP_ID'),
    privateKey: environment.privateKey ?? missing('PRIVATE_KEY', ' (or its path in PRIVATE_KEY_PATH)'),
    webhookSecret: environment.webhookSecret ?? missing('WEBHOOK_SECRET'),
  };
}

/**
 * The token that the Action and the command line read GitHub with. Throws `ConfigError` where it is
 * missing.
 */
export function requireToken(environment: Environment): string {
  return environment.githubToken ?? missing('GITHUB_TOKEN');
}

function findPrivateKey(key: string | undefined, path: string | undefined): string | null {
  if (key !== undefined) return readPrivateKey(key) ?? fail('PRIVATE_KEY');
  if (path === undefined) return null;
  try {
    return readPrivateKey(readFileSync(path, 'utf8')) ?? fail('PRIVATE_KEY_PATH');
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    throw unusable('PRIVATE_KEY_PATH', cause);
  }
}

function fail(name: keyof typeof variables): never {
  throw unusable(name);
}

function unusable(name: keyof typeof variables, cause?: unknown): ConfigError {
  return new ConfigError(
    `${name} is set, but not to ${variables[name].description}.`,
    { key: name },
    { cause },
  );
}

function missing(name: keyof typeof variables, or = ''): never {
  throw new ConfigError(`${name} is not set${or}. Set it to ${variables[name].description}.`, { key: name });
}

/**
 * A private key as PEM, from PEM (also with a literal `\n`, as one-line environments require) or
 * from base64 of PEM; else null.
 */
export function readPrivateKey(text: string): string | null {
  const pem = text.includes('-----BEGIN')
    ? text.replaceAll('\\n', '\n')
    : Buffer.from(text, 'base64').toString('utf8');
  try {
    createPrivateKey(pem);
  } catch {
    return null;
  }
  return pem.trim();
}
