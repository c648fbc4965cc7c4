import { verify } from 'node:crypto';
import { assertNotSuspended } from '../rules/conditions.ts';
import type { App, World } from '../world.ts';
import { ApiError } from './api-error.ts';
import type { Credential } from './call.ts';

const longestLife = 600;
const clockDrift = 60;

/**
 * Who an `Authorization` header speaks for: `bearer`/`token` with a token or an app's JSON web token, or
 * `basic` with the token as password. Throws 401 for what is unknown, expired or wrongly signed.
 */
export function authenticate(world: World, header: string | undefined): Credential {
  if (header === undefined || header === '') return { kind: 'none' };
  const [scheme = '', value = ''] = header.split(/\s+/, 2);
  const secret =
    scheme.toLowerCase() === 'basic'
      ? Buffer.from(value, 'base64')
          .toString('utf8')
          .replace(/^[^:]*:/, '')
      : value;
  if (secret.split('.').length === 3) return { kind: 'app', app: verifyJwt(world, secret) };
  const token = world.tokens.get(secret);
  if (token === undefined) throw new ApiError(401, 'Bad credentials');
  if (token.expiresAt !== null && token.expiresAt <= world.now().getTime())
    throw new ApiError(401, 'Bad credentials');
  assertNotSuspended(token.app);
  return { kind: 'token', token };
}

function decode(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Not JSON: the same refusal as for JSON that is no object.
  }
  throw new ApiError(401, 'A JSON web token could not be decoded');
}

/**
 * The app whose key signed the token (GitHub Docs, "Generating a JSON Web Token (JWT) for a GitHub
 * App"). Refuses a lifetime over ten minutes, an expired token, and an issue time in the future. A
 * missing app gives 404, as on GitHub.
 */
function verifyJwt(world: World, jwt: string): App {
  const [head = '', payload = '', signature = ''] = jwt.split('.');
  if (decode(head).alg !== 'RS256') throw new ApiError(401, 'A JSON web token could not be decoded');
  const { iss, iat, exp } = decode(payload);
  const app = world.apps.get(Number(iss));
  if (iss === undefined) throw new ApiError(401, "Missing 'issuer' claim ('iss') in assertion");
  if (app === undefined) throw new ApiError(404, 'Integration not found');
  const now = Math.floor(world.now().getTime() / 1000);
  if (exp === undefined) throw new ApiError(401, "Missing 'expiration time' claim ('exp') in assertion");
  if (typeof exp !== 'number' || exp <= now)
    throw new ApiError(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  if (exp > now + longestLife + clockDrift)
    throw new ApiError(401, "'Expiration time' claim ('exp') is too far in the future");
  if (typeof iat !== 'number' || iat > now + clockDrift)
    throw new ApiError(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  const signed = Buffer.from(`${head}.${payload}`);
  if (!verify('RSA-SHA256', signed, app.publicKey, Buffer.from(signature, 'base64url')))
    throw new ApiError(401, 'A JSON web token could not be decoded');
  return app;
}
