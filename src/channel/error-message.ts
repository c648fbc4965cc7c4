import * as z from 'zod';
import { ConfigError, RunStopped } from '../contract/errors.ts';
import { StopReason } from '../contract/limits.ts';

/** An error of GitHub's API: enough to distinguish refusals, rate limits and outages. */
const ApiAnswer = z.object({
  status: z.number().optional(),
  /** Status and headers of the response, if there was one. */
  response: z.object({ status: z.number(), headers: z.record(z.string(), z.unknown()) }).optional(),
  /** Errors in a GraphQL answer. */
  errors: z.array(z.unknown()).optional(),
});

const common = {
  name: z.string(),
  message: z.string(),
  stack: z.string().optional(),
  api: ApiAnswer.optional(),
};

/** An error in transit to another process. Its kind follows from its class, never from its text. */
export type ErrorMessage = { readonly [Name in keyof z.output<typeof Flat>]: z.output<typeof Flat>[Name] } & {
  readonly cause?: ErrorMessage | undefined;
};
const Flat = z.object({
  ...common,
  config: z.object({ file: z.string().optional(), key: z.string().optional() }).optional(),
  stopped: StopReason.optional(),
});
export const ErrorMessage: z.ZodType<ErrorMessage> = Flat.extend({
  get cause() {
    return ErrorMessage.optional();
  },
});

/** Depth limit of causes. */
const mostCauses = 5;

/** Encodes an error as plain data, without the request of an API error, which contains a token. */
export function encodeError(error: unknown, depth = 0): ErrorMessage {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack, cause } = error;
  const api = apiAnswer(error);
  return {
    name,
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(api === null ? {} : { api }),
    ...(error instanceof ConfigError ? { config: { file: error.file, key: error.key } } : {}),
    ...(error instanceof RunStopped ? { stopped: error.reason } : {}),
    ...(cause === undefined || depth >= mostCauses ? {} : { cause: encodeError(cause, depth + 1) }),
  };
}

/** Decodes an error into its class, if it is one of ours, with GitHub's response. */
export function decodeError({ name, message, stack, cause, api, config, stopped }: ErrorMessage): Error {
  const options = cause === undefined ? undefined : { cause: decodeError(cause) };
  const error = madeOf();
  if (stack !== undefined) error.stack = stack;
  return error;

  function madeOf(): Error {
    if (stopped !== undefined) return new RunStopped(stopped, options);
    if (config !== undefined) {
      const { file, key } = config;
      const place = { ...(file === undefined ? {} : { file }), ...(key === undefined ? {} : { key }) };
      return new ConfigError(message, place, options);
    }
    const plain = new Error(message, options);
    plain.name = name;
    return Object.assign(plain, api);
  }
}

function apiAnswer(error: Error): z.output<typeof ApiAnswer> | null {
  const status = 'status' in error && typeof error.status === 'number' ? { status: error.status } : {};
  const response = 'response' in error ? ApiAnswer.shape.response.safeParse(error.response) : null;
  const answer = response?.success && response.data !== undefined ? { response: response.data } : {};
  const errors = 'errors' in error && Array.isArray(error.errors) ? { errors: error.errors } : {};
  const found = { ...status, ...answer, ...errors };
  return Object.keys(found).length === 0 ? null : found;
}
