import { isJsonObject, type Json, type JsonObject, parseJson } from '../../contract/json.ts';

/** The content of a refusal's body, in the same shape for every provider. */
export interface ProviderRefusal {
  /** The message, including that of the provider behind a router; '' if the body has none. */
  readonly text: string;
  /** Error codes and types, the most specific first; numbers as text. */
  readonly codes: readonly string[];
  /** The call that the provider could not parse, as the model wrote it; null if there is none. */
  readonly failedCall: string | null;
}

/** Errors are nested: a router's error contains the provider's as text. */
const deepest = 8;
/** Beyond this much text of a body that is not JSON there is nothing to learn. */
const longestText = 2_000;

/**
 * Reads the body of a refusal: any JSON that a provider is known to send, a page, or plain text.
 */
export function readProviderRefusal(body: string): ProviderRefusal {
  const value = parseJson(body) as Json | undefined;
  if (isJsonObject(value) || Array.isArray(value)) return readRefusalValue(value);
  return { text: plainText(body), codes: [], failedCall: null };
}

/** Reads the refusal from a parsed body. */
export function readRefusalValue(value: Json | undefined): ProviderRefusal {
  const levels = errorsIn(value, deepest);
  const texts = levels.flatMap(({ text }) => (text === '' ? [] : [text]));
  // A router's own message comes first; repeated parts of the provider's are removed.
  const distinct = texts.filter(
    (text, index) => !texts.some((other, at) => at !== index && holds(other, text, at < index)),
  );
  const codes = levels.toReversed().flatMap((level) => level.codes);
  return {
    text: [distinct[0] ?? '', ...(distinct.length > 1 ? [`(${distinct.slice(1).join(': ')})`] : [])]
      .join(' ')
      .trim(),
    codes: [...new Set(codes)],
    failedCall: levels.map(({ failedCall }) => failedCall).find((text) => text !== null) ?? null,
  };
}

interface Level {
  readonly text: string;
  readonly codes: readonly string[];
  readonly failedCall: string | null;
}

/** The error of a value and those inside it, outermost first. */
function errorsIn(value: Json | undefined, depth: number): Level[] {
  if (depth === 0 || value === undefined || value === null) return [];
  if (typeof value === 'string') {
    const inner = /^\s*[[{]/.test(value) ? (parseJson(value) as Json | undefined) : undefined;
    if (isJsonObject(inner) || Array.isArray(inner)) return errorsIn(inner, depth - 1);
    return value.trim() === '' ? [] : [{ text: plainText(value), codes: [], failedCall: null }];
  }
  if (Array.isArray(value)) return value.slice(0, 3).flatMap((one) => errorsIn(one, depth - 1));
  if (!isJsonObject(value)) return [];
  return levelsOf(value, depth);
}

function levelsOf(error: JsonObject, depth: number): Level[] {
  const { error: within, metadata, innererror, details, detail } = error;
  const message = error.message ?? error.Message ?? error.msg ?? error.error_description ?? error.title;
  const nested = typeof message === 'string' && !/^\s*[[{]/.test(message) ? undefined : message;
  const own: Level = {
    text: typeof message === 'string' && nested === undefined ? message.trim() : '',
    codes: codesOf(error),
    failedCall: typeof error.failed_generation === 'string' ? error.failed_generation : null,
  };
  const inside = [within, nested, detail, error.errors, routed(metadata), innererror, reasonsIn(details)];
  return [own, ...inside.flatMap((one) => errorsIn(one, depth - 1))];
}

/** A router's account of the provider behind it: its name and its text. */
function routed(metadata: Json | undefined): Json | undefined {
  if (!isJsonObject(metadata)) return undefined;
  const { raw, provider_name: name, reasons } = metadata;
  // A router that checks contents itself lists its reasons for the refusal.
  if (Array.isArray(reasons) && reasons.length > 0)
    return { message: `flagged: ${reasons.join(', ')}`, code: 'content_filter' };
  if (raw === undefined || raw === null) return undefined;
  if (typeof name !== 'string') return raw;
  const { text, codes } = typeof raw === 'string' ? readProviderRefusal(raw) : readRefusalValue(raw);
  return { message: text === '' ? '' : `${name}: ${text}`, type: codes[0] ?? null };
}

/** Google's list of details, whose reasons are more precise than the status. */
function reasonsIn(details: Json | undefined): Json | undefined {
  if (!Array.isArray(details)) return undefined;
  const reasons = details.flatMap((one) =>
    isJsonObject(one) && typeof one.reason === 'string' ? [one.reason] : [],
  );
  return reasons.map((code) => ({ code }));
}

function codesOf({ code, type, status, status_code, reason }: JsonObject): string[] {
  return [code, type, reason, status, status_code].flatMap((one) =>
    (typeof one === 'string' && one !== 'error') || typeof one === 'number' ? [String(one)] : [],
  );
}

/** Returns true if a text contains another; of two equal texts, if it is the first. */
function holds(text: string, part: string, isBefore: boolean): boolean {
  return text === part ? isBefore : text.includes(part);
}

/** Text that is not JSON, on one line; for a page its title, or else its text. */
function plainText(body: string): string {
  const start = body.slice(0, longestText);
  if (!/^\s*</.test(start)) return start.replace(/\s+/g, ' ').trim();
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(start)?.[1]?.trim();
  const text = start.replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ');
  return title !== undefined && title !== '' ? title : text.replace(/\s+/g, ' ').trim();
}
