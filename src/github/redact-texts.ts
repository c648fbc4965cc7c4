/** The fields of requests that hold text for people, at any depth (GitHub Docs, "REST API"). */
const texts: ReadonlySet<string> = new Set([
  ...['body', 'title', 'message', 'headline', 'description', 'summary', 'text', 'raw_details'],
]);

/** Fields that hold no text for people: settings of the client, and files of a commit. */
const opaque: ReadonlySet<string> = new Set(['request', 'headers', 'mediaType', 'fileChanges']);

/**
 * The request that changes a pull request's description. Its author's own words stay in it, and our
 * part is of the outcome, which is redacted.
 */
const descriptionUrl = '/repos/{owner}/{repo}/pulls/{pull_number}';

/**
 * Redacts every text of a request that people will read, in place: Octokit's hooks share the
 * object. Paths, ids and the files of a commit stay.
 */
export function redactTexts(parameters: object, redact: (text: string) => string): void {
  if (Reflect.get(parameters, 'url') === descriptionUrl) return;
  Object.assign(parameters, redacted(parameters, redact, ''));
}

function redacted(value: unknown, redact: (text: string) => string, key: string): unknown {
  if (typeof value === 'string') return texts.has(key) ? redact(value) : value;
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact, key));
  if (typeof value !== 'object' || value === null || opaque.has(key)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, redacted(field, redact, name)]),
  );
}
