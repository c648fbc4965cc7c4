import { ApiError, validationFailed } from '../protocol/api-error.ts';

/** GitHub counts characters, not UTF-16 units. */
const lengthOf = (text: string): number => [...text].length;

const tooLong = (resource: string, field: string, most: number) =>
  validationFailed(resource, field, 'custom', `${field} is too long (maximum is ${most} characters)`);

function assertLength(resource: string, field: string, text: string | null | undefined, most: number): void {
  if (lengthOf(text ?? '') > most) throw tooLong(resource, field, most);
}

/** GitHub Docs, "REST API endpoints for labels": 50 characters of name, 100 of description, six hexadecimal digits. */
export function assertLabel(fields: {
  readonly name: string;
  readonly color?: string | undefined;
  readonly description?: string | null | undefined;
}): void {
  if (fields.name.trim() === '') throw validationFailed('Label', 'name', 'missing_field');
  assertLength('Label', 'name', fields.name, longestLabel);
  assertLength('Label', 'description', fields.description, 100);
  if (fields.color !== undefined && !/^[0-9a-f]{6}$/i.test(fields.color))
    throw validationFailed('Label', 'color', 'invalid');
}

const longestLabel = 50;

/** The same page, "Add labels to an issue": names that cannot become labels are refused with their value. */
export function assertLabelNames(names: readonly string[]): void {
  for (const value of names)
    if (value.trim() === '' || lengthOf(value) > longestLabel)
      throw new ApiError(422, 'Validation Failed', [
        { value, resource: 'Label', field: 'name', code: 'invalid' },
      ]);
}

/** GitHub Docs, "REST API endpoints for commit statuses". */
export function assertStatus(fields: {
  readonly context?: string | undefined;
  readonly description?: string | null | undefined;
  readonly target_url?: string | null | undefined;
}): void {
  assertLength('Status', 'description', fields.description, 140);
  assertLength('Status', 'context', fields.context, 255);
  assertUrl('Status', 'target_url', fields.target_url);
}

function assertUrl(resource: string, field: string, url: string | null | undefined): void {
  if (url != null && url !== '' && !/^https?:\/\//i.test(url))
    throw validationFailed(resource, field, 'custom', `${field} must use http(s) scheme`);
}

/** An annotation of a check run, as the description's schema has let it pass. */
export interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly start_column?: number;
  readonly end_column?: number;
  readonly message: string;
  readonly title?: string;
  readonly raw_details?: string;
}

const kilobytes64 = 65_536;

/**
 * GitHub Docs, "REST API endpoints for check runs": the rules for `annotations` beyond their types.
 */
export function assertAnnotations(annotations: readonly Annotation[]): void {
  const refuse = (field: string, message: string) => {
    throw validationFailed('CheckRun', `annotations.${field}`, 'invalid', message);
  };
  for (const one of annotations) {
    if (one.path === '' || one.path.startsWith('/')) refuse('path', 'path must be relative to the root');
    if (one.start_line < 1) refuse('start_line', 'start_line must be greater than zero');
    if (one.end_line < one.start_line) refuse('end_line', 'end_line must not be before start_line');
    const columns = one.start_column !== undefined || one.end_column !== undefined;
    if (columns && one.start_line !== one.end_line)
      refuse('start_column', 'columns can only be given on a single line');
    if (columns && (one.end_column ?? 1) < (one.start_column ?? 1))
      refuse('end_column', 'end_column must not be before start_column');
    if (one.message.trim() === '') refuse('message', 'message cannot be blank');
    if (Buffer.byteLength(one.message) > kilobytes64) refuse('message', 'message is over 64 KB');
    if (Buffer.byteLength(one.raw_details ?? '') > kilobytes64)
      refuse('raw_details', 'raw_details is over 64 KB');
    if (lengthOf(one.title ?? '') > 255) refuse('title', 'title is over 255 characters');
  }
}

/** The same page: the names and addresses of a check run. */
export function assertCheckRun(fields: {
  readonly name?: string | undefined;
  readonly details_url?: string | undefined;
  readonly output?: { readonly title?: string | undefined } | undefined;
}): void {
  if (fields.name?.trim() === '') throw validationFailed('CheckRun', 'name', 'missing_field');
  assertLength('CheckRun', 'name', fields.name, 255);
  assertLength('CheckRun', 'title', fields.output?.title, 255);
  assertUrl('CheckRun', 'details_url', fields.details_url);
}

/** GitHub Docs, "REST API endpoints for search", limitations on query length. */
export function assertSearch(query: string): void {
  const refuse = (message: string) => {
    throw validationFailed('Search', 'q', 'invalid', message);
  };
  if (query.trim() === '') throw validationFailed('Search', 'q', 'missing');
  // The page does not count qualifiers, but users observed that they count, so all text is counted.
  if (lengthOf(query) > 256) refuse('The search is longer than 256 characters.');
  if ((query.match(/(?<=^|\s)(AND|OR|NOT)(?=\s|$)/g) ?? []).length > 5)
    refuse('More than five AND / OR / NOT operators were used.');
}
