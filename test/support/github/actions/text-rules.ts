import { validationFailed } from '../protocol/api-error.ts';

/** GitHub's limit on the body of an issue, pull request, comment or review, in characters. */
export const longestBody = 65_536;

/** Throws 422 if the body exceeds GitHub's limit, or is blank but required. */
export function assertBody(resource: string, body: string | null | undefined, needed = false): void {
  if (needed && (body ?? '').trim() === '')
    throw validationFailed(resource, 'body', 'missing_field', 'Body cannot be blank');
  if ([...(body ?? '')].length > longestBody)
    throw validationFailed(
      resource,
      'body',
      'custom',
      `body is too long (maximum is ${longestBody} characters)`,
    );
}

/** Throws 422 where a title is blank or over GitHub's 256 characters. */
export function assertTitle(resource: string, title: string): void {
  if (title.trim() === '') throw validationFailed(resource, 'title', 'missing_field');
  if (title.length > 256)
    throw validationFailed(resource, 'title', 'custom', 'title is too long (maximum is 256 characters)');
}

/** The numbers of the issues that a pull request's text closes (GitHub Docs, "Linking a pull request to an issue"). */
export function closingNumbers(body: string | null): number[] {
  const found = (body ?? '').matchAll(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d+)\b/gi);
  return [...new Set([...found].map((match) => Number(match[1])))];
}
