import { ApiError } from '../protocol/api-error.ts';

/**
 * GitHub's limits on its input and output, each with the page of GitHub Docs that states it. A
 * stand-in may lower them: a test then needs three files instead of GitHub's three thousand. It
 * never raises them.
 */
export const githubLimits = {
  /** "REST API endpoints for repository contents": entries of one folder. */
  folderEntries: 1_000,
  /** "REST API endpoints for repository contents": bytes of a file that comes as base64. */
  contentBytes: 1_048_576,
  /** "REST API endpoints for repository contents", "REST API endpoints for Git blobs": bytes of a file at all. */
  blobBytes: 104_857_600,
  /** "REST API endpoints for Git trees": entries of a recursive tree, the rest is cut. */
  treeEntries: 100_000,
  /** "REST API endpoints for Git trees": bytes of a recursive tree's answer. */
  treeBytes: 7_340_032,
  /** "REST API endpoints for commits", Compare two commits: changed files, on the first page. */
  compareFiles: 300,
  /** "REST API endpoints for commits", Compare two commits: commits without paging. */
  compareCommits: 250,
  /** "REST API endpoints for commits", Get a commit: changed files of one page. */
  commitFilesPage: 300,
  /** "REST API endpoints for commits", Get a commit: changed files in all. */
  commitFiles: 3_000,
  /** "REST API endpoints for pull requests", List pull requests files. */
  pullFiles: 3_000,
  /** "REST API endpoints for pull requests", List commits on a pull request. */
  pullCommits: 250,
  /** "Repository limits", diff limits: files of a diff as text, else 406. */
  diffFiles: 300,
  /** "Repository limits", diff limits: lines of a diff as text, else 406. */
  diffLines: 20_000,
  /** "Repository limits", diff limits: lines of one file's patch, which is omitted beyond. */
  patchLines: 20_000,
  /** "Repository limits", diff limits: bytes of one file's patch. */
  patchBytes: 512_000,
  /** "Repository limits", diff limits: bytes of all patches together. */
  patchesBytes: 1_048_576,
  /** "REST API endpoints for search": results that can be paged through. */
  searchResults: 1_000,
  /** "REST API endpoints for commit statuses": statuses of one commit and context. */
  statusesOfContext: 1_000,
  /** "REST API endpoints for issue assignees": assignees of one thread. */
  assignees: 10,
  /** "Rate limits and query limits for the GraphQL API": nodes that one query could return. */
  graphqlNodes: 500_000,
  /** "Rate limits and query limits for the GraphQL API": points of one actor in an hour. */
  graphqlPoints: 5_000,
  /** "Rate limits and query limits for the GraphQL API": points of one `GITHUB_TOKEN` in an hour. */
  workflowPoints: 1_000,
  /** "Rate limits for the REST API": requests of one actor in an hour. */
  hourlyRequests: 5_000,
  /** "Rate limits for the REST API": requests of one `GITHUB_TOKEN` in an hour. */
  workflowRequests: 1_000,
  /** "Rate limits for the REST API": requests without a token in an hour. */
  anonymousRequests: 60,
  /** "REST API endpoints for search", rate limit: searches of one actor in a minute. */
  searchesPerMinute: 30,
  /** "REST API endpoints for search", rate limit: searches without a token in a minute. */
  anonymousSearches: 10,
  /** "Rate limits for the REST API", secondary rate limits: requests under way at once. */
  concurrent: 100,
  /** "Rate limits for the REST API", secondary rate limits: points of REST requests in a minute. */
  restPointsPerMinute: 900,
  /** "Rate limits for the REST API", secondary rate limits: points of GraphQL requests in a minute. */
  graphqlPointsPerMinute: 2_000,
  /** "Rate limits for the REST API", secondary rate limits: requests that make content, in a minute. */
  contentPerMinute: 80,
  /** "Rate limits for the REST API", secondary rate limits: requests that make content, in an hour. */
  contentPerHour: 500,
};

export type Limits = Readonly<typeof githubLimits>;

/** GitHub's limits with some of them lowered; throws if one would be raised. */
export function lowered(limits: Partial<Limits>): Limits {
  const result = { ...githubLimits, ...limits };
  for (const name of Object.keys(githubLimits) as (keyof Limits)[])
    if (result[name] > githubLimits[name])
      throw new Error(`The stand-in is never laxer than GitHub: ${name} is at most ${githubLimits[name]}`);
  return result;
}

/** 403 with the code `too_large`, as of a file that the contents or blobs API does not give. */
export const tooLarge = (bytes: number) =>
  new ApiError(
    403,
    `This API returns blobs up to ${Math.floor(bytes / 1_048_576)} MB in size. The requested blob is too large to fetch via the API.`,
    [{ resource: 'Blob', field: 'data', code: 'too_large' }],
  );
